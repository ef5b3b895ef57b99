export { type BrowserServer, type BrowserServerOptions, createServer } from './create-server.js'
export { BrowserServerError, type BrowserServerErrorCode } from './errors.js'
