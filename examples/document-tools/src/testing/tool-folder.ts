import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createToolRegistry, type ToolOutcome, type ToolRegistryOptions } from '@icm/tool-registry'
import { type DocumentToolsOptions, openDocumentTools } from '../open-document-tools.js'

export interface ToolFolder {
  readonly root: string
  write(path: string, content: string | Uint8Array): Promise<void>
  call(name: string, given: unknown, options?: CallOptions): Promise<ToolOutcome>
  remove(): Promise<void>
}

interface CallOptions {
  readonly registry?: Partial<ToolRegistryOptions>
  readonly tools?: Partial<DocumentToolsOptions>
  readonly run?: Parameters<ReturnType<typeof createToolRegistry>['run']>[1]
}

/** A folder for one test, with the document tools over it; outputs come without their fence. */
export async function makeToolFolder(files: { readonly [path: string]: string } = {}): Promise<ToolFolder> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'document-tools-test-')))
  const write = async (path: string, content: string | Uint8Array) => {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), content)
  }
  for (const [path, content] of Object.entries(files)) await write(path, content)
  return {
    root,
    write,
    call: (name, given, { registry, tools, run } = {}) =>
      createToolRegistry({
        tools: openDocumentTools({ root, ...tools }),
        session: { trust: 'host' },
        ...registry,
      }).run({ id: 'call-1', name, arguments: given }, { fence: false, ...run }),
    remove: () => rm(root, { recursive: true, force: true }),
  }
}
