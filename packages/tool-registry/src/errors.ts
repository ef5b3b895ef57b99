import { IcmError } from '@icm/errors'

export type ToolRegistryErrorCode =
  | 'tool/bad-definition'
  | 'tool/bad-registry'
  | 'tool/reported-error'
  | 'tool/outcome-unknown'
  | 'tool/bad-record'
  | 'tool/missing-file'
  | 'tool/not-allowed'
  | 'tool/no-description'
  | 'tool/no-observation'

/**
 * Thrown at construction for a programmer's mistake (`tool/bad-definition`, `tool/bad-registry`), and by a file store for
 * a record that cannot be read (`tool/bad-record`). `tool/missing-file` and `tool/not-allowed` stand for a system
 * error, `tool/no-description` and `tool/no-observation` come from `find_tools` and `read_observation`; a model reads them.
 *
 * A tool that wraps a foreign service throws it from `run` to say what an ordinary error cannot:
 * - `tool/reported-error`: the service answered that the call failed; `details.text` is its answer, which is shown to
 *   the model like any other output of the tool (limited, fenced when untrusted).
 * - `tool/outcome-unknown`: the call was sent and no answer came, so the effect may have happened. For a tool that is
 *   not idempotent the outcome is then `in_doubt`.
 */
export class ToolRegistryError extends IcmError<ToolRegistryErrorCode> {}
