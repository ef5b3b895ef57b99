// Prints "P passed, F failed" of a vitest JSON report; skipped tests and a run that ended badly count as failures.
import { existsSync, readFileSync } from 'node:fs'

const [, , path, status] = process.argv
if (!existsSync(path)) {
  console.log('0 passed, 1 failed')
  process.exit()
}
const report = JSON.parse(readFileSync(path, 'utf8'))
const tests = report.testResults.flatMap((file) => file.assertionResults)
const named = (test) => `${test.fullName} (${test.status})`
const skipped = tests.filter((test) => test.status !== 'passed' && test.status !== 'failed')
const failed = tests.filter((test) => test.status === 'failed')
const broken = report.testResults.filter(
  (file) => file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
)
for (const test of [...skipped, ...failed]) console.error(`  ${named(test)}`)
for (const file of broken) console.error(`  ${file.name} (${file.message})`)
const unexplained = status !== '0' && skipped.length + failed.length + broken.length === 0 ? 1 : 0
const failures = skipped.length + failed.length + broken.length + unexplained + (tests.length === 0 ? 1 : 0)
console.log(`${tests.length - skipped.length - failed.length} passed, ${failures} failed`)
