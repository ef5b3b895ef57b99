import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

/** What a test asks a server of text tools: the part of the SDK's client that it needs. */
export interface TestClient {
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>
  callTool(call: { readonly name: string; readonly arguments: object }): Promise<{
    readonly content: readonly { readonly type: string; readonly text: string }[]
    readonly isError?: boolean
  }>
  close(): Promise<void>
}

/** The SDK's client, connected. Rejects when the other end is gone. */
export async function connectClient(transport: Transport): Promise<TestClient> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(transport)
  return client as unknown as TestClient
}
