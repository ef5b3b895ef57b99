import { stateFolder } from '@icm/pipeline'
import type { EffectStore } from '@icm/tool-registry'

/** The effects and consents of a workspace, in `.icm/effects` and `.icm/consents`; the folders are made on first use. */
export async function openWorkspaceEffects(workspace: { readonly root: string }): Promise<EffectStore> {
  const { openEffectStore } = await import('@icm/tool-registry')
  return openEffectStore(stateFolder(workspace).root)
}
