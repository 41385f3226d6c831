import { type BinaryReader, MeteringError } from './binary-reader.js'

/** The instructions that metering handles specially. */
export const opcodes = {
  unreachable: 0x00,
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  end: 0x0b,
  call: 0x10,
  localGet: 0x20,
  globalGet: 0x23,
  globalSet: 0x24,
  memoryGrow: 0x40,
  i32Const: 0x41,
  i32LessThan: 0x48,
  i32Subtract: 0x6b,
  i32ShiftRight: 0x76,
  /** A prefix; the number after it selects the instruction. */
  prefix: 0xfc,
  memoryCopy: 0x0a,
  memoryFill: 0x0b,
} as const

type Immediates = (reader: BinaryReader) => void

const none: Immediates = () => undefined
const index: Immediates = reader => reader.u32()
const twoIndexes: Immediates = reader => {
  reader.u32()
  reader.u32()
}
const labels: Immediates = reader => {
  for (let left = reader.count('labels') + 1; left > 0; left--) reader.u32()
}
const blockType: Immediates = reader => {
  const first = reader.bytes[reader.position] ?? 0
  // A block type: a negative one-byte number is a value type, a positive number is a type index.
  if ((first & 0xc0) !== 0x40) return reader.skipSigned(33)
  if (reader.byte() !== 0x40) checkValueType(first)
}
const memoryAccess: Immediates = reader => {
  if (reader.u32() >= 0x20) throw new MeteringError('it uses several memories; only one is supported')
  reader.u32()
}
const onlyMemory: Immediates = reader => {
  if (reader.byte() !== 0) throw new MeteringError('it uses several memories; only one is supported')
}

/** The immediates of each one-byte instruction; instructions not listed are not supported. */
const immediates = new Map<number, Immediates>([
  ...[0x00, 0x01, 0x05, 0x0b, 0x0f, 0x1a, 0x1b].map(code => [code, none] as const),
  ...range(0x02, 0x04).map(code => [code, blockType] as const),
  [0x0c, index],
  [0x0d, index],
  [0x0e, labels],
  [0x10, index],
  [0x11, twoIndexes],
  [
    0x1c,
    reader => {
      for (let left = reader.count('types'); left > 0; left--) checkValueType(reader.byte())
    },
  ],
  ...range(0x20, 0x24).map(code => [code, index] as const),
  ...range(0x28, 0x3e).map(code => [code, memoryAccess] as const),
  [0x3f, onlyMemory],
  [0x40, onlyMemory],
  [0x41, reader => reader.skipSigned(32)],
  [0x42, reader => reader.skipSigned(64)],
  [0x43, reader => reader.skip(4)],
  [0x44, reader => reader.skip(8)],
  ...range(0x45, 0xc4).map(code => [code, none] as const),
])

/**
 * The same for prefixed instructions: saturating conversions, and the bulk memory instructions that only change memory.
 */
const prefixedImmediates = new Map<number, Immediates>([
  ...range(0, 7).map(code => [code, none] as const),
  [
    opcodes.memoryCopy,
    reader => {
      onlyMemory(reader)
      onlyMemory(reader)
    },
  ],
  [opcodes.memoryFill, onlyMemory],
])

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, offset) => first + offset)
}

/** Names of unsupported features, for the error message. */
const unsupported: readonly { from: number; to: number; what: string }[] = [
  { from: 0x06, to: 0x0a, what: 'exceptions' },
  { from: 0x12, to: 0x13, what: 'tail calls' },
  { from: 0x14, to: 0x15, what: 'typed function references' },
  { from: 0x18, to: 0x1f, what: 'exceptions' },
  { from: 0x25, to: 0x26, what: 'changing tables (reference types)' },
  { from: 0xd0, to: 0xd6, what: 'reference types' },
  { from: 0xfb, to: 0xfb, what: 'garbage collection' },
  { from: 0xfd, to: 0xfd, what: 'SIMD' },
  { from: 0xfe, to: 0xfe, what: 'threads' },
]

/** Reads one instruction with its immediates. Returns its opcode; prefixed opcodes start at 0xfc00. */
export function readInstruction(reader: BinaryReader): number {
  const at = reader.position
  const code = reader.byte()
  if (code === opcodes.prefix) return readPrefixed(reader, at)
  const known = immediates.get(code)
  if (!known) throw new MeteringError(`it uses ${nameOf(code)}, which is not supported (byte ${at})`)
  known(reader)
  return code
}

function readPrefixed(reader: BinaryReader, at: number): number {
  const code = reader.u32()
  const known = prefixedImmediates.get(code)
  if (!known) {
    const what = code <= 17 ? 'bulk memory beyond memory.copy and memory.fill' : `the instruction 0xfc ${code}`
    throw new MeteringError(`it uses ${what}, which is not supported (byte ${at})`)
  }
  known(reader)
  return prefixed(code)
}

/** The opcode of a prefixed instruction, as `readInstruction` returns it. */
export const prefixed = (code: number): number => opcodes.prefix * 0x100 + code

const nameOf = (code: number): string =>
  unsupported.find(({ from, to }) => code >= from && code <= to)?.what ?? `the instruction 0x${code.toString(16)}`

/** Value types: integers and floats of 32 and 64 bits. */
export type ValueType = 'i32' | 'i64' | 'f32' | 'f64'
const valueTypes = new Map<number, ValueType>([
  [0x7f, 'i32'],
  [0x7e, 'i64'],
  [0x7d, 'f32'],
  [0x7c, 'f64'],
])
export function checkValueType(code: number): ValueType {
  const known = valueTypes.get(code)
  if (known) return known
  throw new MeteringError(
    code === 0x7b
      ? 'it uses SIMD, which is not supported'
      : 'it uses values that are not numbers, which is not supported',
  )
}
