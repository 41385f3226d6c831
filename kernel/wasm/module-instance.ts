import { isUtf8 } from 'node:buffer'
import { fuelExport } from '../../libs/wasm-metering/index.js'
import type { CallLimits } from './manifest.js'
import { WasmFailure } from './wasm-failure.js'

/** A module, compiled and metered. */
export interface CompiledModule {
  readonly module: WebAssembly.Module
  readonly stateExports: readonly string[]
  readonly imports: Readonly<Record<string, readonly string[]>>
}

/** Limits on the lines that a module may log in one call, and on their length. */
const maxLines = 20
const maxLineBytes = 1000
const pageBytes = 65_536
/** An instance whose memory grew by more than this is discarded instead of reset. */
const maxGrowthBytes = 4 * pageBytes

/** The state of an instance before its first call. */
interface FirstState {
  /** Memory up to the last non-zero byte. */
  readonly memory: Uint8Array
  readonly memoryLength: number
  readonly globals: readonly (number | bigint)[]
}
function firstState(bytes: Uint8Array, globals: readonly WebAssembly.Global[]): FirstState {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end--
  return {
    memory: Uint8Array.from(bytes.subarray(0, end)),
    memoryLength: bytes.length,
    globals: globals.map(({ value }) => value),
  }
}

const nothing = new ArrayBuffer(0)
type Exported = (...values: number[]) => unknown
const isFunction = (value: unknown): value is Exported => typeof value === 'function'

/**
 * One instance of a module. Every call starts with the memory and globals of a new instance: a module keeps no state,
 * and its memory does not fill up.
 */
export class ModuleInstance {
  readonly #limits: CallLimits
  readonly #exports: Readonly<Record<string, unknown>>
  /** Undefined while the start function runs, which may already log. */
  #memory: WebAssembly.Memory | undefined
  #bytes = Buffer.from(nothing)
  readonly #alloc: Exported
  readonly #fuel: WebAssembly.Global
  readonly #log: (line: string) => void
  #lines = 0
  readonly #globals: readonly WebAssembly.Global[]
  /** The initial state, which all instances share. */
  readonly first: FirstState

  /** Throws if the start function fails. */
  constructor(
    { module, stateExports, imports }: CompiledModule,
    limits: CallLimits,
    log: (line: string) => void,
    first?: FirstState,
  ) {
    this.#limits = limits
    this.#log = log
    const given: Readonly<Record<string, Exported>> = {
      'orch.log': (address = 0, length = 0) => this.#logLine(address, length),
      'env.abort': (message = 0, file = 0, line = 0) => this.#abort(message, file, line),
    }
    const functions = Object.entries(imports).map(([from, names]) => [
      from,
      Object.fromEntries(names.map(name => [name, given[`${from}.${name}`]])),
    ])
    const { exports } = new WebAssembly.Instance(module, Object.fromEntries(functions))
    this.#exports = exports
    this.#memory = requireExport(exports['memory'], WebAssembly.Memory)
    this.#fuel = requireExport(exports[fuelExport], WebAssembly.Global)
    this.#alloc = this.#function('alloc')
    // Where some languages initialize their runtime instead of in the start function.
    if (isFunction(exports['_initialize'])) exports['_initialize']()
    this.#globals = stateExports.map(name => requireExport(exports[name], WebAssembly.Global))
    this.first = first ?? firstState(this.#allBytes(), this.#globals)
  }

  /** Calls a function with a string and returns its reply. After an error the instance must not be used again. */
  call(name: string, request: string): string {
    const called = this.#function(name)
    this.#fuel.value = this.#limits.fuel
    this.#lines = 0
    const length = Buffer.byteLength(request)
    const address = toUnsigned(this.#alloc(length))
    this.#bytesTo(address, length, `alloc(${length}) returned an address without enough room`).write(request, address)
    const answer = called(address, length)
    if (typeof answer !== 'bigint') throw new WasmFailure('it did not return an address and a length (i64)')
    const packed = BigInt.asUintN(64, answer)
    const replyLength = Number(packed & 0xffffffffn)
    if (replyLength > this.#limits.replyBytes)
      throw new WasmFailure(`its reply has ${replyLength} bytes; at most ${this.#limits.replyBytes} are allowed`)
    const reply = Number(packed >> 32n)
    const bytes = this.#bytesTo(reply, replyLength, 'its reply is not in its memory')
    if (!isUtf8(bytes.subarray(reply, reply + replyLength))) throw new WasmFailure('its reply is not UTF-8')
    return bytes.toString('utf8', reply, reply + replyLength)
  }

  /** Resets the instance, and returns whether it can be used again. */
  reset(): boolean {
    const { memory, memoryLength, globals } = this.first
    const bytes = this.#allBytes()
    if (bytes.length - memoryLength > maxGrowthBytes) return false
    bytes.set(memory)
    bytes.fill(0, memory.length)
    for (const [index, global] of this.#globals.entries()) global.value = globals[index] ?? 0
    return true
  }

  get isOutOfFuel(): boolean {
    return Number(this.#fuel.value) < 0
  }

  #function(name: string): Exported {
    const exported = this.#exports[name]
    if (isFunction(exported)) return exported
    throw new WasmFailure(`it exports no function "${name}"`)
  }

  /** The whole memory as bytes; fails unless it contains this range. */
  #bytesTo(address: number, length: number, otherwise: string): Buffer {
    const bytes = this.#allBytes()
    if (address + length > bytes.length) throw new WasmFailure(otherwise)
    return bytes
  }
  /** Cached, but growing the memory detaches the previous buffer. */
  #allBytes(): Buffer {
    const buffer = this.#memory?.buffer ?? nothing
    if (this.#bytes.buffer !== buffer) this.#bytes = Buffer.from(buffer)
    return this.#bytes
  }

  #logLine(address: number, length: number): void {
    if (++this.#lines > maxLines) return
    const from = toUnsigned(address)
    const shortened = Math.min(toUnsigned(length), maxLineBytes)
    const bytes = this.#bytesTo(from, shortened, 'it logs a text that is not in its memory')
    this.#log(bytes.toString('utf8', from, from + shortened))
  }

  /** AssemblyScript calls this when code throws. Its strings are UTF-16, preceded by their length in bytes. */
  #abort(message: number, file: number, line: number): void {
    const place = file === 0 ? '' : ` (${this.#textAt(toUnsigned(file))}:${line})`
    throw new WasmFailure(`it aborted: ${this.#textAt(toUnsigned(message)) || 'abort'}${place}`)
  }
  #textAt(address: number): string {
    const bytes = this.#allBytes()
    if (address < 4 || address > bytes.length) return ''
    const length = Math.min(bytes.readUInt32LE(address - 4), maxLineBytes)
    return bytes.toString('utf16le', address, Math.min(address + length, bytes.length))
  }
}

/** An address: WebAssembly's integers are unsigned, but JavaScript receives them as signed. */
const toUnsigned = (value: unknown): number => (typeof value === 'number' ? value >>> 0 : Number.POSITIVE_INFINITY)

function requireExport<T>(value: unknown, kind: abstract new (...values: never[]) => T): T {
  if (value instanceof kind) return value
  throw new WasmFailure(`it exports no ${kind.name.toLowerCase()}`)
}
