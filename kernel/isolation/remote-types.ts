import type { ApiObject, FieldError, ResourceDefinition, StrategyContext } from 'orch/sdk'
import { isObject, type JsonObject, setOwn } from '../../libs/json/index.js'
import { readFieldError } from '../contracts/read-field-error.js'
import { compileDecoder, type Decoder } from '../schema/decode.js'
import { once } from '../schema/derive.js'
import { buildTypeModel } from '../schema/type-model.js'
import { readGraph } from './graph.js'
import type { FunctionOrder } from './plugin-messages.js'
import type { Ask } from './remote-admission.js'
import { withColumns } from './remote-columns.js'
import { textsIn, UnreadableAnswer } from './unreadable-answer.js'

/**
 * The functions of a definition that may be called in another process, by the end of their path. All others must return
 * synchronously.
 */
const remoteSteps: Readonly<Record<string, (call: RemoteFunction) => (...args: never[]) => unknown>> = {
  'strategy.prepareForCreate': call => (draft: ApiObject, context: StrategyContext) => call.change(draft, [], context),
  'strategy.finishCreate': call => (draft: ApiObject, context: StrategyContext) => call.change(draft, [], context),
  'strategy.prepareForUpdate': call => (draft: ApiObject, stored: ApiObject, context: StrategyContext) =>
    call.change(draft, [stored], context),
  'strategy.validate': call => (object: ApiObject, context: StrategyContext) => call.errors([object], context),
  'strategy.validateUpdate': call => (object: ApiObject, stored: ApiObject, context: StrategyContext) =>
    call.errors([object, stored], context),
  'strategy.warnings': call => (object: ApiObject, stored: ApiObject | undefined, context: StrategyContext) =>
    call.texts([object, stored ?? null], context),
}

/** The type that a plugin process describes. Its strategy calls that process; everything else must be data. */
export function remoteType(described: unknown, ask: Ask): ResourceDefinition {
  const decode = once((): Decoder => decoderOf(definition))
  const definition: JsonObject = objectFrom(
    readGraph(described, (id, path) => {
      if (/(^|\])\.?columns\[\d+\]\.cell$/.test(path)) return { function: id }
      const step = remoteSteps[path.split('.').slice(-2).join('.')]
      if (!step) throw new MustRunInServer(path)
      return step(new RemoteFunction(id, ask, decode))
    }),
  )
  refusePatterns(definition['versions'])
  return withColumns(definition, ask)
}

/** A function that the server must be able to call synchronously. */
class MustRunInServer extends Error {
  constructor(path: string) {
    super(`${path} of a type is a function that must run in the server; run the plugin in process, or leave it out`)
  }
}

/** A function of a definition in another process. */
class RemoteFunction {
  readonly #id: number
  readonly #ask: Ask
  readonly #decode: () => Decoder
  constructor(id: number, ask: Ask, decode: () => Decoder) {
    this.#id = id
    this.#ask = ask
    this.#decode = decode
  }

  /**
   * Changes a draft. The result is decoded as if a client had sent it; in metadata, only the fields that clients may
   * set are taken.
   */
  async change(draft: ApiObject, more: readonly unknown[], context: StrategyContext): Promise<void> {
    await this.#call([draft, ...more], context, ({ set = {}, unset = [] }) => {
      if (!isObject(set) || !Array.isArray(unset)) throw new UnreadableAnswer('no changes of an object')
      const names = [...Object.keys(set), ...textsIn(unset)].filter(name => !['apiVersion', 'kind'].includes(name))
      if (names.length === 0) return
      const after: JsonObject = { ...draft }
      for (const name of names) setOwn(after, name, set[name])
      const read = this.#decode()(after)
      const own: JsonObject = Object.assign(draft)
      for (const name of names) if (name !== 'metadata') setOwn(own, name, read[name])
      if (names.includes('metadata')) takeMetadata(draft.metadata, read['metadata'])
      for (const name of names) if (own[name] === undefined) delete own[name]
    })
  }

  async errors(args: readonly unknown[], context: StrategyContext): Promise<FieldError[]> {
    return this.#call(args, context, ({ returned }) => {
      if (!Array.isArray(returned)) throw new UnreadableAnswer('no list of errors')
      return returned.slice(0, maxErrors).map(errorFrom)
    })
  }

  async texts(args: readonly unknown[], context: StrategyContext): Promise<string[]> {
    return this.#call(args, context, ({ returned }) => textsIn(returned))
  }

  async #call<T>(args: readonly unknown[], context: StrategyContext, read: (answer: JsonObject) => T): Promise<T> {
    const { user, now, namespace, subresource, dryRun, requestVersion } = context
    const sent = { isContext: true, user, now, namespace, subresource, dryRun, requestVersion }
    const order: FunctionOrder = { function: this.#id, args: [...args, sent] }
    const answer = await this.#ask('call', order, given => {
      if (!isObject(given)) throw new UnreadableAnswer('no answer to a call')
      for (const text of textsIn(given['warnings'])) context.warn?.(text)
      return { read: read(given) }
    })
    // Only admission failures may be ignored.
    if (!answer) throw new UnreadableAnswer('nothing')
    return answer.read
  }
}

const maxErrors = 1_000
function errorFrom(error: unknown): FieldError {
  const read = readFieldError(error)
  if (!read) throw new UnreadableAnswer('an error of a field without its field, detail or type')
  return read
}

/** In metadata, only what clients may set; the server owns the rest. */
function takeMetadata(to: ApiObject['metadata'], read: unknown): void {
  if (!isObject(read)) return
  const own: JsonObject = Object.assign(to)
  for (const name of ['labels', 'annotations', 'finalizers']) {
    if (read[name] === undefined) delete own[name]
    else own[name] = read[name]
  }
}

/** Strategies work on objects of the storage version. */
function decoderOf(definition: JsonObject): Decoder {
  const versions: ResourceDefinition['versions'] = Object.assign([], definition['versions'])
  const version = versions.find(({ storage }) => storage) ?? versions[0]
  const model = version && buildTypeModel(version.schema)
  if (model?.is !== 'struct') throw new UnreadableAnswer('a type without a schema')
  return compileDecoder(model)
}

const objectFrom = (value: unknown): JsonObject => {
  if (!isObject(value)) throw new UnreadableAnswer('a type that is no object')
  return value
}

/** The server would run the pattern itself, and a malicious one can take arbitrarily long. */
function refusePatterns(schema: unknown): void {
  const seen = new Set<unknown>([schema])
  // Not recursive: a schema may be as deep as its author likes. A set is visited in the order of insertion.
  for (const part of seen) {
    if (typeof part !== 'object' || part === null) continue
    for (const [name, value] of Object.entries(part)) {
      if (name === 'pattern' && typeof value === 'string')
        throw new Error('a schema has a pattern, which would run in the server; check it in `validate` instead')
      if (typeof value === 'object') seen.add(value)
    }
  }
}
