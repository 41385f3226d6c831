import type { StructNode, TypeNode } from '../../kernel/schema/type-model.js'

/** One body: an object in which one field is filled with as much as fits. */
export interface PathologicalBody {
  /** `spec.containers[].image`. */
  readonly field: string
  /** What it is filled with, in words. */
  readonly content: string
  /** Made when it is needed: each is as large as a body may be. */
  text(head: object): string
}

/** Almost as much as a body may hold. */
const textLength = 2_900_000
/** Almost as many items as an object may have, and many more. */
const itemCounts = [19_990, 400_000]
/** Structures nest in themselves; deeper fields are those of the structures above again. */
const deepest = 9

/** Difficult input for rules about names, paths, addresses, images, quantities, times and selectors. */
const units = ['a', 'a.', 'a-', 'a/', '1', '-', '.', ':', 'A', '1.', '/', ' ', 'é', 'a=b,', '%41', '[', '\\"', '2001:']

/** Every string, list and map of a type, each filled with pathological content. */
export function* pathologicalBodies(type: StructNode): Generator<PathologicalBody> {
  let turn = 0
  for (const { field, node, wrap } of placesIn(type, '', value => value, new Set(), 0)) {
    const body = (content: string, value: () => string): PathologicalBody => ({
      field,
      content,
      text: head =>
        wrap('\u0000')
          .replace('\u0000', () => value())
          .replace(/^\{/, () => `${JSON.stringify(head).slice(0, -1)},`),
    })
    if (node.is === 'scalar') {
      // Each field gets other units, so that all units are tried on all kinds of fields.
      for (let each = 0; each < 3; each++) {
        const unit = units[turn++ % units.length] ?? ''
        yield body(`text of ${JSON.stringify(unit)}`, () => `"${unit.repeat(textLength / Buffer.byteLength(unit))}"`)
      }
    } else if (node.is === 'list' || node.is === 'map')
      for (const count of itemCounts) {
        const most = Math.min(count, Math.floor(textLength / 14))
        const item = itemOf(node.is === 'list' ? node.item : node.value)
        const keyed = node.is === 'map' ? (at: number) => `"k${at}":${item(at)}` : item
        const [open, close] = node.is === 'map' ? '{}' : '[]'
        yield body(`${most} items`, () => `${open}${Array.from({ length: most }, (_, at) => keyed(at)).join()}${close}`)
      }
  }
}

function itemOf(node: TypeNode): (at: number) => string {
  if (node.is === 'list') return () => '[]'
  if (node.is !== 'scalar') return () => '{}'
  return node.scalar === 'string' ? at => `"v${at}"` : () => '"1"'
}

interface Place {
  readonly field: string
  readonly node: TypeNode
  /** The JSON of an object with this value in the place. */
  wrap(value: string): string
}

function* placesIn(
  node: TypeNode,
  field: string,
  wrap: (value: string) => string,
  within: ReadonlySet<TypeNode>,
  depth: number,
): Generator<Place> {
  if (node.is !== 'struct') yield { field, node, wrap }
  if (depth > deepest) return
  if (node.is === 'list') yield* placesIn(node.item, `${field}[]`, value => wrap(`[${value}]`), within, depth)
  if (node.is === 'map') yield* placesIn(node.value, `${field}{}`, value => wrap(`{"key":${value}}`), within, depth)
  if (node.is !== 'struct' || within.has(node)) return
  for (const { name, node: inner } of node.fields.values())
    yield* placesIn(
      inner,
      field === '' ? name : `${field}.${name}`,
      value => wrap(`{"${name}":${value}}`),
      new Set([...within, node]),
      depth + 1,
    )
}
