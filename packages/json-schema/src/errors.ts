import { IcmError } from '@icm/errors'

export type JsonSchemaErrorCode = 'schema/no-json-schema' | 'schema/invalid-schema' | 'schema/not-json'

/** Thrown for schemas and values that this package cannot work with; a value that merely fails validation is data. */
export class JsonSchemaError extends IcmError<JsonSchemaErrorCode> {}
