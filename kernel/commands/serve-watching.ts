import type { ChildProcess } from 'node:child_process'
import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { peekFlag } from '../options/parse-flags.js'
import type { CommandLine } from './command-line.js'

/** Editors write a file in several steps, so changes are debounced. */
const quietMs = 100
/** The number of changes that are shown after a reload. */
const maxShown = 8
/** Folders without source files. */
const ignored = ['node_modules', 'dist', 'data']

/**
 * `orch serve --watch`, for plugin authors: the server restarts whenever a source file below the folder of the config is saved and
 * can be loaded. Otherwise the running server continues with the previous sources. Each start is a new process, so that no old
 * module remains.
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
  /** Problems that have been told: saving another file does not change them. */
  let told = ''
  line.err(`orch: watching ${folder}\n`)
  try {
    for (;;) {
      const event = await Promise.race([stopped, sources.changed(), server.ended])
      if (event === 'stop') return 0
      if (typeof event === 'number') {
        line.err('orch: the server has exited; it restarts when a source file is saved\n')
        if ((await Promise.race([stopped, sources.changed()])) === 'stop') return event
      }
      const next = await describe(line, flags)
      if (next.text === undefined) {
        if (next.problems !== told)
          line.err(`${next.problems}orch: not loaded; the server continues with the previous sources\n`)
        told = next.problems
        continue
      }
      told = ''
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
    this.#process = line.runAgain(['serve', ...flags], 'inherit')
    this.ended = new Promise(done => this.#process.once('exit', code => done(code ?? 1)))
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
  #isChanged = false
  #tell: (() => void) | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(folder: string) {
    this.#watchers.set(
      folder,
      watch(folder, (_, name) => {
        if (name === null) return
        this.#watchFolder(folder, name)
        this.#saved(name)
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
        watch(folder, { recursive: true }, (_, below) => below !== null && this.#saved(below)),
      )
    }
  }

  #saved(name: string): void {
    if (!isSource(name)) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#isChanged = true
      this.#tell?.()
    }, quietMs)
  }
  /** Resolves when a file has been saved since the last call. */
  changed(): Promise<'changed'> {
    return new Promise(done => {
      this.#tell = () => {
        if (!this.#isChanged) return
        this.#isChanged = false
        this.#tell = undefined
        done('changed')
      }
      this.#tell()
    })
  }
  close(): void {
    clearTimeout(this.#timer)
    for (const watcher of this.#watchers.values()) watcher.close()
  }
}

const isIgnored = (step: string) => ignored.includes(step) || step.startsWith('.')
const isSource = (name: string) => /\.(?:[cm]?[jt]s|json)$/.test(name) && !name.split(sep).some(isIgnored)
