export { undoRename } from './apply-rename.js'
export { DocumentToolsError, type DocumentToolsErrorCode } from './errors.js'
export { type DocumentToolsOptions, openDocumentTools } from './open-document-tools.js'
export { type AllowedProgram, type AllowedPrograms, defaultPrograms } from './programs.js'
