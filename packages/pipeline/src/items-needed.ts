import { readContract, resolveInput, splitItems, type Workspace } from '@icm/context-loader'
import { IcmError } from '@icm/errors'
import { workspacePath } from './provenance.js'

/**
 * A stage that works item by item needs headings in its source. Code knows that, so the stage that writes the source
 * is told at once, while its conversation is still there to mend it. Returns a check of a text for that output: what
 * is missing, as a sentence, or undefined.
 */
export async function itemsNeededFrom(
  workspace: Workspace,
  outputPath: string,
): Promise<(text: string) => string | undefined> {
  const output = workspacePath(workspace, outputPath)
  const readers: { readonly stage: string; readonly item: string }[] = []
  for (const stage of workspace.stages) {
    try {
      const { contract } = await readContract(workspace, stage)
      if (contract.forEach === undefined) continue
      const source = await resolveInput(workspace, stage, contract.forEach.path)
      if (source.lookedIn.includes(output)) readers.push({ stage: stage.name, item: contract.forEach.item })
    } catch (error) {
      // A later stage that cannot be read is a fault of that stage, said at the gate and when its turn comes.
      if (!IcmError.isInstance(error)) throw error
    }
  }
  return (text) => {
    const reader = readers.find(({ item }) => splitItems(text, item).items.length === 0)
    if (reader === undefined) return undefined
    const heading = `${reader.item.charAt(0).toUpperCase()}${reader.item.slice(1)}`
    return `stage ${reader.stage} finds no ${reader.item} in it; each ${reader.item} needs a heading of level 2, such as "## ${heading} 1: <title>"`
  }
}
