import type { ConsentRequest, Waiting } from '@icm/tool-registry'
import { printable, printableName } from './style.js'

/** What a person must know to decide: the call with all of its arguments, and what speaks for and against it. */
export function describeRequest(request: ConsentRequest): readonly string[] {
  const { toolName, reason, dryRun, backup, readBefore, irreversible } = request
  return [
    printableName(`${toolName} ${JSON.stringify(request.arguments)}`),
    printableName(`why it is asked: ${reason}`),
    ...(irreversible ? ['it cannot be undone'] : []),
    ...(dryRun === undefined ? [] : [printable(`what it would do: ${dryRun}`)]),
    printableName(backup === undefined ? 'no backup is known' : `backup: ${backup}`),
    ...(readBefore.length === 0
      ? []
      : [
          printableName(
            `read before it was asked for: ${readBefore.join(', ')}; such a text may have asked for it`,
          ),
        ]),
  ]
}

/** One thing that waits for a person: its id first, then what it is. */
export function describeWaiting(waiting: Waiting): readonly string[] {
  if (waiting.kind === 'consent') {
    const [first = '', ...more] = describeRequest(waiting.consent.request)
    const stage = inStage(waiting.consent.stage)
    return [`${waiting.id}  consent${stage}: ${first}`, ...more.map((line) => `  ${line}`)]
  }
  const { toolName, arguments: given, sentAt, stage } = waiting.effect
  return [
    printableName(`${waiting.id}  in doubt${inStage(stage)}: ${toolName} ${JSON.stringify(given)}`),
    `  sent at ${sentAt}; nothing is known of its end, and it is not repeated by itself`,
    '  look whether it happened; approve: it may run again, reject: it never will',
  ]
}

function inStage(stage: string | undefined): string {
  return stage === undefined ? '' : ` in ${stage}`
}
