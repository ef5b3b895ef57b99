/**
 * Paths of the corpus that neither exist nor wait for another stage: where, why, and what is suggested.
 * `absent` paths are optional in their contract; `missing` ones are faults of it.
 */
export const unmetPaths: readonly {
  readonly workspace: string
  readonly stage: string
  readonly path: string
  readonly status: 'absent' | 'missing'
  readonly nearest?: string
  readonly why: string
}[] = [
  {
    workspace: 'workspaces/adversarial-audit',
    stage: '04-question-assumptions',
    path: '../../shared/examples/<repo>.md',
    status: 'absent',
    why: 'Marked "(if exist)": the folder of examples is filled by earlier audits.',
  },
  {
    workspace: 'workspaces/feature-pipeline',
    stage: '03-implement',
    path: '../04-review/output/<repo>/<slug>-review.md',
    status: 'absent',
    why: 'Marked "(iteration only)": the review of the round before.',
  },
  {
    workspace: 'workspaces/release-notes',
    stage: '03-draft',
    path: 'references/voice.md',
    status: 'absent',
    why: 'Marked "(if exists)".',
  },
  {
    workspace: 'workspaces/release-notes',
    stage: '04-publish',
    path: 'references/channel-specs.md',
    status: 'missing',
    why: 'The repository holds no such file, and nothing like it.',
  },
  {
    workspace: 'workspaces/tutorials',
    stage: '03-script',
    path: 'references/voice.md',
    status: 'absent',
    why: 'Marked "(if exists)".',
  },
  {
    workspace: '.',
    stage: '01-intake',
    path: '../../pieces/[piece-slug]/r[N-1]-review.md',
    status: 'absent',
    why: 'Marked "(reruns only)": a later stage of the round before wrote it.',
  },
]
