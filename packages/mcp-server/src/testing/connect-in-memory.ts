import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { connectClient, type TestClient } from './test-client.js'

/** The SDK's client, linked to a server in this process. */
export async function connectInMemory(server: {
  connect(transport: InMemoryTransport): Promise<void>
}): Promise<TestClient> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const [client] = await Promise.all([connectClient(ours), server.connect(theirs)])
  return client
}
