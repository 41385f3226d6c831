import type { ChildProcess } from 'node:child_process'
import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { peekFlag } from '../options/parse-flags.js'
import type { CommandLine } from './command-line.js'
import type { ReloadAnswer, SavedFiles } from './live-reload.js'

/** Editors write a file in several steps, so changes are debounced. */
const debounceMs = 50
/** The number of changes that are shown after a reload. */
const maxShown = 8
/** Folders without source files. */
const ignored = ['node_modules', 'dist', 'data']

/**
 * `orch serve --watch`, for plugin authors: when source files below the folder of the config are saved, the running server replaces
 * the plugins that use them; its store, its address and the watches of other types stay. If a change requires a restart, the server
 * restarts in a new process. Sources that cannot be loaded change nothing: the server continues with the previous ones.
 */
export async function serveWatching(line: CommandLine, flags: readonly string[]): Promise<number> {
  const named = peekFlag(flags, 'config')
  const folder = named === undefined ? line.workingDir : dirname(resolve(line.workingDir, named))
  const stopped = line.untilStopped().then(() => 'stop' as const)
  const sources = new Sources(folder)
  const first = await describe(line, flags)
  if (first.text === undefined) {
    line.err(first.problems)
    return 1
  }
  let described = first.text
  let server = new Server(line, flags)
  /** The last reported problems: they are not repeated when another file is saved. */
  let reported = ''
  line.err(`orch: watching ${folder}\n`)
  try {
    for (;;) {
      const event = await Promise.race([stopped, sources.changed(), server.ended])
      if (event === 'stop') return 0
      if (typeof event === 'number') {
        line.err('orch: the server has exited; it restarts when a source file is saved\n')
        if ((await Promise.race([stopped, sources.changed()])) === 'stop') return event
      }
      const isRunning = typeof event !== 'number'
      const startedAt = performance.now()
      const answer = isRunning ? await server.reload(sources.takeSaved()) : undefined
      if (answer?.is === 'reloaded') {
        reported = ''
        const tookMs = Math.round(performance.now() - startedAt)
        if (answer.plugins !== undefined)
          line.err(`orch: reloaded in ${tookMs} ms: ${changesBetween(described, answer.plugins)}\n`)
        described = answer.plugins ?? described
        continue
      }
      const next: Described =
        answer?.is === 'refused' ? { text: undefined, problems: answer.problems } : await describe(line, flags)
      if (next.text === undefined) {
        if (next.problems !== reported)
          line.err(`${next.problems}orch: not loaded; the server continues with the previous sources\n`)
        reported = next.problems
        continue
      }
      reported = ''
      line.err(`orch: reloading: ${changesBetween(described, next.text)}\n`)
      described = next.text
      await server.stop()
      server = new Server(line, flags)
    }
  } finally {
    sources.close()
    await server.stop()
  }
}

interface Described {
  /** What the plugins in the sources register; undefined if they cannot be loaded. */
  readonly text: string | undefined
  readonly problems: string
}

/** Loads the sources in a separate process. */
async function describe(line: CommandLine, flags: readonly string[]): Promise<Described> {
  const child = line.runAgain(['plugins', ...flags], 'pipe')
  let text = ''
  let problems = ''
  child.stdout?.on('data', chunk => (text += chunk))
  child.stderr?.on('data', chunk => (problems += chunk))
  const code = await new Promise(done => child.once('close', done))
  return { text: code === 0 ? text : undefined, problems }
}

/** A summary of added and removed lines. */
function changesBetween(before: string, after: string): string {
  const linesOf = (text: string) => new Set(text.split('\n').map(each => each.trim()))
  const [old, now] = [linesOf(before), linesOf(after)]
  const changes = [
    ...[...now].filter(each => !old.has(each)).map(each => `now ${each}`),
    ...[...old].filter(each => !now.has(each)).map(each => `before ${each}`),
  ]
  return changes.length === 0 ? 'the same types and parts, with changed sources' : changes.slice(0, maxShown).join('; ')
}

/** The server in a separate process. */
class Server {
  readonly #process: ChildProcess
  /** Resolves to its exit code. */
  readonly ended: Promise<number>

  constructor(line: CommandLine, flags: readonly string[]) {
    this.#process = line.runAgain(['serve', ...flags], 'inherit', 'talk')
    this.ended = new Promise(done => this.#process.once('exit', code => done(code ?? 1)))
  }
  /** Makes the server replace the plugins that use these files. Undefined if it exited in the meantime. */
  async reload(saved: readonly string[]): Promise<ReloadAnswer | undefined> {
    if (!this.#process.connected) return undefined
    const answered = new Promise<ReloadAnswer>(done =>
      this.#process.once('message', message => done(message as ReloadAnswer)),
    )
    const message: SavedFiles = { saved }
    this.#process.send(message)
    return Promise.race([answered, this.ended.then(() => undefined)])
  }
  async stop(): Promise<void> {
    if (this.#process.exitCode === null) this.#process.kill('SIGTERM')
    await this.ended
  }
}

/** Watches a folder for saved source files. */
class Sources {
  /** One watch per folder: a recursive one would include node_modules. */
  readonly #watchers = new Map<string, FSWatcher>()
  readonly #names = new Set<string>()
  #isChanged = false
  #notify: (() => void) | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(folder: string) {
    this.#watchers.set(
      folder,
      watch(folder, (_, name) => {
        if (name === null) return
        this.#watchFolder(folder, name)
        this.#saved(folder, name)
      }),
    )
    for (const name of readdirSync(folder)) this.#watchFolder(folder, name)
  }

  #watchFolder(parent: string, name: string): void {
    const folder = join(parent, name)
    const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false
    if (!isFolder || isIgnored(name)) {
      this.#watchers.get(folder)?.close()
      this.#watchers.delete(folder)
    } else if (!this.#watchers.has(folder)) {
      this.#watchers.set(
        folder,
        watch(folder, { recursive: true }, (_, below) => below !== null && this.#saved(folder, below)),
      )
    }
  }

  #saved(folder: string, name: string): void {
    if (!isSource(name)) return
    this.#names.add(join(folder, name))
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#isChanged = true
      this.#notify?.()
    }, debounceMs)
  }
  /** Resolves when a file has been saved since the last call. */
  changed(): Promise<'changed'> {
    return new Promise(done => {
      this.#notify = () => {
        if (!this.#isChanged) return
        this.#isChanged = false
        this.#notify = undefined
        done('changed')
      }
      this.#notify()
    })
  }
  /** The files that were saved since the last call. */
  takeSaved(): string[] {
    const saved = [...this.#names]
    this.#names.clear()
    return saved
  }
  close(): void {
    clearTimeout(this.#timer)
    for (const watcher of this.#watchers.values()) watcher.close()
  }
}

const isIgnored = (step: string) => ignored.includes(step) || step.startsWith('.')
const isSource = (name: string) => /\.(?:[cm]?[jt]s|json)$/.test(name) && !name.split(sep).some(isIgnored)
