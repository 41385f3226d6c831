import { ApiError, internalError } from 'orch/sdk'
import type { JsonObject } from '../../libs/json/index.js'
import type { FailurePolicy, Manifest } from './manifest.js'
import type { ModuleLog } from './module-log.js'
import { WasmFailure } from './wasm-failure.js'
import type { WasmModule } from './wasm-module.js'

/** Calls the module of a plugin, and applies the failure policy. */
export class WasmCalls {
  readonly #module: WasmModule
  readonly #plugin: string
  readonly #policy: FailurePolicy
  readonly #log: ModuleLog
  readonly #options: JsonObject

  constructor(module: WasmModule, { name, failurePolicy }: Manifest, log: ModuleLog, options: JsonObject) {
    this.#module = module
    this.#plugin = name
    this.#policy = failurePolicy
    this.#log = log
    // Omitted if there are none, which is faster.
    this.#options = Object.keys(options).length === 0 ? {} : { options }
  }

  /**
   * Calls a function and reads its reply. If that fails, the request fails with an error that names the plugin; with
   * the policy `Ignore` the result is `otherwise`.
   */
  call<T>(
    name: string,
    request: JsonObject,
    read: (reply: JsonObject) => T,
    otherwise: T,
    policy: FailurePolicy = this.#policy,
  ): T {
    try {
      return read(this.#module.call(name, { ...request, ...this.#options }))
    } catch (thrown) {
      return this.failed(name, thrown, otherwise, policy)
    }
  }

  failed<T>(name: string, thrown: unknown, otherwise: T, policy: FailurePolicy = this.#policy): T {
    const why = thrown instanceof WasmFailure ? thrown.message : `function "${name}": ${reasonOf(thrown)}`
    const message = `plugin "${this.#plugin}": ${why}`
    this.#log.failure(message)
    if (policy === 'Ignore') return otherwise
    throw internalError(message, { cause: thrown })
  }

  get policy(): FailurePolicy {
    return this.#policy
  }
}

/** The reason of an error that a reply caused, such as a patch that does not apply to the object. */
const reasonOf = (thrown: unknown): string =>
  thrown instanceof ApiError || thrown instanceof Error ? thrown.message : 'its reply cannot be used'

/** The failure for a reply that is not valid. */
export function invalidReply(name: string, what: string): WasmFailure {
  return new WasmFailure(`function "${name}": its reply cannot be used: ${what}`)
}
