import { ownValue } from 'orch/sdk'
import { apiVersionOf, type KindInfo } from 'orch/sdk/client'
import type { Painter } from '../../output/painter.js'
import { wrapText } from '../../output/wrap-text.js'
import { UsageError } from '../../usage-error.js'
import type { Schema, Schemas } from './find-schema.js'

const textWidth = 76
/** Maximum depth, since types may be recursive. */
const maxDepth = 10

/** The text of `explain` for a kind or a field of it. */
export function describeField(
  kind: KindInfo,
  { root, all }: Schemas,
  path: readonly string[],
  recursive: boolean,
  paint: Painter,
): string {
  let place: Schema = root
  for (const [depth, name] of path.entries()) {
    const fields = objectAt(place, all).properties ?? {}
    const next = ownValue(fields, name)
    if (!next) {
      const parent = [kind.singular, ...path.slice(0, depth)].join('.')
      const known = Object.keys(fields).sort().join(', ')
      throw new UsageError(`${parent} has no field "${name}"${known === '' ? '' : `; it has ${known}`}`)
    }
    place = next
  }
  const target = objectAt(place, all)
  const fields = Object.entries(target.properties ?? {}).sort(([left], [right]) => (left < right ? -1 : 1))
  const field = path.at(-1)
  const description = place.description ?? resolved(place, all).description ?? target.description ?? '<none>'
  return [
    `${paint.bold('KIND:')}     ${kind.kind}`,
    `${paint.bold('VERSION:')}  ${apiVersionOf(kind)}`,
    ...(field === undefined ? [] : ['', `${paint.bold('FIELD:')}    ${field} <${typeText(place, all)}>`]),
    '',
    paint.bold('DESCRIPTION:'),
    ...wrapped(description, 5),
    ...limits(place, all).map((line, index) => `${index === 0 ? '\n' : ''}     ${line}`),
    ...(fields.length === 0 ? [] : ['', paint.bold('FIELDS:')]),
    ...fieldLines(target, all, recursive, 3, paint),
    '',
  ].join('\n')
}

function fieldLines(schema: Schema, all: Schemas['all'], recursive: boolean, indent: number, paint: Painter): string[] {
  const pad = ' '.repeat(indent)
  return Object.entries(schema.properties ?? {})
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([name, field]) => {
      const required = schema.required?.includes(name) ? ` ${paint.doubtful('-required-')}` : ''
      const line = `${pad}${paint.key(name)}\t<${typeText(field, all)}>${required}`
      if (recursive) {
        const isTooDeep = indent > 3 * maxDepth
        return [line, ...(isTooDeep ? [] : fieldLines(objectAt(field, all), all, true, indent + 3, paint))]
      }
      const description = field.description ?? resolved(field, all).description ?? ''
      const details = [...(description === '' ? [] : [description]), ...limits(field, all)]
      return [line, ...details.flatMap(text => wrapped(text, indent + 2)), '']
    })
}

/** The constraints and the default of a value; for a list or map, those of its items. */
function limits(schema: Schema, all: Schemas['all']): string[] {
  const own = { ...resolved(schema, all), ...schema }
  const items = own.items ?? (typeof own.additionalProperties === 'object' ? own.additionalProperties : undefined)
  const counts = bounds(own.minItems ?? own.minProperties, own.maxItems ?? own.maxProperties, ' items')
  return [
    ...(own.enum && own.enum.length > 0 ? [`One of: ${own.enum.map(value => JSON.stringify(value)).join(', ')}`] : []),
    ...(own.default === undefined ? [] : [`Default: ${JSON.stringify(own.default)}`]),
    ...bounds(own.minimum, own.maximum),
    ...bounds(own.minLength, own.maxLength, ' characters'),
    ...(own.pattern === undefined ? [] : [`Pattern: ${own.pattern}`]),
    ...counts,
    ...(items && !resolved(items, all).properties ? limits(items, all).map(line => `Each: ${line}`) : []),
  ]
}
const bounds = (least: number | undefined, most: number | undefined, unit = ''): string[] => {
  const parts = [
    ...(least === undefined ? [] : [`at least ${least}`]),
    ...(most === undefined ? [] : [`at most ${most}`]),
  ]
  return parts.length === 0 ? [] : [`Limits: ${parts.join(', ')}${unit}`]
}

/** Follows references. */
function resolved(schema: Schema, all: Schemas['all']): Schema {
  const target = schema.$ref ?? (schema.allOf?.length === 1 ? schema.allOf[0]?.$ref : undefined)
  if (target === undefined) return schema
  return all[target.split('/').at(-1) ?? ''] ?? schema
}
/** The schema of the object inside references, lists and maps. */
function objectAt(schema: Schema, all: Schemas['all']): Schema {
  const own = resolved(schema, all)
  if (own.items) return objectAt(own.items, all)
  return typeof own.additionalProperties === 'object' ? objectAt(own.additionalProperties, all) : own
}
function typeText(schema: Schema, all: Schemas['all']): string {
  const own = resolved(schema, all)
  if (own.items) return `[]${typeText(own.items, all)}`
  if (typeof own.additionalProperties === 'object') return `map[string]${typeText(own.additionalProperties, all)}`
  return own.properties ? 'Object' : (own.type ?? 'Object')
}

const wrapped = (text: string, indent: number): string[] =>
  wrapText(text, textWidth - indent).map(line => (' '.repeat(indent) + line).trimEnd())
