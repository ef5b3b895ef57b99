import { fileURLToPath } from 'node:url'

/** Where the build has put a template; sources and built files both lie one level below the package. */
export function templateFolder(name: string): string {
  return fileURLToPath(new URL(`../dist/templates/${name}`, import.meta.url))
}
