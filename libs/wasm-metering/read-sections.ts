import { type BinaryReader, MeteringError } from './binary-reader.js'
import { checkValueType, opcodes, type ValueType } from './instructions.js'

export interface FunctionType {
  readonly takes: readonly ValueType[]
  readonly gives: readonly ValueType[]
}
/** A function that the host must provide. */
export interface ModuleImport {
  readonly module: string
  readonly name: string
  readonly type: FunctionType
}
export interface ModuleExport {
  readonly name: string
  readonly kind: 'function' | 'table' | 'memory' | 'global'
  /** For functions. */
  readonly type?: FunctionType
}
export interface GlobalType {
  readonly isMutable: boolean
}

const exportKinds = ['function', 'table', 'memory', 'global'] as const

export function readTypes(reader: BinaryReader | undefined): FunctionType[] {
  const readValueTypes = (from: BinaryReader): ValueType[] => {
    const types: ValueType[] = []
    for (let left = from.count('values'); left > 0; left--) types.push(checkValueType(from.byte()))
    return types
  }
  return list(reader, 'types', section => {
    if (section.byte() !== 0x60)
      throw new MeteringError('it has types that are not functions (garbage collection), which is not supported')
    return { takes: readValueTypes(section), gives: readValueTypes(section) }
  })
}

export function readImports(reader: BinaryReader | undefined, types: readonly FunctionType[]): ModuleImport[] {
  return list(reader, 'imports', section => {
    const module = section.name()
    const name = section.name()
    const kind = section.byte()
    if (kind !== 0)
      throw new MeteringError(
        `it imports the ${exportKinds[kind] ?? 'thing'} "${module}.${name}"; only functions can be imported`,
      )
    const type = types[section.u32()]
    if (!type) throw new MeteringError(`the import "${module}.${name}" has a type that does not exist`)
    return { module, name, type }
  })
}

export function readTables(reader: BinaryReader | undefined, most: number): void {
  const tables = list(reader, 'tables', section => {
    if (section.byte() !== 0x70)
      throw new MeteringError('it has a table of something other than functions, which is not supported')
    return readLimits(section).least
  })
  const entries = tables.reduce((sum, least) => sum + least, 0)
  if (entries > most) throw new MeteringError(`its tables have ${entries} entries; at most ${most} are allowed`)
}

/** The memory of the module, with an upper limit; undefined if it has none. */
export function readMemory(
  reader: BinaryReader | undefined,
  allowed: number,
): { readonly least: number; readonly most: number } | undefined {
  const memories = list(reader, 'memories', readLimits)
  if (memories.length > 1) throw new MeteringError('it has several memories; only one is supported')
  const [memory] = memories
  if (!memory) return undefined
  if (memory.least > allowed)
    throw new MeteringError(`its memory starts with ${memory.least} pages of 64 KiB; at most ${allowed} are allowed`)
  return { least: memory.least, most: Math.min(memory.most, allowed) }
}

function readLimits(section: BinaryReader): { readonly least: number; readonly most: number } {
  const flags = section.byte()
  if (flags > 1)
    throw new MeteringError(
      flags <= 3
        ? 'it shares memory (threads), which is not supported'
        : 'it uses 64-bit memory, which is not supported',
    )
  const least = section.u32()
  return { least, most: flags === 1 ? section.u32() : 2 ** 32 - 1 }
}

export function readGlobals(reader: BinaryReader | undefined): GlobalType[] {
  return list(reader, 'globals', section => {
    checkValueType(section.byte())
    const isMutable = section.byte() === 1
    skipConstant(section)
    return { isMutable }
  })
}

/** Skips the initializer expression of a global. */
function skipConstant(section: BinaryReader): void {
  for (;;) {
    const at = section.position
    const code = section.byte()
    if (code === opcodes.end) return
    if (code === 0x41) section.skipSigned(32)
    else if (code === 0x42) section.skipSigned(64)
    else if (code === 0x43) section.skip(4)
    else if (code === 0x44) section.skip(8)
    else if (code === opcodes.globalGet) section.u32()
    else throw new MeteringError(`a global is not initialized by a constant, which is not supported (byte ${at})`)
  }
}

export function readExports(reader: BinaryReader | undefined, functions: readonly FunctionType[]): ModuleExport[] {
  return list(reader, 'exports', section => {
    const name = section.name()
    const kind = exportKinds[section.byte()]
    if (!kind) throw new MeteringError(`it exports "${name}", whose kind is not supported`)
    const index = section.u32()
    const type = functions[index]
    if (kind !== 'function') return { name, kind }
    if (!type) throw new MeteringError(`it exports "${name}", a function that does not exist`)
    return { name, kind, type }
  })
}

function list<T>(reader: BinaryReader | undefined, what: string, read: (section: BinaryReader) => T): T[] {
  const found: T[] = []
  if (!reader) return found
  for (let left = reader.count(what); left > 0; left--) found.push(read(reader))
  if (!reader.isAtEnd) throw new MeteringError(`the list of ${what} continues after its end (byte ${reader.position})`)
  return found
}
