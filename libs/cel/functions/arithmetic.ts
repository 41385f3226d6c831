import { addLists } from '../run/add-lists.js'
import { Duration, maxInt, maxUint, minInt, Timestamp, Uint } from '../run/values.js'
import { Failure, type Work } from '../run/work.js'
import { func, type Library } from './overload.js'
import { maxTimestamp, minTimestamp } from './time.js'

const int = (value: bigint): bigint => {
  if (value < minInt || value > maxInt) throw new Failure('integer overflow')
  return value
}
const uint = (value: bigint): Uint => {
  if (value < 0n || value > maxUint) throw new Failure('unsigned integer overflow')
  return new Uint(value)
}
const duration = (nanoseconds: bigint): Duration => {
  if (nanoseconds < minInt || nanoseconds > maxInt) throw new Failure('integer overflow')
  return new Duration(nanoseconds)
}
const timestamp = (nanoseconds: bigint): Timestamp => {
  if (nanoseconds < minTimestamp || nanoseconds > maxTimestamp) throw new Failure('timestamp overflow')
  return new Timestamp(nanoseconds)
}
const ints = (compute: (one: bigint, other: bigint) => bigint) => (_: Work, one: bigint, other: bigint) =>
  int(compute(one, other))
const uints = (compute: (one: bigint, other: bigint) => bigint) => (_: Work, one: Uint, other: Uint) =>
  uint(compute(one.value, other.value))
const doubles = (compute: (one: number, other: number) => number) => (_: Work, one: number, other: number) =>
  compute(one, other)
const nonZero = (value: bigint, message: string): bigint => {
  if (value === 0n) throw new Failure(message)
  return value
}
const divide = (one: bigint, other: bigint) => one / nonZero(other, 'division by zero')
const modulo = (one: bigint, other: bigint) => one % nonZero(other, 'modulus by zero')
type Instant = { readonly nanoseconds: bigint }
/** Strings grow by concatenation; V8 copies them when they are read. */
const charactersPerStep = 8

export const arithmetic: Library = {
  name: 'arithmetic',
  since: 0,
  functions: {
    '-_': {
      negate_int64: func('int:int', (_, value: bigint) => int(-value)),
      negate_double: func('double:double', (_, value: number) => -value),
    },
    '_+_': {
      add_int64: func(
        'int,int:int',
        ints((one, other) => one + other),
      ),
      add_uint64: func(
        'uint,uint:uint',
        uints((one, other) => one + other),
      ),
      add_double: func(
        'double,double:double',
        doubles((one, other) => one + other),
      ),
      add_string: func('string,string:string', (work, one: string, other: string) => {
        work.steps((one.length + other.length) / charactersPerStep)
        return one + other
      }),
      add_bytes: func('bytes,bytes:bytes', (work, one: Uint8Array, other: Uint8Array) => {
        work.steps((one.length + other.length) / charactersPerStep)
        return new Uint8Array(Buffer.concat([one, other]))
      }),
      add_list: func('list(A),list(A):list(A)', addLists),
      add_timestamp_duration: func('timestamp,duration:timestamp', (_, one: Instant, other: Instant) =>
        timestamp(one.nanoseconds + other.nanoseconds),
      ),
      add_duration_timestamp: func('duration,timestamp:timestamp', (_, one: Instant, other: Instant) =>
        timestamp(one.nanoseconds + other.nanoseconds),
      ),
      add_duration_duration: func('duration,duration:duration', (_, one: Instant, other: Instant) =>
        duration(one.nanoseconds + other.nanoseconds),
      ),
    },
    '_-_': {
      subtract_int64: func(
        'int,int:int',
        ints((one, other) => one - other),
      ),
      subtract_uint64: func(
        'uint,uint:uint',
        uints((one, other) => one - other),
      ),
      subtract_double: func(
        'double,double:double',
        doubles((one, other) => one - other),
      ),
      subtract_timestamp_timestamp: func('timestamp,timestamp:duration', (_, one: Instant, other: Instant) =>
        duration(one.nanoseconds - other.nanoseconds),
      ),
      subtract_timestamp_duration: func('timestamp,duration:timestamp', (_, one: Instant, other: Instant) =>
        timestamp(one.nanoseconds - other.nanoseconds),
      ),
      subtract_duration_duration: func('duration,duration:duration', (_, one: Instant, other: Instant) =>
        duration(one.nanoseconds - other.nanoseconds),
      ),
    },
    '_*_': {
      multiply_int64: func(
        'int,int:int',
        ints((one, other) => one * other),
      ),
      multiply_uint64: func(
        'uint,uint:uint',
        uints((one, other) => one * other),
      ),
      multiply_double: func(
        'double,double:double',
        doubles((one, other) => one * other),
      ),
    },
    '_/_': {
      divide_int64: func('int,int:int', ints(divide)),
      divide_uint64: func('uint,uint:uint', uints(divide)),
      divide_double: func(
        'double,double:double',
        doubles((one, other) => one / other),
      ),
    },
    '_%_': {
      modulo_int64: func('int,int:int', ints(modulo)),
      modulo_uint64: func('uint,uint:uint', uints(modulo)),
    },
  },
}
