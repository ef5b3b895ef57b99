import { describeConsent, type Waiting } from '@icm/tool-registry'
import { printableName } from './style.js'

/** One thing that waits for a person: its id first, then all that one must know to decide. */
export function describeWaiting(waiting: Waiting): readonly string[] {
  if (waiting.kind === 'consent') {
    const { stage, request } = waiting.consent
    const facts = describeConsent(request).split('\n')
    return [`${waiting.id}  consent${inStage(stage)}`, ...facts.map((line) => `  ${line}`)]
  }
  const { toolName, arguments: given, sentAt, stage } = waiting.effect
  return [
    printableName(`${waiting.id}  in doubt${inStage(stage)}: ${toolName} ${JSON.stringify(given)}`),
    `  sent at ${sentAt}; nothing is known of its end, and it is not repeated by itself`,
    '  look whether it happened; approve: it may run again, reject: it never will',
  ]
}

function inStage(stage: string | undefined): string {
  return stage === undefined ? '' : printableName(` in ${stage}`)
}
