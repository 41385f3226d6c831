import {
  type CelFunc,
  type CelList,
  CelScalar,
  celFunc,
  celList,
  celMethod,
  isCelList,
  isCelMap,
  listType,
  mapType,
} from '@bufbuild/cel'
import { contentOf, LazyMap, opaque } from './open-values.js'
import { optionalIndex, optionalSelect } from './optional-syntax.js'

const { DYN, BOOL } = CelScalar
const Map_ = mapType(DYN, DYN)
const List = listType(DYN)

/** A value that may be missing. */
class Optional {
  readonly some: { readonly value: unknown } | undefined
  constructor(some?: { readonly value: unknown }) {
    this.some = some
  }
}

/** Selecting a field of an optional value yields an optional value. */
class Chain extends LazyMap {
  readonly #some: { readonly value: unknown } | undefined
  constructor(some: { readonly value: unknown } | undefined) {
    super()
    this.#some = some
  }
  override get size(): number {
    return this.#some ? 1 : 0
  }
  get(key: unknown): unknown {
    return this.#some ? select(this.#some.value, key) : none
  }
  keys(): MapIterator<string> {
    return [].values()
  }
}
const make = (some?: { readonly value: unknown }) => opaque(new Optional(some), new Chain(some))
const none = make()
const of = (value: unknown) => make({ value })

/** Optional values for functions that may have no result. */
export { none as optionalNone, of as optionalOf }

function select(target: unknown, key: unknown): unknown {
  const optional = contentOf(target, Optional)
  if (optional) return optional.some ? select(optional.some.value, key) : none
  const found = isCelMap(target)
    ? target.get(key as string)
    : isCelList(target) && typeof key === 'bigint'
      ? target.get(Number(key))
      : undefined
  return found === undefined ? none : of(found)
}

function asOptional(value: unknown, name: string): Optional {
  const optional = contentOf(value, Optional)
  if (!optional) throw new Error(`${name} needs an optional value`)
  return optional
}

export const isOptional = (value: unknown): boolean => contentOf(value, Optional) !== undefined
/** The value of an optional entry of a list or map; undefined when there is none. */
export const entryValue = (entry: unknown): unknown => asOptional(entry, 'an optional entry').some?.value

/** The values of all non-empty optionals in a list. */
const valuesIn = (list: CelList): never[] =>
  [...list].flatMap(item => {
    const { some } = asOptional(item, 'unwrap')
    return some ? [some.value as never] : []
  })

function isZero(value: unknown): boolean {
  if (isCelList(value) || isCelMap(value)) return value.size === 0
  return value === null || value === '' || value === 0 || value === 0n || value === false
}

const method = (name: string, args: (typeof DYN)[], run: (optional: Optional, ...args: unknown[]) => unknown) =>
  celMethod(name, Map_, args, DYN, function (this: unknown, ...given: unknown[]) {
    return run(asOptional(this, name), ...given) as never
  })

/** Optional values: `object.?spec.?replicas.orValue(1)`. */
export const optionalFunctions: CelFunc[] = [
  celFunc('optional.none', [], DYN, () => none as never),
  celFunc('optional.of', [DYN], DYN, value => of(value) as never),
  celFunc('optional.ofNonZeroValue', [DYN], DYN, value => (isZero(value) ? none : of(value)) as never),
  celMethod('hasValue', Map_, [], BOOL, function (this: unknown) {
    return asOptional(this, 'hasValue').some !== undefined
  }),
  method('value', [], ({ some }) => {
    if (!some) throw new Error('optional.none() dereference')
    return some.value
  }),
  method('orValue', [DYN], ({ some }, other) => (some ? some.value : other)),
  method('or', [DYN], ({ some }, other) => (some ? of(some.value) : other)),
  celFunc('optional.unwrap', [List], List, list => celList(valuesIn(list)) as never),
  celMethod('unwrapOpt', List, [], List, function (this: CelList) {
    return celList(valuesIn(this)) as never
  }),
  celMethod('first', List, [], DYN, function (this: CelList) {
    return (this.size === 0 ? none : of(this.get(0))) as never
  }),
  celMethod('last', List, [], DYN, function (this: CelList) {
    return (this.size === 0 ? none : of(this.get(this.size - 1))) as never
  }),
  celFunc(optionalSelect, [DYN, DYN], DYN, (target, key) => select(target, key) as never),
  celFunc(optionalIndex, [DYN, DYN], DYN, (target, key) => select(target, key) as never),
  celMethod(optionalSelect, DYN, [DYN], DYN, function (this: unknown, key: unknown) {
    return select(this, key) as never
  }),
  celMethod(optionalIndex, DYN, [DYN], DYN, function (this: unknown, key: unknown) {
    return select(this, key) as never
  }),
]
