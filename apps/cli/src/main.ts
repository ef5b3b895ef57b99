import { runCli } from './run-cli.js'
import { runProgram } from './run-program.js'

await runProgram((environment) => runCli(process.argv.slice(2), environment))
