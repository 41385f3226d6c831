import { type ApiObject, isRecord } from 'orch/sdk'
import type { Painter } from '../../output/painter.js'

const indentStep = 2
/** The maximum length of a list that is shown in one line. */
const oneLineLength = 100

/** Formats all fields of an object, the most important metadata first. */
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

/** Fields whose keys are data, not names of fields. */
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
/** A field with its title. A map with free keys is marked as such. */
function named([key, value]: readonly [string, unknown]): [string, unknown] {
  const isFree = freeMaps.has(key) && isRecord(value)
  return [title(key), isFree ? new FreeMap(value) : value]
}

/** Words that are written in capitals. */
const acronyms = new Set(
  'api ca cidr cpu csi dns gid http https id ip ipc nfs os pid tcp tls ttl udp uid uri url'.split(' '),
)
/** In this order: `IPs`, `IP` (before `Family` or at the end), `cluster` or `Cluster`. */
const wordsInKey = /[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+/g

/** `creationTimestamp` becomes `Creation Timestamp`, `clusterIPs` `Cluster IPs`; keys that are not field names stay as they are. */
export function title(key: string): string {
  if (!/^[a-z][A-Za-z0-9]*$/.test(key)) return key
  const words = key.match(wordsInKey) ?? [key]
  return words
    .map(word => (acronyms.has(word) ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1)))
    .join(' ')
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
