import { nearestName } from '@icm/errors'
import { type JsonSchema, objectShape, toJsonSchema } from '@icm/json-schema'
import { ToolRegistryError } from './errors.js'
import { type InputSchema, readInput } from './input-schema.js'
import { foldName } from './parameter-names.js'
import type { Tool, ToolDefinition, ToolInput } from './types.js'

const NAME = /^[A-Za-z0-9_-]{1,64}$/
const MAX_TIMER_MS = 2_147_483_647
const MAX_HINT_CHARACTERS = 200

/**
 * Makes a tool from its definition; the input type of its functions comes from the schema.
 * Throws `tool/bad-definition` for an empty or ill-formed name, an empty description, an input that is not an
 * object or would come out empty, a limit or time that is not a positive whole number, and an alias or address parameter of a parameter that
 * does not exist or that two parameters share.
 */
export function defineTool<const S extends InputSchema>(definition: ToolDefinition<S>): Tool<ToolInput<S>> {
  const tool = { ...definition, input: readInput(definition.input) } as unknown as Tool<ToolInput<S>>
  const problem = findFault(tool as Tool)
  if (problem !== undefined) {
    throw new ToolRegistryError({
      code: 'tool/bad-definition',
      what: `The tool ${JSON.stringify(tool.name)} was not defined: ${problem.fault}.`,
      why: problem.rule,
      instead: problem.instead,
    })
  }
  return Object.freeze(tool)
}

interface Fault {
  readonly fault: string
  readonly rule: string
  readonly instead: string
}

function findFault(tool: Tool): Fault | undefined {
  if (typeof tool.name !== 'string' || !NAME.test(tool.name)) {
    return {
      fault:
        tool.name === ''
          ? 'its name is empty'
          : 'its name has a character that models may not send, or is too long',
      rule: 'A tool name has 1 to 64 letters, digits, "_" or "-".',
      instead: 'Give it a name like "read_file".',
    }
  }
  if (typeof tool.description !== 'string' || tool.description.trim() === '') {
    return {
      fault: 'its description is empty',
      rule: 'The description is all that a model knows about a tool.',
      instead: 'Say what it returns, what happens at the edges and what is rejected.',
    }
  }
  return findNumberFault(tool) ?? findHintFault(tool) ?? findSchemaFault(tool)
}

function findNumberFault(tool: Tool): Fault | undefined {
  for (const key of ['limit', 'timeoutMs', 'maxDurationMs'] as const) {
    const value = tool[key]
    if (value === undefined || (Number.isInteger(value) && value >= 1 && value <= MAX_TIMER_MS)) continue
    return {
      fault: `its ${key} is ${value}`,
      rule: `${key} is a whole number from 1 to ${MAX_TIMER_MS}.`,
      instead: `Set ${key} to such a number, or leave it out.`,
    }
  }
  return undefined
}

function findHintFault(tool: Tool): Fault | undefined {
  if (tool.whenTrimmed === undefined || tool.whenTrimmed.length <= MAX_HINT_CHARACTERS) return undefined
  return {
    fault: `its whenTrimmed has ${tool.whenTrimmed.length} characters`,
    rule: `The hint counts towards the limit of an observation: at most ${MAX_HINT_CHARACTERS}.`,
    instead: 'Name the one call that gives more.',
  }
}

function findSchemaFault(tool: Tool): Fault | undefined {
  const schema = toJsonSchema(tool.input)
  if (schema.type !== undefined && schema.type !== 'object') {
    return {
      fault: `its input is of type ${JSON.stringify(schema.type)}`,
      rule: 'Arguments are named, so the input of a tool is an object.',
      instead: 'Wrap the input in an object with one property.',
    }
  }
  return findParameterFault(tool, objectShape(schema).properties)
}

function findParameterFault(tool: Tool, parameters: ReadonlyMap<string, JsonSchema>): Fault | undefined {
  const unknown = [...Object.keys(tool.aliases ?? {}), ...(tool.addressParameters ?? [])].find(
    (parameter) => !parameters.has(parameter),
  )
  if (unknown !== undefined) {
    const nearest = nearestName(unknown, parameters.keys())
    return {
      fault: `it names the parameter ${JSON.stringify(unknown)}, which its input does not have`,
      rule: `Its parameters are: ${[...parameters.keys()].join(', ') || 'none'}.`,
      instead: nearest === undefined ? 'Name one of these parameters.' : `Did you mean "${nearest}"?`,
    }
  }
  const owners = new Map([...parameters.keys()].map((parameter) => [foldName(parameter), parameter]))
  for (const [parameter, aliases] of Object.entries(tool.aliases ?? {})) {
    for (const alias of aliases) {
      const owner = owners.get(foldName(alias))
      if (owner !== undefined && owner !== parameter) {
        return {
          fault: `"${alias}" is an alias of "${parameter}" and also a name of "${owner}"`,
          rule: 'A name of a parameter has one meaning (upper case, "-" and "_" do not count).',
          instead: `Remove "${alias}" from one of the two.`,
        }
      }
      owners.set(foldName(alias), parameter)
    }
  }
  return undefined
}
