import { isMap, isPair, isScalar, isSeq, LineCounter, type Node, parseDocument, stringify } from 'yaml'
import type { Anything, ApiObject } from './api.js'
import type { Path } from './field-sets.js'

/** Objects as YAML, and the positions of their fields. */

export const toYaml = (value: unknown): string =>
  stringify(value, { lineWidth: 0, aliasDuplicateObjects: false, version: '1.1' })

/** An object without managedFields, which the console shows beside it. */
export function shownObject(object: ApiObject): Anything {
  const { name, namespace, labels, annotations, managedFields: _, ...others } = object.metadata
  const { apiVersion, kind, metadata: __, ...rest } = object
  const first = { name, namespace, labels, annotations }
  const known = Object.entries(first).filter(([, value]) => value !== undefined)
  const sorted = Object.entries(others).sort(([left], [right]) => (left < right ? -1 : 1))
  return { apiVersion, kind, metadata: Object.fromEntries([...known, ...sorted]), ...rest }
}

/** An object without the fields that change with every write, for diffs. */
export function comparableObject(object: ApiObject): Anything {
  const shown = shownObject(object)
  const { resourceVersion: _, generation: __, ...metadata } = shown.metadata
  return { ...shown, metadata }
}

/** Sorts the fields of a value as in another one, so that a diff shows no mere differences in order. */
export function inOrderOf(model: Anything, value: Anything): Anything {
  if (Array.isArray(value)) return value.map((each, at) => inOrderOf(model?.[at], each))
  if (value === null || typeof value !== 'object') return value
  const names = model !== null && typeof model === 'object' ? Object.keys(model) : []
  const known = names.filter(name => Object.hasOwn(value, name))
  const others = Object.keys(value).filter(name => !known.includes(name))
  return Object.fromEntries([...known, ...others].map(name => [name, inOrderOf(model?.[name], value[name])]))
}

export interface FieldPlace {
  readonly path: Path
  /** The first line of the field, from 1. */
  readonly line: number
  readonly from: number
  readonly to: number
  readonly value: unknown
}
export interface ReadYaml {
  readonly object: Anything
  readonly places: readonly FieldPlace[]
  readonly problems: readonly { readonly from: number; readonly to: number; readonly message: string }[]
}

export function readYamlText(text: string): ReadYaml {
  const counter = new LineCounter()
  const document = parseDocument(text, { lineCounter: counter, version: '1.1', uniqueKeys: true })
  const problems = document.errors.map(({ pos, message }) => ({
    from: Math.min(pos[0], text.length),
    to: Math.min(Math.max(pos[1], pos[0]), text.length),
    message: message.split('\n')[0] ?? message,
  }))
  if (problems.length > 0) return { object: undefined, places: [], problems }
  const places: FieldPlace[] = []
  collect(document.contents, [], counter, places)
  return { object: document.toJS({ maxAliasCount: 100 }), places, problems }
}

function collect(node: Node | null, at: Path, counter: LineCounter, places: FieldPlace[]): void {
  if (isMap(node)) {
    for (const item of node.items) {
      if (!isPair(item) || !isScalar(item.key)) continue
      const path = [...at, String(item.key.value)]
      add(path, item.key.range, item.value, counter, places)
      collect(item.value as Node | null, path, counter, places)
    }
  } else if (isSeq(node)) {
    node.items.forEach((item, index) => {
      const path = [...at, index]
      add(path, (item as Node).range, item, counter, places)
      collect(item as Node, path, counter, places)
    })
  }
}

function add(
  path: Path,
  range: readonly number[] | null | undefined,
  value: unknown,
  counter: LineCounter,
  places: FieldPlace[],
): void {
  const [from = 0, to = from] = range ?? []
  places.push({ path, line: counter.linePos(from).line, from, to, value: isScalar(value) ? value.value : value })
}
