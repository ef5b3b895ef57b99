import { IcmError } from '@icm/errors'

/**
 * How many objects a call changes: none where it cannot be carried out, and then its run says why. Without this a person
 * would be asked about a call that only has a wrong path.
 */
export async function changedObjects(objects: () => Promise<readonly unknown[]>): Promise<number> {
  try {
    return (await objects()).length
  } catch (error) {
    if (IcmError.isInstance(error)) return 0
    throw error
  }
}
