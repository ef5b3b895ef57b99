export { canonicalJson, hashJson } from './canonical-json.js'
export { JsonSchemaError, type JsonSchemaErrorCode } from './errors.js'
export { fillDefaults, type RepairedValue, repairValue } from './repair.js'
export { type ObjectShape, objectShape } from './repair-branches.js'
export {
  type Infer,
  isSchema,
  type JsonSchema,
  type Schema,
  type StandardIssue,
  type StandardResult,
  toJsonSchema,
} from './to-json-schema.js'
export { type ValidationIssue, type ValidationResult, validate } from './validate.js'
