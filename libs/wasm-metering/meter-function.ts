import { type BinaryReader, MeteringError } from './binary-reader.js'
import { BinaryWriter } from './binary-writer.js'
import { checkValueType, opcodes, prefixed, readInstruction } from './instructions.js'

/** The indexes of what metering adds to a module. */
export interface Added {
  readonly fuel: number
  /** Replacements for `memory.copy` and `memory.fill` that charge for every byte. */
  readonly copy: number
  readonly fill: number
}
/** How many globals and functions the module itself has; it may not refer to the added ones. */
export interface OwnIndexes {
  readonly globals: number
  readonly functions: number
}

const maxLocals = 50_000
const maxNesting = 10_000
/** The cost of growing memory, which involves the operating system and takes as long as many instructions. */
const growthCost = 1000
/** The base-2 logarithm of the bytes that one unit of fuel moves: eight. */
const bytesPerUnit = 3

/** A sequence of instructions that can only be entered at its start: that of the function, or that of a loop. */
interface Segment {
  readonly head: number
  cost: number
}
interface Replacement {
  readonly from: number
  readonly to: number
  readonly by: Uint8Array
}

/**
 * Instruments the body of a function: every entry of the function and of a loop pays for all instructions up to the
 * next loop. An instruction cannot be repeated in any other way, so everything that runs was paid for.
 */
export function meterFunction(reader: BinaryReader, added: Added, own: OwnIndexes): Uint8Array {
  const start = reader.position
  const locals = readLocals(reader)
  const whole: Segment = { head: reader.position, cost: 1 + locals }
  const segments = [whole]
  const replaced: Replacement[] = []
  // The segment of each open block, innermost last. A loop has its own; other blocks share the enclosing one.
  const open = [whole]
  for (let current = open.at(-1); current; current = open.at(-1)) {
    const at = reader.position
    const code = readInstruction(reader)
    current.cost += code === opcodes.memoryGrow ? growthCost : 1
    if (code === opcodes.block || code === opcodes.if) open.push(current)
    else if (code === opcodes.loop) {
      const loop = { head: reader.position, cost: 1 }
      segments.push(loop)
      open.push(loop)
    } else if (code === opcodes.end) open.pop()
    else if (code === prefixed(opcodes.memoryCopy)) replaced.push(callInstead(at, reader.position, added.copy))
    else if (code === prefixed(opcodes.memoryFill)) replaced.push(callInstead(at, reader.position, added.fill))
    else checkIndex(reader, at, code, own)
    if (open.length > maxNesting) throw new MeteringError(`blocks nest deeper than ${maxNesting} levels (byte ${at})`)
  }
  if (!reader.isAtEnd) throw new MeteringError(`a function continues after its end (byte ${reader.position})`)
  const charges = segments.map(({ head, cost }) => ({ from: head, to: head, by: charge(added.fuel, cost) }))
  return rewrite(reader, start, [...charges, ...replaced])
}

function readLocals(reader: BinaryReader): number {
  let locals = 0
  for (let groups = reader.count('groups of locals'); groups > 0; groups--) {
    locals += reader.u32()
    if (locals > maxLocals) throw new MeteringError(`a function has more than ${maxLocals} locals`)
    checkValueType(reader.byte())
  }
  return locals
}

/** The added globals and functions have indexes, too, which the module must not use. */
function checkIndex(reader: BinaryReader, at: number, code: number, own: OwnIndexes): void {
  const isGlobal = code === opcodes.globalGet || code === opcodes.globalSet
  if (!isGlobal && code !== opcodes.call) return
  const end = reader.position
  reader.position = at + 1
  const index = reader.u32()
  reader.position = end
  const there = isGlobal ? own.globals : own.functions
  if (index >= there) throw new MeteringError(`there is no ${isGlobal ? 'global' : 'function'} ${index} (byte ${at})`)
}

const callInstead = (from: number, to: number, called: number): Replacement => ({
  from,
  to,
  by: new BinaryWriter(8).byte(opcodes.call).u32(called).finish(),
})

function rewrite({ bytes, end }: BinaryReader, start: number, changes: Replacement[]): Uint8Array {
  changes.sort((a, b) => a.from - b.from)
  const writer = new BinaryWriter(end - start + changes.length * 24)
  let copied = start
  for (const { from, to, by } of changes) {
    writer.raw(bytes.subarray(copied, from)).raw(by)
    copied = to
  }
  return writer.raw(bytes.subarray(copied, end)).finish()
}

const emptyBlock = 0x40
/**
 * Subtracts units from the fuel, and traps if there are not enough. Fuel is never low enough for the subtraction to
 * wrap around.
 */
function charge(fuel: number, units: number): Uint8Array {
  const writer = new BinaryWriter(24).byte(opcodes.globalGet).u32(fuel).byte(opcodes.i32Const).s32(units)
  return endCharge(writer, fuel).finish()
}
const endCharge = (writer: BinaryWriter, fuel: number): BinaryWriter =>
  writer
    .byte(opcodes.i32Subtract, opcodes.globalSet)
    .u32(fuel)
    .byte(opcodes.globalGet)
    .u32(fuel)
    .byte(opcodes.i32Const, 0, opcodes.i32LessThan)
    .byte(opcodes.if, emptyBlock, opcodes.unreachable, opcodes.end)

/**
 * The body of a function of three numbers, the last a length, that charges for the length and then executes the
 * instruction.
 */
export function chargedBulk(fuel: number, code: number): Uint8Array {
  const noLocals = 0
  const writer = new BinaryWriter(48).byte(noLocals, opcodes.globalGet).u32(fuel)
  writer.byte(opcodes.localGet, 2, opcodes.i32Const, bytesPerUnit, opcodes.i32ShiftRight)
  endCharge(writer, fuel).byte(opcodes.localGet, 0, opcodes.localGet, 1, opcodes.localGet, 2, opcodes.prefix, code)
  return writer.byte(...(code === opcodes.memoryCopy ? [0, 0] : [0]), opcodes.end).finish()
}
