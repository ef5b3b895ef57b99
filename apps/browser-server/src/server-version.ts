import { createRequire } from 'node:module'

/** The version of this package, from its manifest (one folder above both `src` and `dist`). */
export const serverVersion: string = createRequire(import.meta.url)('../package.json').version
