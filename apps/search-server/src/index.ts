export { createServer, type SearchServer, type SearchServerOptions } from './create-server.js'
export { SearchServerError, type SearchServerErrorCode } from './errors.js'
