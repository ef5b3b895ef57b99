// A host that ends without closing its servers. Arguments: how it ends, the server's script, its mode, a marker.
import { connectServers } from '../connect-servers.js'

const [end = '', script = '', mode = '', marker = ''] = process.argv.slice(2)
const host = await connectServers([
  { name: 'raw', kind: 'stdio', command: process.execPath, args: [script, mode, marker] },
])
await host.tools([{ server: 'raw', tools: 'all' }])
console.log('ready')
if (end === 'exit') process.exit(5)
if (end === 'throw') {
  setTimeout(() => {
    throw new TypeError('nobody catches this')
  })
}
