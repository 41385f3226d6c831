import {
  type CelList,
  type CelMap,
  Duration,
  maxInt,
  maxUint,
  minInt,
  Timestamp,
  TypeValue,
  typeNameOfValue,
  Uint,
} from '../run/values.js'
import { Failure, type Work } from '../run/work.js'
import { func, type Library, method } from './overload.js'
import { durationText, maxTimestamp, minTimestamp, parseDuration, parseTimestamp, timestampText } from './time.js'

const cannotConvert = (source: string, target: string) => `type conversion error from '${source}' to '${target}'`

/** A longer number is out of range, or not a number. */
const maxIntegerLength = 40
/** Converting a string reads it once. */
const readText = (work: Work, text: string) => work.steps(text.length / 8)

const integerOf = (work: Work, text: string, pattern: RegExp, min: bigint, max: bigint, type: string): bigint => {
  readText(work, text)
  const value = text.length <= maxIntegerLength && pattern.test(text) ? BigInt(text.replace(/^\+/, '')) : undefined
  if (value === undefined || value < min || value > max) throw new Failure(cannotConvert('string', type))
  return value
}
const integerInRange = (value: number, min: bigint, max: bigint, type: string): bigint => {
  if (!Number.isFinite(value)) throw new Failure(`${type} out of range`)
  const whole = BigInt(Math.trunc(value))
  if (whole < min || whole > max) throw new Failure(`range error converting ${value} to ${type}`)
  return whole
}

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/
const special: Readonly<Record<string, number>> = {
  inf: Number.POSITIVE_INFINITY,
  infinity: Number.POSITIVE_INFINITY,
  nan: Number.NaN,
}
function doubleOf(work: Work, text: string): number {
  // Excess digits are rounded, which takes longer than reading them.
  work.steps(text.length)
  if (decimal.test(text)) {
    const value = Number(text)
    if (Number.isFinite(value)) return value
  } else {
    const named = text.length < 12 ? special[text.replace(/^[+-]/, '').toLowerCase()] : undefined
    if (named !== undefined) return text.startsWith('-') ? -named : named
  }
  throw new Failure(cannotConvert('string', 'double'))
}

