import type { ApiObject } from 'orch/sdk'
import type { Painter } from '../../output/painter.js'

const indentStep = 2
/** Long enough to read a list of words in one line. */
const oneLineLength = 100

/** All fields of an object for reading, the metadata people look for first. */
export function describeObject(object: ApiObject, paint: Painter): string {
  const { apiVersion, kind, metadata, ...fields } = object
  const { name, namespace, labels, annotations, managedFields: _, ...moreMetadata } = metadata
  const head: [string, unknown][] = [
    ['Name', name],
    ...(namespace ? [['Namespace', namespace] as [string, unknown]] : []),
    ['Labels', entries(labels)],
    ['Annotations', entries(annotations)],
    ['API Version', apiVersion],
    ['Kind', kind],
    ['Metadata', moreMetadata],
    ...Object.entries(fields).map(named),
  ]
  return linesOf(head, 0, paint).join('\n').concat('\n')
}

const entries = (map: Readonly<Record<string, string>> | undefined) => {
  const lines = Object.entries(map ?? {}).map(([key, value]) => `${key}=${value}`)
  return lines.length === 0 ? '<none>' : lines.join('\n')
}

/** Fields whose keys are data of the person who wrote them, not names of fields. */
const freeMaps = new Set(
  'data stringData binaryData matchLabels nodeSelector limits requests capacity allocatable hard used parameters'.split(
    ' ',
  ),
)
class FreeMap {
  readonly entries: readonly (readonly [string, unknown])[]
  constructor(map: object) {
    this.entries = Object.entries(map)
  }
}
/** A field with its title; a map of free keys is marked as one. */
function named([key, value]: readonly [string, unknown]): [string, unknown] {
  const isFree = freeMaps.has(key) && typeof value === 'object' && value !== null && !Array.isArray(value)
  return [title(key), isFree ? new FreeMap(value) : value]
}

/** `creationTimestamp` reads `Creation Timestamp`; keys that are no field names stay as they are. */
function title(key: string): string {
  if (key === 'uid') return 'UID'
  if (!/^[a-z][A-Za-z0-9]*$/.test(key)) return key
  const words = key.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function linesOf(fields: readonly (readonly [string, unknown])[], indent: number, paint: Painter): string[] {
  const pad = ' '.repeat(indent)
  const isShort = (value: unknown) => typeof value !== 'object' || value === null || isWordList(value)
  const width = Math.max(0, ...fields.filter(([, value]) => isShort(value)).map(([key]) => key.length + 1))
  return fields.flatMap(([key, value]) => {
    const label = `${pad}${paint.key(`${key}:`)}`
    if (!isShort(value)) {
      const inner = nested(value, indent + indentStep, paint)
      return inner.length === 0 ? [] : [label, ...inner]
    }
    const [first = '', ...more] = textOf(value).split('\n')
    const gap = ' '.repeat(width - key.length - 1 + indentStep)
    const below = ' '.repeat(indent + width + indentStep)
    return [`${label}${gap}${first}`.trimEnd(), ...more.map(line => `${below}${line}`.trimEnd())]
  })
}

function nested(value: unknown, indent: number, paint: Painter): string[] {
  if (value instanceof FreeMap) return linesOf(value.entries, indent, paint)
  if (!Array.isArray(value)) return linesOf(Object.entries(value as object).map(named), indent, paint)
  return value.flatMap(item => {
    if (typeof item !== 'object' || item === null) return [`${' '.repeat(indent)}${textOf(item)}`]
    const [first = '', ...more] = nested(item, indent + indentStep, paint)
    return [`${' '.repeat(indent)}- ${first.trimStart()}`, ...more]
  })
}

const isWordList = (value: unknown) =>
  Array.isArray(value) &&
  value.every(item => typeof item !== 'object' && !String(item).includes('\n')) &&
  value.join(', ').length <= oneLineLength
const textOf = (value: unknown): string =>
  Array.isArray(value) ? value.join(', ') : value === null || value === undefined ? '<none>' : String(value)
