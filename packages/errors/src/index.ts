export { describeProblem, IcmError, type Problem } from './icm-error.js'
export type { JsonObject, JsonValue } from './json-value.js'
export { nearestName } from './nearest-name.js'