/** The shortest text of a double, in the notation of C. */
export function doubleText(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  if (value === 0) return Object.is(value, -0) ? '-0' : '0'
  const [digits = '', exponent = ''] = value.toExponential().split('e')
  const power = Number(exponent)
  // C changes to exponents at six digits.
  if (power < -4 || power >= 6) return exponential(digits, power)
  return power < 0 ? value.toFixed(digits.replace(/^-?\d\.?/, '').length - power) : String(value)
}
const exponential = (digits: string, power: number): string =>
  `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A value converted by `string()`. */
export function textOf(work: Work, value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value
    case 'bigint':
    case 'boolean':
      return String(value)
    case 'number':
      work.steps(10)
      return doubleText(value)
  }
  work.steps(20)
  if (value instanceof Uint) return String(value.value)
  if (value instanceof Timestamp) return timestampText(value)
  if (value instanceof Duration) return durationText(value)
  if (value instanceof TypeValue) return value.name
  if (value instanceof Uint8Array) {
    work.steps(value.length / 4)
    try {
      return utf8.decode(value)
    } catch {
      throw new Failure('invalid UTF-8 in bytes, cannot convert to string')
    }
  }
  throw new Failure(cannotConvert(typeNameOfValue(value), 'string'))
}

const booleans: Readonly<Record<string, boolean>> = {
  ...Object.fromEntries(['1', 't', 'T', 'TRUE', 'true', 'True'].map(text => [text, true])),
  ...Object.fromEntries(['0', 'f', 'F', 'FALSE', 'false', 'False'].map(text => [text, false])),
}
const same = (_: Work, value: unknown) => value

/** The number of characters of a string. */
export function countCharacters(work: Work, text: string): number {
  work.steps(text.length / 8)
  if (!/[\ud800-\udfff]/.test(text)) return text.length
  let count = 0
  for (const _ of text) count++
  work.steps(text.length)
  return count
}
const sizes = {
  string: (work: Work, text: string) => BigInt(countCharacters(work, text)),
  bytes: (_: Work, bytes: Uint8Array) => BigInt(bytes.length),
  sized: (work: Work, value: CelList | CelMap) => {
    work.steps(2)
    return BigInt(value.size)
  },
}
const minSeconds = minTimestamp / 1_000_000_000n
const maxSeconds = maxTimestamp / 1_000_000_000n

export const conversions: Library = {
  name: 'conversions',
  since: 0,
  functions: {
    size: {
      size_string: func('string:int', sizes.string),
      string_size: method('string:int', sizes.string),
      size_bytes: func('bytes:int', sizes.bytes),
      bytes_size: method('bytes:int', sizes.bytes),
      size_list: func('list(A):int', sizes.sized),
      list_size: method('list(A):int', sizes.sized),
      size_map: func('map(A,B):int', sizes.sized),
      map_size: method('map(A,B):int', sizes.sized),
    },
    type: { type: func('A:type(A)', (_, value) => new TypeValue(typeNameOfValue(value))) },
    dyn: { to_dyn: func('A:dyn', same) },
    int: {
      int64_to_int64: func('int:int', same),
      uint64_to_int64: func('uint:int', (_, { value }: Uint) => {
        if (value > maxInt) throw new Failure('range error converting uint to int')
        return value
      }),
      double_to_int64: func('double:int', (_, value: number) => integerInRange(value, minInt, maxInt, 'int')),
      string_to_int64: func('string:int', (work, text: string) =>
        integerOf(work, text, /^[+-]?\d+$/, minInt, maxInt, 'int'),
      ),
      timestamp_to_int64: func('timestamp:int', (_, { nanoseconds }: Timestamp) => {
        const seconds = nanoseconds / 1_000_000_000n
        return nanoseconds % 1_000_000_000n < 0n ? seconds - 1n : seconds
      }),
      duration_to_int64: func('duration:int', (_, { nanoseconds }: Duration) => nanoseconds),
    },
    uint: {
      uint64_to_uint64: func('uint:uint', same),
      int64_to_uint64: func('int:uint', (_, value: bigint) => {
        if (value < 0n) throw new Failure('range error converting int to uint')
        return new Uint(value)
      }),
      double_to_uint64: func('double:uint', (_, value: number) => new Uint(integerInRange(value, 0n, maxUint, 'uint'))),
      string_to_uint64: func(
        'string:uint',
        (work, text: string) => new Uint(integerOf(work, text, /^\d+$/, 0n, maxUint, 'uint')),
      ),
    },
    double: {
      double_to_double: func('double:double', same),
      int64_to_double: func('int:double', (_, value: bigint) => Number(value)),
      uint64_to_double: func('uint:double', (_, { value }: Uint) => Number(value)),
      string_to_double: func('string:double', doubleOf),
    },
    bool: {
      bool_to_bool: func('bool:bool', same),
      string_to_bool: func('string:bool', (_, text: string) => {
        const value = text.length < 6 && Object.hasOwn(booleans, text) ? booleans[text] : undefined
        if (value === undefined) throw new Failure(cannotConvert('string', 'bool'))
        return value
      }),
    },
    string: {
      string_to_string: func('string:string', same),
      bool_to_string: func('bool:string', textOf),
      int64_to_string: func('int:string', textOf),
      uint64_to_string: func('uint:string', textOf),
      double_to_string: func('double:string', textOf),
      bytes_to_string: func('bytes:string', textOf),
      timestamp_to_string: func('timestamp:string', textOf),
      duration_to_string: func('duration:string', textOf),
    },
    bytes: {
      bytes_to_bytes: func('bytes:bytes', same),
      string_to_bytes: func('string:bytes', (work, text: string) => {
        work.steps(text.length / 4)
        return new Uint8Array(Buffer.from(text))
      }),
    },
    timestamp: {
      timestamp_to_timestamp: func('timestamp:timestamp', same),
      string_to_timestamp: func('string:timestamp', (work, text: string) => {
        work.steps(100)
        const parsed = parseTimestamp(text)
        if (!parsed) throw new Failure(cannotConvert('string', 'google.protobuf.Timestamp'))
        return parsed
      }),
      int64_to_timestamp: func('int:timestamp', (_, seconds: bigint) => {
        if (seconds < minSeconds || seconds > maxSeconds) throw new Failure('timestamp overflow')
        return new Timestamp(seconds * 1_000_000_000n)
      }),
    },
    duration: {
      duration_to_duration: func('duration:duration', same),
      string_to_duration: func('string:duration', (work, text: string) => {
        work.steps(100 + Math.min(text.length, 1000))
        const parsed = parseDuration(text)
        if (!parsed) throw new Failure(cannotConvert('string', 'google.protobuf.Duration'))
        return parsed
      }),
      int64_to_duration: func('int:duration', (_, nanoseconds: bigint) => new Duration(nanoseconds)),
    },
  },
}
