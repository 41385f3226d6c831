import { BinaryReader, MeteringError } from './binary-reader.js'
import { BinaryWriter } from './binary-writer.js'
import { opcodes } from './instructions.js'
import { type Added, chargedBulk, meterFunction } from './meter-function.js'
import {
  type FunctionType,
  type GlobalType,
  type ModuleExport,
  type ModuleImport,
  readExports,
  readGlobals,
  readImports,
  readMemory,
  readTables,
  readTypes,
} from './read-sections.js'

/** The limits of a module. */
export interface MeteringLimits {
  readonly moduleBytes: number
  /** Pages of 64 KiB. */
  readonly memoryPages: number
  readonly tableEntries: number
  /** The fuel available during instantiation, when the start function runs. */
  readonly startFuel: number
}

/** A module that stops when its fuel is used up, with what its host needs to know about it. */
export interface MeteredModule {
  readonly bytes: Uint8Array
  readonly imports: readonly ModuleImport[]
  readonly exports: readonly ModuleExport[]
  /** The names under which its mutable globals are exported: together with the memory they are its entire state. */
  readonly stateExports: readonly string[]
}

/** The name of the exported global (i32) that holds the fuel. It is negative after the fuel ran out. */
export const fuelExport = 'metering:fuel'
const stateExport = (index: number): string => `metering:global:${index}`
const maxStateGlobals = 1000

const ids = { custom: 0, type: 1, import: 2, function: 3, table: 4, memory: 5, global: 6, export: 7, code: 10 } as const
/** The sections in their order in a module. The data count (12) comes before the code. */
const order = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 10, 11]
const header = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]

/** Throws a MeteringError for invalid modules, unsupported features and exceeded limits. */
export function meterModule(module: Uint8Array, limits: MeteringLimits): MeteredModule {
  if (module.length > limits.moduleBytes)
    throw new MeteringError(`it has ${module.length} bytes; at most ${limits.moduleBytes} are allowed`)
  const sections = readSections(module)
  const part = (id: number) => {
    const found = sections.get(id)
    return found && new BinaryReader(found.bytes, found.position, found.end)
  }
  const types = readTypes(part(ids.type))
  const imports = readImports(part(ids.import), types)
  const functions = functionTypes(part(ids.function), types, imports)
  readTables(part(ids.table), limits.tableEntries)
  const memory = readMemory(part(ids.memory), limits.memoryPages)
  const globals = readGlobals(part(ids.global))
  const exports = readExports(part(ids.export), functions)
  const state = globals.flatMap(({ isMutable }, index) => (isMutable ? [index] : []))
  if (state.length > maxStateGlobals) throw new MeteringError(`it has more than ${maxStateGlobals} mutable globals`)

  const added: Added = { fuel: globals.length, copy: functions.length, fill: functions.length + 1 }
  const bodies = meterBodies(part(ids.code), added, functions, imports, globals)
  // Without a memory there is nothing to copy or fill, and the added functions would be invalid.
  const helpers = memory && bodies.length > 0 ? [opcodes.memoryCopy, opcodes.memoryFill] : []
  const ownExports: readonly [string, number][] = [
    [fuelExport, added.fuel],
    ...state.map((index): [string, number] => [stateExport(index), index]),
  ]
  const taken = exports.find(({ name }) => ownExports.some(([own]) => own === name))
  if (taken) throw new MeteringError(`it exports "${taken.name}", a name that is reserved for metering`)

  const bulk = helpers.map(code => chargedBulk(added.fuel, code))
  const written = new Map<number, Uint8Array>([
    [ids.global, extended(part(ids.global), [fuelGlobal(limits.startFuel)])],
    [ids.export, extended(part(ids.export), ownExports.map(globalExport))],
  ])
  if (memory) written.set(ids.memory, new BinaryWriter(16).byte(1, 1).u32(memory.least).u32(memory.most).finish())
  if (bodies.length > 0) {
    written.set(ids.type, extended(part(ids.type), helpers.length > 0 ? [bulkType] : []))
    written.set(
      ids.function,
      extended(
        part(ids.function),
        bulk.map(() => numberBytes(types.length)),
      ),
    )
    written.set(
      ids.code,
      items([...bodies, ...bulk].map(body => new BinaryWriter(body.length + 5).sized(body).finish())),
    )
  }
  return {
    bytes: writeModule(sections, written, module.length),
    imports,
    exports,
    stateExports: state.map(stateExport),
  }
}

