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

/** Texts up to here take a few milliseconds, whatever is in them. */
const smallLength = 32 * 1024

export interface YamlBodiesOptions {
  /** Values in a body, those that aliases repeat included. */
  readonly maxNodes: number
  /** Characters that a body may stand for. */
  readonly maxCharacters: number
  /** How much time of a processor the reading of one body, or the writing of one batch, may take. */
  readonly timeoutMs: number
  /** Replaces how the work of the thread is measured. */
  readonly workedMs?: () => number
}

/** Reads and writes YAML: what is small at once, what is large in a thread, so that nobody else has to wait for it. */
export class YamlBodies {
  readonly #options: YamlBodiesOptions
  readonly #thread: YamlThread

  constructor(options: YamlBodiesOptions) {
    this.#options = options
    this.#thread = new YamlThread(options.timeoutMs, options.workedMs)
  }

  /** Reads a body, which is one document, looking for so many keys that are stated twice. */
  parse(text: string, maxRepeatedKeys: number): YamlBody | Promise<YamlBody> {
    const { maxNodes, maxCharacters } = this.#options
    const limits = { maxNodes, maxCharacters, maxRepeatedKeys }
    const inThread = () =>
      this.#thread.parse(text, { ...limits, maxDepth: maxJsonDepth }).catch(failure => refuse(failure))
    if (text.length > smallLength) return inThread()
    try {
      return parseDocument(text, limits)
    } catch (failure) {
      return failure instanceof YamlError && failure.isTooDeep ? inThread() : refuse(failure)
    }
  }

  /** Writes a value, given as JSON. */
  print(json: string): string | Promise<string> {
    if (json.length > smallLength) return this.#thread.print(json).catch(failure => unwritten(failure))
    const value: unknown = JSON.parse(json)
    // Writing is recursive, and the stack of the thread is larger.
    return nestsDeeper(value, recursedLevels)
      ? this.#thread.print(json).catch(failure => unwritten(failure))
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

function refuse(failure: unknown): never {
  if (failure instanceof YamlError) throw badRequest(`couldn't parse the request body as YAML: ${failure.message}`)
  if (failure instanceof ThreadBusy) throw busy()
  if (failure instanceof ThreadFailure)
    throw tooLarge(`the YAML of the request ${failure.message}; JSON of the same size is read much faster`)
  throw failure
}

function unwritten(failure: unknown): never {
  if (failure instanceof ThreadBusy) throw busy()
  if (failure instanceof ThreadFailure)
    throw serviceUnavailable(`writing the answer as YAML ${failure.message}; ask for JSON`)
  throw failure
}

const busy = () => tooManyRequests('too many large YAML bodies are waiting', 1)
