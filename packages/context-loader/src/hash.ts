/** SHA-256 of bytes, or of a text's UTF-8 bytes, in hex. */
export function sha256(data: string | Uint8Array): string {
  // Loaded at the first hash: opening a workspace needs none, and the module takes longer than everything else here.
  return process.getBuiltinModule('node:crypto').hash('sha256', data)
}
