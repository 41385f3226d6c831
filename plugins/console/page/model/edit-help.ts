import { type Path, pathText } from './field-sets.js'
import type { Schema, TypeSchema } from './schemas.js'
import { readYamlText } from './yaml-text.js'

/** Help from the schema while YAML is edited. */

export interface Problem {
  readonly from: number
  readonly to: number
  readonly severity: 'error' | 'warning'
  readonly message: string
}

/** Syntax errors, unknown fields and values of the wrong type. */
export function problemsIn(text: string, schema: TypeSchema | undefined): Problem[] {
  const { places, problems } = readYamlText(text)
  if (problems.length > 0) return problems.map(problem => ({ ...problem, severity: 'error' as const }))
  if (!schema) return []
  return places.flatMap(({ path, from, to, value }): Problem[] => {
    const known = schema.at(path)
    if (!known) {
      const parent = schema.at(path.slice(0, -1))
      // Only the outermost unknown field is reported.
      return parent ? [{ from, to, severity: 'error', message: `${pathText(path)}: unknown field` }] : []
    }
    const why = mismatchOf(known, value)
    return why ? [{ from, to, severity: 'error', message: `${pathText(path)}: ${why}` }] : []
  })
}

/** Why a value does not match its schema. Patterns are left to the server, since they can take very long. */
export function mismatchOf(schema: Schema, value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined
  if (schema.enum && typeof value !== 'object' && !schema.enum.includes(value))
    return `must be one of ${schema.enum.join(', ')}`
  if (schema.format === 'int-or-string' || schema.oneOf) return undefined
  if (schema.type === 'string' && typeof value !== 'string' && !(value instanceof Date)) return 'must be a string'
  if (schema.type === 'integer' && !Number.isInteger(value)) return 'must be an integer'
  if (schema.type === 'number' && typeof value !== 'number') return 'must be a number'
  if (schema.type === 'boolean' && typeof value !== 'boolean') return 'must be true or false'
  return limitOf(schema, value)
}

function limitOf(schema: Schema, value: unknown): string | undefined {
  if (typeof value === 'number') {
    const [least, most] = [Number(schema['minimum'] ?? value), Number(schema['maximum'] ?? value)]
    return value < least ? `must be at least ${least}` : value > most ? `must be at most ${most}` : undefined
  }
  if (typeof value !== 'string') return undefined
  const { length } = [...value]
  const [least, most] = [Number(schema['minLength'] ?? length), Number(schema['maxLength'] ?? length)]
  if (length >= least && length <= most) return undefined
  const count = length < least ? least : most
  return `must have at ${length < least ? 'least' : 'most'} ${count} ${count === 1 ? 'character' : 'characters'}`
}

/** All errors in a value, for fields whose schema the server does not check on writes. */
export function problemsAt(schema: TypeSchema, value: unknown, path: Path): string[] {
  const known = schema.at(path)
  if (!known) return [`${pathText(path)}: unknown field`]
  if (value === null || typeof value !== 'object') {
    const why = mismatchOf(known, value)
    return why ? [`${pathText(path)}: ${why}`] : []
  }
  const missing = (known.required ?? []).filter(name => !Object.hasOwn(value, name))
  return [
    ...missing.map(name => `${pathText([...path, name])}: is required`),
    ...Object.entries(value).flatMap(([name, inner]) =>
      problemsAt(schema, inner, [...path, Array.isArray(value) ? Number(name) : name]),
    ),
  ]
}

/** The path of the field that the line at a position is in, by indentation: the text need not be complete. */
export function pathAt(text: string, position: number): { parent: Path; key: string; isValue: boolean } {
  const before = text.slice(0, position).split('\n')
  const current = before.pop() ?? ''
  const parts = /^(\s*(?:- )*)([\w./-]*)(:\s*)?/.exec(current)
  let indent = parts?.[1]?.length ?? 0
  const parent: (string | number)[] = []
  const dashes = (parts?.[1]?.match(/- /g) ?? []).length
  if (dashes > 0) {
    parent.unshift(0)
    indent -= 2 * dashes
  }
  let isItem = dashes > 0
  for (const line of before.reverse()) {
    const found = /^(\s*)((?:- )*)([\w./-]+):/.exec(line)
    if (!found) continue
    const [, spaces = '', items = '', key = ''] = found
    const at = spaces.length + items.length
    // Items may have the same indentation as the key of their list.
    if (isItem ? spaces.length <= indent && items === '' : at < indent) {
      parent.unshift(key)
      indent = at
      isItem = false
      if (items !== '') {
        parent.unshift(0)
        indent = spaces.length
        isItem = true
      }
    } else if (!isItem && at === indent && items !== '') {
      parent.unshift(0)
      indent = spaces.length
      isItem = true
    }
    if (indent === 0 && !isItem) break
  }
  return { parent, key: parts?.[2] ?? '', isValue: parts?.[3] !== undefined }
}

export function completionsAt(text: string, position: number, schema: TypeSchema | undefined) {
  if (!schema) return []
  const { parent, key, isValue } = pathAt(text, position)
  if (isValue) {
    const field = schema.at([...parent, key])
    const values = field?.enum ?? (field?.type === 'boolean' ? [true, false] : [])
    return values.map(value => ({ label: String(value), type: 'constant' }))
  }
  return Object.entries(schema.at(parent)?.properties ?? {}).map(([name, inner]) => {
    const field = schema.resolve(inner)
    const isNested = field.type === 'object' || field.type === 'array' || field.properties !== undefined
    return {
      label: name,
      type: 'property',
      detail: field.type ?? '',
      apply: isNested ? `${name}:` : `${name}: `,
      ...(field.description ? { info: field.description } : {}),
    }
  })
}

export function describeAt(text: string, position: number, schema: TypeSchema | undefined): string | undefined {
  const end = text.indexOf('\n', position)
  const line = text.slice(0, end < 0 ? text.length : end)
  const { parent, key } = pathAt(line, line.length)
  const field = key === '' ? undefined : schema?.at([...parent, key])
  return field && `${pathText([...parent, key])}  ${field.type ?? ''}\n${field.description ?? ''}`.trim()
}
