import { parseScope } from '@icm/contract-parser'
import { describe, expect, it } from 'vitest'
import { extractSection } from './extract-section.js'

const text = `# Doc
top
## A
a
### A1
a1
\`\`\`
## C
\`\`\`
## **B** and more:
b
## C
c
## C
again`

const extract = (scope: string) => extractSection(text, parseScope(scope))

describe('extractSection', () => {
  it.each([
    ['"A1"', '### A1\na1\n```\n## C\n```'],
    ['"b AND more"', '## **B** and more:\nb'],
    ['`## A1` and "C"', '### A1\na1\n```\n## C\n```\n\n## C\nc'],
    ['"C", "A1"', '### A1\na1\n```\n## C\n```\n\n## C\nc'],
    ['"A" and "A1"', '## A\na\n### A1\na1\n```\n## C\n```'],
    ['B and more section', '## **B** and more:\nb'],
    ['#a1', '### A1\na1\n```\n## C\n```'],
    ['#c-1', '## C\nagain'],
    ['lines 3-4', '## A\na'],
    ['§ A1', '### A1\na1\n```\n## C\n```'],
  ])('%s', (scope, expected) => {
    expect(extract(scope)).toEqual({ text: expected, whole: false })
  })

  it('takes a range with its end', () => {
    expect(extract('"A1" through "B and more"').text).toBe(
      '### A1\na1\n```\n## C\n```\n## **B** and more:\nb',
    )
  })

  it.each([
    ['"Other"', 'it has no section "Other"'],
    ['"A11"', 'it has no section "A11"; the nearest is "A1"'],
    ['"C" through "A"', '"C" comes after "A"'],
    ['"A" through "Other"', 'it has no section "Other"'],
    ['#nowhere', 'it has no section "#nowhere"'],
    ['lines 90-99', 'it has no lines 90 to 99'],
  ])('%s gives the whole text with a reason', (scope, reason) => {
    expect(extract(scope)).toEqual({ text, whole: true, reason })
  })

  it.each([
    '',
    'Full file',
    'Most recent',
    'Routes to palette, typography',
    'A and the rest',
    'Read it. Then think about it',
  ])('%s gives the whole text silently', (scope) => {
    expect(extract(scope)).toEqual({ text, whole: true })
  })
})
