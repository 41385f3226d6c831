import { ArrayList, CelList, CelMap, Duration, Optional, Timestamp, Uint } from '../run/values.js'
import { Failure, type Work } from '../run/work.js'
import { func, type Library, method } from './overload.js'

function contentOf(_: Work, { some }: Optional): unknown {
  if (!some) throw new Failure('optional.none() dereference')
  return some.value
}
const itemAt = (list: CelList, index: number): Optional =>
  list.size === 0 ? Optional.none : Optional.of(list.get(index))

/** The values of all optionals in a list that have one. */
function unwrapAll(work: Work, list: CelList): CelList {
  work.steps(2 * list.size)
  const values: unknown[] = []
  for (const item of list) {
    if (!(item instanceof Optional)) throw new Failure('value is not optional')
    if (item.some) values.push(item.some.value)
  }
  return new ArrayList(values)
}

function isZero(value: unknown): boolean {
  if (value instanceof CelList || value instanceof CelMap) return value.size === 0
  if (value instanceof Uint) return value.value === 0n
  if (value instanceof Uint8Array) return value.length === 0
  if (value instanceof Duration || value instanceof Timestamp) return value.nanoseconds === 0n
  return value === null || value === '' || value === 0 || value === 0n || value === false
}

/** Optional values, and selections that yield them: `a.?b`, `a[?b]`. */
export const optionals: Library = {
  name: 'optional',
  since: 28,
  functions: {
    '_?._': { select_optional_field: func('dyn,string:optional(V)') },
    '_[?_]': {
      list_optindex_optional_int: func('list(V),int:optional(V)'),
      optional_list_optindex_optional_int: func('optional(list(V)),int:optional(V)'),
      map_optindex_optional_value: func('map(K,V),K:optional(V)'),
      optional_map_optindex_optional_value: func('optional(map(K,V)),K:optional(V)'),
    },
    '_[_]': {
      optional_list_index_int: func('optional(list(V)),int:optional(V)'),
      optional_map_index_value: func('optional(map(K,V)),K:optional(V)'),
    },
    'optional.of': { optional_of: func('V:optional(V)', (_, value) => Optional.of(value)) },
    'optional.ofNonZeroValue': {
      optional_ofNonZeroValue: func('V:optional(V)', (_, value) =>
        isZero(value) ? Optional.none : Optional.of(value),
      ),
    },
    'optional.none': { optional_none: func(':optional(V)', () => Optional.none) },
    value: {
      optional_value: method('optional(V):V', contentOf),
    },
    hasValue: {
      optional_hasValue: method('optional(V):bool', (_, { some }: Optional) => some !== undefined),
    },
    or: { optional_or_optional: method('optional(V),optional(V):optional(V)') },
    orValue: { optional_orValue_value: method('optional(V),V:V') },
  },
}

/** Added in a later version of the library. */
export const optionalItems: Library = {
  name: 'optional items',
  since: 31,
  functions: {
    first: {
      list_first: method('list(V):optional(V)', (_, list: CelList) => itemAt(list, 0)),
    },
    last: {
      list_last: method('list(V):optional(V)', (_, list: CelList) => itemAt(list, list.size - 1)),
    },
    'optional.unwrap': { optional_unwrap: func('list(optional(V)):list(V)', unwrapAll) },
    unwrapOpt: { optional_unwrapOpt: method('list(optional(V)):list(V)', unwrapAll) },
  },
}