function readSections(module: Uint8Array): Map<number, BinaryReader> {
  const reader = new BinaryReader(module)
  for (const expected of header)
    if (reader.byte() !== expected) throw new MeteringError('it is not a WebAssembly module of version 1')
  const sections = new Map<number, BinaryReader>()
  let place = -1
  while (!reader.isAtEnd) {
    const at = reader.position
    const id = reader.byte()
    const section = reader.part(reader.u32())
    if (id === ids.custom) {
      // Function names make stacks readable; other custom sections are dropped.
      if (section.name() === 'name' && reader.isAtEnd) sections.set(ids.custom, section)
      continue
    }
    const found = order.indexOf(id)
    if (found < 0) throw new MeteringError(`it has a section of kind ${id}, which is not supported (byte ${at})`)
    if (found <= place) throw new MeteringError(`the section at byte ${at} is out of order`)
    place = found
    sections.set(id, section)
  }
  return sections
}

/** The types of all functions, imported ones first. */
function functionTypes(
  reader: BinaryReader | undefined,
  types: readonly FunctionType[],
  imports: readonly ModuleImport[],
): FunctionType[] {
  const found = imports.map(({ type }) => type)
  for (let left = reader?.count('functions') ?? 0; reader && left > 0; left--) {
    const type = types[reader.u32()]
    if (!type) throw new MeteringError('a function has a type that does not exist')
    found.push(type)
  }
  return found
}

function meterBodies(
  reader: BinaryReader | undefined,
  added: Added,
  functions: readonly FunctionType[],
  imports: readonly ModuleImport[],
  globals: readonly GlobalType[],
): Uint8Array[] {
  const count = reader?.count('functions') ?? 0
  if (count !== functions.length - imports.length)
    throw new MeteringError(`it declares ${functions.length - imports.length} functions and has the code of ${count}`)
  const own = { globals: globals.length, functions: functions.length }
  const bodies: Uint8Array[] = []
  for (let left = count; reader && left > 0; left--) bodies.push(meterFunction(reader.part(reader.u32()), added, own))
  return bodies
}

const numberBytes = (value: number): Uint8Array => new BinaryWriter(5).u32(value).finish()
/** The type (i32, i32, i32) without a result. */
const bulkType = Uint8Array.of(0x60, 3, 0x7f, 0x7f, 0x7f, 0)
const fuelGlobal = (units: number): Uint8Array =>
  new BinaryWriter(16).byte(0x7f, 1, opcodes.i32Const).s32(units).byte(opcodes.end).finish()
const globalExport = ([name, index]: readonly [string, number]): Uint8Array =>
  new BinaryWriter(32).name(name).byte(3).u32(index).finish()

/** The items of a section, followed by additional ones. */
function extended(section: BinaryReader | undefined, more: readonly Uint8Array[]): Uint8Array {
  const count = section?.u32() ?? 0
  const before = section?.bytes.subarray(section.position, section.end) ?? new Uint8Array()
  const writer = new BinaryWriter(before.length + 64).u32(count + more.length).raw(before)
  for (const item of more) writer.raw(item)
  return writer.finish()
}
function items(list: readonly Uint8Array[]): Uint8Array {
  const writer = new BinaryWriter().u32(list.length)
  for (const item of list) writer.raw(item)
  return writer.finish()
}

function writeModule(
  sections: ReadonlyMap<number, BinaryReader>,
  written: ReadonlyMap<number, Uint8Array>,
  length: number,
): Uint8Array {
  const writer = new BinaryWriter(length * 2).byte(...header)
  for (const id of [...order, ids.custom]) {
    const section = sections.get(id)
    const contents = written.get(id) ?? section?.bytes.subarray(section.position, section.end)
    if (!contents) continue
    // The name section was already read up to the end of its own name.
    if (id === ids.custom)
      writer.byte(id).sized(new BinaryWriter(contents.length + 8).name('name').raw(contents).finish())
    else writer.byte(id).sized(contents)
  }
  return writer.finish()
}
