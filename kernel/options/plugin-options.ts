import { FormatRegistry } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { isDuration, type TSchema } from 'orch/sdk'
import { type BootProblem, problem } from '../contracts/boot-errors.js'
import { nearestName } from '../contracts/nearest-name.js'
import { coerceConfigValue } from './coerce-option.js'
import { expectationOf, flagNameOf, type OptionOwner, propertiesOf } from './option-declarations.js'

export interface OptionSources {
  /** Given with the plugin's entry in the config: `certificates({ ... })`. */
  readonly given: Readonly<Record<string, unknown>>
  /** Keys at the top of the config. */
  readonly config: Readonly<Record<string, unknown>>
  /** Values of flags, by config key. */
  readonly flags: ReadonlyMap<string, unknown>
}

/**
 * The options of one plugin: defaults, then its entry, then keys of the config, then flags. Validated by TypeBox's interpreter,
 * because compiling a validator for every plugin would take too long at a cold start.
 */
export function optionsFor(
  owner: OptionOwner,
  sources: OptionSources,
): { options: Record<string, unknown>; problems: BootProblem[] } {
  if (!FormatRegistry.Has('duration')) FormatRegistry.Set('duration', isLengthOfTime)
  const properties = propertiesOf(owner)
  const problems = unknownKeys(owner.name, Object.keys(sources.given), Object.keys(properties))

  const options: Record<string, unknown> = {}
  const fromFlag = new Set<string>()
  for (const [key, schema] of Object.entries(properties)) {
    const configured = sources.config[key] === undefined ? sources.given[key] : sources.config[key]
    if (sources.flags.has(key)) fromFlag.add(key)
    const value = fromFlag.has(key) ? sources.flags.get(key) : coerceConfigValue(schema, configured)
    if (value !== undefined) options[key] = value
  }
  if (!owner.options) return { options, problems }

  const filled = Value.Default(owner.options, options) as Record<string, unknown>
  const blamed = new Set<string>()
  for (const error of Value.Errors(owner.options, filled)) {
    const [key = '', ...inside] = error.path.split('/').slice(1)
    // TypeBox reports every failed member of a union; the first error of an option is enough.
    if (blamed.has(key)) continue
    blamed.add(key)
    const schema = properties[key]
    const expected = schema ? expectationOf(schema) : error.message
    if (fromFlag.has(key)) {
      const value = String(filled[key])
      problems.push(problem('ORCH_FLAG_VALUE', { flag: `--${flagNameOf(key)}`, value, expected }))
    } else {
      const why =
        filled[key] === undefined ? `it is required, ${expected}` : whyInvalid(schema, inside, error.message, expected)
      problems.push(problem('ORCH_OPTION_INVALID', { plugin: owner.name, path: dotted(key, inside), why }))
    }
  }
  return { options: filled, problems }
}

/** No option is a negative duration. */
const isLengthOfTime = (text: string): boolean => isDuration(text) && !text.startsWith('-')

const whyInvalid = (
  schema: TSchema | undefined,
  inside: readonly string[],
  message: string,
  expected: string,
): string =>
  schema && inside.length === 0 ? `expected ${expected}` : message.charAt(0).toLowerCase() + message.slice(1)

const dotted = (key: string, inside: readonly string[]): string =>
  key + inside.map(part => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`)).join('')

function unknownKeys(plugin: string, given: readonly string[], known: readonly string[]): BootProblem[] {
  return given
    .filter(key => !known.includes(key))
    .map(key => {
      const nearest = nearestName(key, known)
      const why = nearest ? `there is no such option, did you mean ${nearest}` : 'there is no such option'
      return problem('ORCH_OPTION_INVALID', { plugin, path: key, why })
    })
}
