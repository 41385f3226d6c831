import { badRequest, serviceUnavailable, tooLarge, tooManyRequests } from 'orch/sdk'
import { readYaml, writeYaml, YamlError } from 'orch/sdk/files'
import type { RepeatedKey, YamlLimits } from 'orch/sdk/host'
import { nestsDeeper, recursedLevels } from '../../libs/json/index.js'
import { maxJsonDepth } from '../schema/decode-problem.js'
import { ThreadBusy, ThreadFailure, YamlThread } from './yaml-thread.js'

/** A YAML text as one value. */
export interface YamlBody {
  readonly value: unknown
  readonly repeatedKeys: readonly RepeatedKey[]
}

/** Texts up to this length take a few milliseconds, whatever their contents. */
const smallLength = 32 * 1024

export interface YamlBodiesOptions {
  /** The maximum number of values in a body, including those that aliases repeat. */
  readonly maxNodes: number
  /** The maximum length of a body with its aliases expanded. */
  readonly maxCharacters: number
  /** The CPU time limit for parsing one body or writing one batch. */
  readonly timeoutMs: number
  /** Replaces the measurement of the CPU time of the thread. */
  readonly workedMs?: () => number
}

/** Parses and writes YAML: small texts synchronously, large ones in a thread, so that they do not block other requests. */
export class YamlBodies {
  readonly #options: YamlBodiesOptions
  readonly #thread: YamlThread

  constructor(options: YamlBodiesOptions) {
    this.#options = options
    this.#thread = new YamlThread(options.timeoutMs, options.workedMs)
  }

  /** Parses a body, which is one document, and finds up to this many duplicate keys. */
  parse(text: string, maxRepeatedKeys: number): YamlBody | Promise<YamlBody> {
    const { maxNodes, maxCharacters } = this.#options
    const limits = { maxNodes, maxCharacters, maxRepeatedKeys }
    const inThread = () =>
      this.#thread.parse(text, { ...limits, maxDepth: maxJsonDepth }).catch(failure => rejectBody(failure))
    if (text.length > smallLength) return inThread()
    try {
      return parseDocument(text, limits)
    } catch (failure) {
      return failure instanceof YamlError && failure.isTooDeep ? inThread() : rejectBody(failure)
    }
  }

  /** Writes a value, given as JSON. */
  print(json: string): string | Promise<string> {
    if (json.length > smallLength) return this.#thread.print(json).catch(failure => rejectWrite(failure))
    const value: unknown = JSON.parse(json)
    // Writing is recursive, and the stack of the thread is larger.
    return nestsDeeper(value, recursedLevels)
      ? this.#thread.print(json).catch(failure => rejectWrite(failure))
      : writeYaml(value)
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}

/** The one document of a text; null when it has none. */
export function parseDocument(text: string, limits: YamlLimits): YamlBody {
  const { documents, repeatedKeys } = readYaml(text, limits)
  const [value = null, ...others] = documents
  if (others.some(other => other !== null)) throw new YamlError('it has more than one document')
  return { value, repeatedKeys }
}

function rejectBody(failure: unknown): never {
  if (failure instanceof YamlError) throw badRequest(`couldn't parse the request body as YAML: ${failure.message}`)
  if (failure instanceof ThreadBusy) throw busy()
  if (failure instanceof ThreadFailure)
    throw tooLarge(`the YAML of the request ${failure.message}; JSON of the same size is parsed much faster`)
  throw failure
}

function rejectWrite(failure: unknown): never {
  if (failure instanceof ThreadBusy) throw busy()
  if (failure instanceof ThreadFailure)
    throw serviceUnavailable(`writing the response as YAML ${failure.message}; request JSON instead`)
  throw failure
}

const busy = () => tooManyRequests('too many large YAML bodies are waiting', 1)
