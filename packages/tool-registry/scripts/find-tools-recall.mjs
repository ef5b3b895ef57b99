// How often `find_tools` finds the function that a request needs: `node packages/tool-registry/scripts/find-tools-recall.mjs`,
// over the requests of the Berkeley Function Calling Leaderboard in ICM_SHARED and a built registry. All definitions of
// all requests are one pool, several of a name count as one; the request is searched with as the user wrote it. The answers
// serve for counting only. Ends with 1 when recall@1 is under .72 or recall@5 under .92.
import { pathToFileURL } from 'node:url'
import { readLines } from './requests.mjs'

/**
 * @param {readonly any[]} requests @param {readonly any[]} answers
 * @param {(tools: any) => (text: string, limit: number) => readonly string[]} indexTools
 */
export function measureRecall(requests, answers, indexTools) {
  const definitions = new Map(
    requests.flatMap((request) =>
      request.function.map((/** @type {any} */ one) => [JSON.stringify(one), one]),
    ),
  )
  const pool = [...definitions.values()].map(({ name, description, parameters }) => ({
    name,
    description,
    inputSchema: parameters,
  }))
  const search = indexTools(pool)
  const needed = new Map(answers.map((answer) => [answer.id, Object.keys(answer.ground_truth[0])[0]]))
  const places = requests.map((request) => {
    const text = request.question
      .flat()
      .filter((/** @type {any} */ turn) => turn.role === 'user')
      .map((/** @type {any} */ turn) => turn.content)
      .join('\n')
    return search(text, 10).indexOf(needed.get(request.id) ?? '')
  })
  const recall = (/** @type {number} */ count) =>
    places.filter((place) => place >= 0 && place < count).length / places.length
  return {
    requests: requests.length,
    names: new Set(pool.map(({ name }) => name)).size,
    at1: recall(1),
    at5: recall(5),
    at10: recall(10),
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { indexTools } = await import(new URL('../dist/index.js', import.meta.url).href)
  const { requests, names, at1, at5, at10 } = measureRecall(
    readLines('live_multiple.jsonl'),
    readLines('live_multiple.answers.jsonl'),
    indexTools,
  )
  console.log(
    `${requests} requests over ${names} names: recall@1 ${at1.toFixed(3)}, @5 ${at5.toFixed(3)}, @10 ${at10.toFixed(3)}`,
  )
  process.exit(at1 >= 0.72 && at5 >= 0.92 ? 0 : 1)
}
