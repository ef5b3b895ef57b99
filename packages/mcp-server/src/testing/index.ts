export { connectInMemory } from './connect-in-memory.js'
export { type SpawnedServer, spawnServer } from './spawn-server.js'
export type { TestClient } from './test-client.js'
