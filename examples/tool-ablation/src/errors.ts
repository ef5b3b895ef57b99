import { IcmError } from '@icm/errors'

export type ToolAblationErrorCode = 'ablation/bad-option' | 'ablation/bad-argument' | 'ablation/bad-results'

/** What was given to this program, or to one of its tools, and cannot be used. */
export class ToolAblationError extends IcmError<ToolAblationErrorCode> {}

/** For a tool whose arguments have the right types and no meaning. */
export function badArgument(what: string, why: string, instead: string): ToolAblationError {
  return new ToolAblationError({ code: 'ablation/bad-argument', what, why, instead })
}
