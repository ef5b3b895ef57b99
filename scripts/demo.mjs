// The main job in one command: finds a model (or fetches one), runs the four stages of examples/course-research in a
// fresh copy, and says where the draft is. `npm run demo -- --help` lists the options.
import { runProgram } from '@icm/cli'
import { runDemo } from './demo/run-demo.mjs'

await runProgram((environment) => runDemo(process.argv.slice(2), environment))
