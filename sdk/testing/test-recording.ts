import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { defaultPlugins } from '../../kernel/index.js'
import type { PluginEntry } from '../plugin/config.js'

/** The plugin that brings the options `record` and `recordMaxBytes`. */
const pluginName = 'recording'
const pluginNameOf = (entry: PluginEntry) =>
  typeof entry !== 'string' && 'definition' in entry ? entry.definition.name : ''

/** The plugins, and the one that records if it is not among them. */
export async function withRecording(plugins: readonly PluginEntry[]): Promise<readonly PluginEntry[]> {
  if (plugins.some(entry => pluginNameOf(entry) === pluginName)) return plugins
  return [...plugins, ...(await defaultPlugins()).filter(entry => pluginNameOf(entry) === pluginName)]
}

/** The recording of a server while tests run, and the files in which parts of it are kept. */
export class TestRecording {
  readonly #file: string
  readonly #folder: string | undefined

  /** `folder` is where recordings are kept; undefined where nothing is recorded. */
  constructor(dataDir: string, folder: string | undefined) {
    this.#file = join(dataDir, 'recording.jsonl')
    this.#folder = folder === undefined ? undefined : resolve(folder)
  }

  /** Config keys that have a server record. */
  get options(): Readonly<Record<string, unknown>> {
    return this.#folder === undefined ? {} : { record: this.#file }
  }

  save(title: string): string {
    if (this.#folder === undefined) throw new Error('nothing is recorded: pass startServer the option record, a folder')
    mkdirSync(this.#folder, { recursive: true })
    const path = join(this.#folder, `${title.replace(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 100) || pluginName}.jsonl`)
    const parts = [`${this.#file}.1`, this.#file].filter(part => existsSync(part))
    writeFileSync(path, Buffer.concat(parts.map(part => readFileSync(part))), { mode: 0o600 })
    return path
  }

  async run<T>(title: string, test: () => T | Promise<T>): Promise<T> {
    try {
      return await test()
    } catch (failure) {
      if (this.#folder !== undefined) tell(failure, `What the server saw: orch replay ${this.save(title)}`)
      throw failure
    }
  }
}

/** Runners show the message, or the stack, or both. */
function tell(failure: unknown, note: string): void {
  if (!(failure instanceof Error)) return console.error(note)
  const { message, stack } = failure
  failure.message = `${message}\n${note}`
  if (stack !== undefined) failure.stack = stack.includes(note) ? stack : stack.replace(message, () => failure.message)
}
