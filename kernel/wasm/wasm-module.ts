import { isObject, type JsonObject, nestsDeeper, writeJson } from '../../libs/json/index.js'
import { type FunctionType, type MeteredModule, MeteringError, meterModule } from '../../libs/wasm-metering/index.js'
import type { CallLimits } from './manifest.js'
import { type CompiledModule, ModuleInstance } from './module-instance.js'
import { WasmFailure } from './wasm-failure.js'

/** A size that compiles quickly: modules are policies, not programs. */
const maxModuleBytes = 8 * 1024 * 1024
const maxTableEntries = 100_000
/** The depth limit of a reply. */
const maxReplyLevels = 200

const textFunction: FunctionType = { takes: ['i32', 'i32'], gives: ['i64'] }
const required: Readonly<Record<string, FunctionType>> = { alloc: { takes: ['i32'], gives: ['i32'] } }
/** The functions that a module may import, by module and name. */
const offered: Readonly<Record<string, FunctionType>> = {
  'orch.log': { takes: ['i32', 'i32'], gives: [] },
  'env.abort': { takes: ['i32', 'i32', 'i32', 'i32'], gives: [] },
}

/** A module whose functions can be called with JSON. One instance is enough, because calls are synchronous. */
export class WasmModule {
  readonly #compiled: CompiledModule
  readonly #limits: CallLimits
  readonly #log: (line: string) => void
  #instance: ModuleInstance | undefined
  #first: ModuleInstance['first'] | undefined

  private constructor(compiled: CompiledModule, limits: CallLimits, log: (line: string) => void) {
    this.#compiled = compiled
    this.#limits = limits
    this.#log = log
  }

  /** Compiles a module and runs its start function. Throws with the reason if it cannot be used. */
  static async compile(
    bytes: Uint8Array,
    functions: readonly string[],
    limits: CallLimits,
    log: (line: string) => void,
  ): Promise<WasmModule> {
    const metered = meteredModule(bytes, limits)
    checkImports(metered)
    checkExports(metered, functions)
    const module = await WebAssembly.compile(metered.bytes).catch((cause: Error) => {
      throw new WasmFailure(`it is not valid: ${cause.message}`, { cause })
    })
    const imports: Record<string, string[]> = {}
    for (const { module: from, name } of metered.imports) (imports[from] ??= []).push(name)
    const made = new WasmModule({ module, stateExports: metered.stateExports, imports }, limits, log)
    made.#instance = made.#make()
    return made
  }

  /** Throws a WasmFailure if there is no valid reply; the next call then gets a new instance. */
  call(name: string, request: JsonObject): JsonObject {
    const text = writeJson(request)
    let instance: ModuleInstance | undefined
    try {
      instance = this.#instance ?? this.#make()
      this.#instance = undefined
      const reply = readReply(instance.call(name, text))
      if (instance.reset()) this.#instance = instance
      return reply
    } catch (thrown) {
      throw failureOf(name, thrown, instance?.isOutOfFuel === true ? this.#limits.fuel : undefined)
    }
  }

  #make(): ModuleInstance {
    try {
      const made = new ModuleInstance(this.#compiled, this.#limits, this.#log, this.#first)
      this.#first = made.first
      return made
    } catch (thrown) {
      throw failureOf('start', thrown, undefined)
    }
  }
}

function meteredModule(bytes: Uint8Array, { memoryPages, fuel }: CallLimits): MeteredModule {
  const limits = { moduleBytes: maxModuleBytes, memoryPages, tableEntries: maxTableEntries, startFuel: fuel }
  try {
    return meterModule(bytes, limits)
  } catch (thrown) {
    if (thrown instanceof MeteringError) throw new WasmFailure(`it cannot be metered: ${thrown.message}`)
    throw thrown
  }
}

function checkImports({ imports }: MeteredModule): void {
  for (const { module, name, type } of imports) {
    const known = Object.hasOwn(offered, `${module}.${name}`) ? offered[`${module}.${name}`] : undefined
    if (!known) {
      const all = Object.keys(offered).join(' and ')
      throw new WasmFailure(`it imports "${module}.${name}", which does not exist; modules may only import ${all}`)
    }
    checkType(`its import "${module}.${name}"`, type, known)
  }
}

function checkExports({ exports }: MeteredModule, functions: readonly string[]): void {
  if (!exports.some(({ name, kind }) => kind === 'memory' && name === 'memory'))
    throw new WasmFailure('it exports no memory named "memory"')
  const wanted = { ...required, ...Object.fromEntries(functions.map(name => [name, textFunction])) }
  for (const [name, type] of Object.entries(wanted)) {
    const found = exports.find(each => each.kind === 'function' && each.name === name)?.type
    if (!found) throw new WasmFailure(`it exports no function "${name}"`)
    checkType(`its function "${name}"`, found, type)
  }
}

const typeText = ({ takes, gives }: FunctionType): string => `(${takes.join(', ')}) -> (${gives.join(', ')})`
function checkType(what: string, found: FunctionType, wanted: FunctionType): void {
  if (typeText(found) !== typeText(wanted))
    throw new WasmFailure(`${what} is ${typeText(found)} and must be ${typeText(wanted)}`)
}

function readReply(text: string): JsonObject {
  let reply: unknown
  try {
    reply = JSON.parse(text)
  } catch {
    throw new WasmFailure('its reply is not JSON')
  }
  if (!isObject(reply)) throw new WasmFailure('its reply is not a JSON object')
  if (text.length > 2 * maxReplyLevels && nestsDeeper(reply, maxReplyLevels))
    throw new WasmFailure(`its reply nests deeper than ${maxReplyLevels} levels`)
  return reply
}

/** The failure of a call that ended without a reply, with the reason. */
function failureOf(name: string, thrown: unknown, usedUp: number | undefined): WasmFailure {
  const failure = (why: string) => new WasmFailure(`function "${name}": ${why}`, { cause: thrown })
  if (usedUp !== undefined) return failure(`it used more than ${usedUp} units of fuel (limits.fuel)`)
  if (thrown instanceof WasmFailure) return failure(thrown.message)
  if (thrown instanceof RangeError) return failure(`it recurses too deeply, or exceeds a limit: ${thrown.message}`)
  if (thrown instanceof Error) return failure(`it trapped: ${thrown.message}`)
  return failure('it failed')
}
