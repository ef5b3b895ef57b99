export { isInside, resolveContained } from './contained-path.js'
export { SafeFilesError, type SafeFilesErrorCode, systemErrorCode, writeError } from './errors.js'
export { acquireLock, type Lock, type LockOwner, readLockOwner } from './lock.js'
export { removeStaleTemporaries, writeFileAtomically } from './write-file-atomically.js'
