import type { TSchema } from 'orch/sdk'
import { alternativesOf, choicesOf, optionKindOf } from './option-declarations.js'

/** The text is not valid for the type of the option; `expectationOf` describes what is. */
export class CoercionError extends Error {}

const booleans: Readonly<Record<string, boolean>> = {
  true: true,
  t: true,
  '1': true,
  false: false,
  f: false,
  '0': false,
}

/** Parses the values of one option in order: the last one counts, lists and maps are combined. */
export function coerceOption(schema: TSchema, texts: readonly string[]): unknown {
  switch (optionKindOf(schema)) {
    case 'list':
      return texts.flatMap(splitList).map(text => coerceScalar(schema['items'] as TSchema, text))
    case 'map':
      return Object.fromEntries(texts.flatMap(splitList).map(pair => coercePair(schema, pair)))
    default:
      return coerceScalar(schema, texts.at(-1) ?? '')
  }
}

/** Values in the config are typed; only lists and maps may also be written as on the command line. */
export function coerceConfigValue(schema: TSchema, value: unknown): unknown {
  const kind = optionKindOf(schema)
  return typeof value === 'string' && (kind === 'list' || kind === 'map') ? coerceOption(schema, [value]) : value
}

const splitList = (text: string): string[] =>
  text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')

/** `key=value`; a key alone means true, as in `--runtime-config=batch/v1`. */
function coercePair(schema: TSchema, pair: string): [string, unknown] {
  const equals = pair.indexOf('=')
  const key = equals < 0 ? pair : pair.slice(0, equals)
  if (key === '') throw new CoercionError('a pair without a key')
  const patterns = schema['patternProperties'] as Record<string, TSchema> | undefined
  const valueSchema = Object.values(patterns ?? {})[0] ?? { type: 'string' }
  return [key, coerceScalar(valueSchema as TSchema, equals < 0 ? 'true' : pair.slice(equals + 1))]
}

function canCoerce(schema: TSchema, text: string): boolean {
  try {
    coerceScalar(schema, text)
    return true
  } catch {
    return false
  }
}

function coerceScalar(schema: TSchema, text: string): unknown {
  const choices = choicesOf(schema)
  if (choices) {
    const choice = choices.find(candidate => String(candidate) === text)
    if (choice === undefined) throw new CoercionError('not one of the choices')
    return choice
  }
  const member = alternativesOf(schema)?.find(candidate => canCoerce(candidate, text))
  if (member) return coerceScalar(member, text)
  switch (optionKindOf(schema)) {
    case 'boolean': {
      const value = booleans[text.toLowerCase()]
      if (value === undefined) throw new CoercionError('neither true nor false')
      return value
    }
    case 'number':
      if (!/^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(text)) throw new CoercionError('not a number')
      return Number(text)
    default:
      return text
  }
}
