/** One thing that `icm doctor` looked at. */
export interface Finding {
  readonly name: string
  /** `missing`: not there and not needed. */
  readonly state: 'ok' | 'missing' | 'warning' | 'fault'
  readonly text: string
  readonly fix?: string
  /** A model that can run stages is there. */
  readonly ready?: boolean
  /** Something else can stand in for it. */
  readonly optional?: boolean
}
