import type { TSchema } from 'orch/sdk'
import { type BootProblem, problem } from '../contracts/boot-errors.js'

/** How the text of a flag is parsed. */
export type OptionKind = 'boolean' | 'number' | 'list' | 'map' | 'text'

/** One option of a plugin: a config key and the corresponding flag. */
export interface OptionDeclaration {
  readonly plugin: string
  /** `tokenAuthFile`, the key in the config. */
  readonly key: string
  /** `token-auth-file`, without the dashes in front. */
  readonly flag: string
  readonly schema: TSchema
}

/** Anything that has options: a plugin, or the kernel itself. */
export interface OptionOwner {
  readonly name: string
  readonly options?: TSchema
}

/** `tokenAuthFile` is `token-auth-file`. */
export const flagNameOf = (key: string): string => key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

export const propertiesOf = (owner: OptionOwner): Readonly<Record<string, TSchema>> =>
  (owner.options?.['properties'] as Record<string, TSchema> | undefined) ?? {}

/** The options of all owners, and a problem for each duplicate. */
export function declareOptions(owners: readonly OptionOwner[]): {
  declarations: ReadonlyMap<string, OptionDeclaration>
  problems: BootProblem[]
} {
  const declarations = new Map<string, OptionDeclaration>()
  const problems: BootProblem[] = []
  for (const owner of owners) {
    for (const [key, schema] of Object.entries(propertiesOf(owner))) {
      const first = declarations.get(key)
      if (first) problems.push(problem('ORCH_OPTION_DUPLICATE', { plugin: owner.name, first: first.plugin, name: key }))
      else declarations.set(key, { plugin: owner.name, key, flag: flagNameOf(key), schema })
    }
  }
  return { declarations, problems }
}

export function optionKindOf(schema: TSchema): OptionKind {
  switch (schema['type']) {
    case 'boolean':
      return 'boolean'
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return 'list'
    case 'object':
      return 'map'
    default:
      return 'text'
  }
}

/** The values of a union of literals; undefined for any other schema. */
export function choicesOf(schema: TSchema): readonly unknown[] | undefined {
  if (schema['const'] !== undefined) return [schema['const']]
  const members = schema['anyOf'] as readonly TSchema[] | undefined
  return members?.every(member => member['const'] !== undefined) ? members.map(member => member['const']) : undefined
}

/** The members of a union that is more than a choice of literals, such as `integer or auto`. */
export const alternativesOf = (schema: TSchema): readonly TSchema[] | undefined =>
  choicesOf(schema) ? undefined : (schema['anyOf'] as readonly TSchema[] | undefined)

/** Describes the allowed values of an option: `an integer of at least 1`, `one of v1, v1beta1`. */
export function expectationOf(schema: TSchema): string {
  const choices = choicesOf(schema)
  if (choices) return choices.length === 1 ? String(choices[0]) : `one of ${choices.join(', ')}`
  const alternatives = alternativesOf(schema)
  if (alternatives) return alternatives.map(expectationOf).join(' or ')
  if (schema['format'] === 'duration') return 'a duration such as 30s or 5m'
  switch (optionKindOf(schema)) {
    case 'boolean':
      return 'true or false'
    case 'number':
      return (schema['type'] === 'integer' ? 'an integer' : 'a number') + rangeOf(schema)
    case 'list':
      return `a comma-separated list, each ${expectationOf(schema['items'] as TSchema)}`
    case 'map':
      return 'comma-separated key=value pairs'
    case 'text':
      if (schema['pattern']) return `text that matches ${schema['pattern']}`
      return schema['minLength'] ? 'text that is not empty' : 'text'
  }
}

function rangeOf({ minimum, maximum }: TSchema): string {
  if (minimum !== undefined && maximum !== undefined) return ` between ${minimum} and ${maximum}`
  if (minimum !== undefined) return ` of at least ${minimum}`
  return maximum !== undefined ? ` of at most ${maximum}` : ''
}
