import { BinaryWriter } from '../binary-writer.js'

const valueTypes = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c, v128: 0x7b, externref: 0x6f }
export type TinyType = keyof typeof valueTypes

export interface TinyFunction {
  readonly takes?: readonly TinyType[]
  readonly gives?: readonly TinyType[]
  readonly locals?: readonly TinyType[]
  /** Instructions, without the final `end`. */
  readonly code: readonly number[]
  /** The name under which it is exported. */
  readonly name?: string
}
/** A module for tests, composed of its parts. */
export interface TinyModule {
  readonly imports?: readonly {
    module: string
    name: string
    takes?: readonly TinyType[]
    gives?: readonly TinyType[]
  }[]
  readonly functions?: readonly TinyFunction[]
  /** The initial and the maximum number of pages; exported as `memory`. */
  readonly memory?: readonly [number, number?]
  readonly table?: number
  /** Mutable globals (i32), by their initial values. */
  readonly globals?: readonly number[]
  /** The index of the start function. */
  readonly start?: number
  /** Text in memory at an address. */
  readonly data?: readonly (readonly [number, string | Uint8Array])[]
}

/** Instructions by their names in the text format. */
export const op = {
  unreachable: [0x00],
  block: [0x02, 0x40],
  loop: [0x03, 0x40],
  end: [0x0b],
  br: (depth: number) => [0x0c, depth],
  brIf: (depth: number) => [0x0d, depth],
  call: (index: number) => [0x10, ...u32(index)],
  drop: [0x1a],
  localGet: (index: number) => [0x20, ...u32(index)],
  localSet: (index: number) => [0x21, ...u32(index)],
  globalGet: (index: number) => [0x23, ...u32(index)],
  globalSet: (index: number) => [0x24, ...u32(index)],
  i32Store: [0x36, 2, 0],
  memorySize: [0x3f, 0],
  memoryGrow: [0x40, 0],
  i32: (value: number) => [0x41, ...signed(BigInt(value))],
  i64: (value: bigint) => [0x42, ...signed(value)],
  i32Add: [0x6a],
  i32Sub: [0x6b],
  memoryCopy: [0xfc, 0x0a, 0, 0],
  memoryFill: [0xfc, 0x0b, 0],
} as const

/** A result of `call`: the address and length of a text. */
export const packed = (address: number, length: number): bigint => (BigInt(address) << 32n) | BigInt(length)

export function tinyModule(module: TinyModule): Uint8Array {
  const { imports = [], functions = [], memory, table, globals = [], start, data = [] } = module
  const writer = new BinaryWriter().raw(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0))
  const section = (id: number, items: readonly (readonly number[])[]) => {
    if (items.length > 0) writer.byte(id).sized(Uint8Array.from([...u32(items.length), ...items.flat()]))
  }
  const typed = [...imports, ...functions]
  section(
    1,
    typed.map(({ takes = [], gives = [] }) => [0x60, ...types(takes), ...types(gives)]),
  )
  section(
    2,
    imports.map(({ module: from, name }, index) => [...text(from), ...text(name), 0, ...u32(index)]),
  )
  section(
    3,
    functions.map((_, index) => u32(imports.length + index)),
  )
  section(4, table === undefined ? [] : [[0x70, 0, ...u32(table)]])
  section(5, memory ? [limits(memory)] : [])
  section(
    6,
    globals.map(value => [0x7f, 1, ...op.i32(value), ...op.end]),
  )
  section(7, [
    ...(memory ? [[...text('memory'), 2, 0]] : []),
    ...functions.flatMap(({ name }, index) => (name ? [[...text(name), 0, ...u32(imports.length + index)]] : [])),
  ])
  if (start !== undefined) writer.byte(8).sized(Uint8Array.from(u32(start)))
  section(
    10,
    functions.map(({ locals = [], code }) => {
      const body = [...u32(locals.length), ...locals.flatMap(type => [1, valueTypes[type]]), ...code, ...op.end]
      return [...u32(body.length), ...body]
    }),
  )
  section(
    11,
    data.map(([address, contents]) => [0, ...op.i32(address), ...op.end, ...text(contents)]),
  )
  return writer.finish()
}

const limits = ([least, most]: readonly [number, number?]): number[] =>
  most === undefined ? [0, ...u32(least)] : [1, ...u32(least), ...u32(most)]
const types = (list: readonly TinyType[]): number[] => [...u32(list.length), ...list.map(type => valueTypes[type])]
const u32 = (value: number): number[] => [...new BinaryWriter(8).u32(value).finish()]
function text(contents: string | Uint8Array): number[] {
  const bytes = typeof contents === 'string' ? new TextEncoder().encode(contents) : contents
  return [...u32(bytes.length), ...bytes]
}
function signed(value: bigint): number[] {
  const bytes: number[] = []
  for (let rest = value; ; rest >>= 7n) {
    const low = Number(rest & 0x7fn)
    const isLast = (rest >> 7n === 0n && low < 0x40) || (rest >> 7n === -1n && low >= 0x40)
    bytes.push(isLast ? low : low | 0x80)
    if (isLast) return bytes
  }
}
