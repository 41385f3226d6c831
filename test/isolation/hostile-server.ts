import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { orchProfile, Vendor } from 'orch/sdk'
import {
  type Client,
  connectionFromConfig,
  createClient,
  httpTransport,
  loadClientConfig,
  type ResourceClient,
} from 'orch/sdk/client'
import { pluginCollection } from '../../plugins/installed-plugins/plugins/resource.js'
import type { Plugin } from '../../plugins/installed-plugins/plugins/schema.js'
import { type RunningServer, startOrch } from '../support/start-orch.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const patienceMs = 120_000
const probePauseMs = 50
const vendor = new Vendor(orchProfile)

/** A log line about a problem, and when it was read. */
interface Line {
  readonly text: string
  readonly at: number
}

/** A server in a separate process into which hostile plugins are installed while other clients use it. */
export class HostileServer {
  readonly #server: RunningServer
  readonly #client: Client
  readonly #folder: ReturnType<typeof temporaryFolder>
  readonly #plugins: ResourceClient<Plugin>
  readonly #processesBefore: number
  readonly #ending = new AbortController()
  readonly #current = new Map<string, Plugin>()
  readonly #waiting = new Set<() => void>()
  readonly #lines: Line[] = []
  readonly #probes = { count: 0, bad: [] as string[] }
  readonly #background: readonly Promise<void>[]
  #read = 0
  /** From the line in the log to the status, in ms. */
  readonly delays: number[] = []

  private constructor(server: RunningServer, client: Client, folder: ReturnType<typeof temporaryFolder>) {
    this.#server = server
    this.#client = client
    this.#folder = folder
    this.#plugins = client.resource<Plugin>(pluginCollection(vendor))
    this.#processesBefore = this.#processes().length
    this.#background = [this.#follow(), this.#followLog(), this.#probe()]
  }

  static async start(): Promise<HostileServer> {
    const folder = temporaryFolder()
    const limits = ['--isolated-plugin-timeout=1500ms', '--isolated-plugin-start-timeout=10s']
    const flags = [
      '--plugin-folder',
      folder.path,
      ...limits,
      '--isolated-plugin-memory=64',
      '--isolated-plugin-restart-delay=5s',
    ]
    const server = await startOrch({ flags })
    const source = { vendor, environment: {}, path: server.adminConfig }
    const { transport } = await connectionFromConfig(await loadClientConfig(source), source)
    // Without retries, so that every failure is visible.
    const client = createClient({ transport: httpTransport(transport), retries: { busy: 0, lost: 0 } })
    return new HostileServer(server, client, folder)
  }

  async stop(): Promise<void> {
    this.#ending.abort()
    this.#wake()
    await Promise.all(this.#background)
    await this.#client.close()
    await this.#server.stop()
    this.#folder.remove()
  }

  /** Installs a package of these files. */
  async install(name: string, isolation: 'worker' | 'wasm', files: Record<string, string | Uint8Array>): Promise<void> {
    for (const [file, contents] of Object.entries(files)) {
      const path = join(this.#folder.path, name, file)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, contents)
    }
    await this.#plugins.create({ metadata: { name }, spec: { package: name, isolation } })
  }
  async loaded(name: string): Promise<void> {
    await this.#until(() => this.#current.get(name)?.status?.plugin === name || undefined, `${name} to be loaded`)
  }
  delete(name: string): Promise<unknown> {
    return this.#plugins.delete(name)
  }
  async unload(name: string): Promise<void> {
    await this.delete(name)
    await this.logged(name, /plugin unloaded/)
  }

  /** Waits for a text in the status, and for a log line with the plugin. */
  async told(name: string, said: RegExp): Promise<Plugin> {
    const find = () => {
      const plugin = this.#current.get(name)
      const { lastError = '', conditions = [] } = plugin?.status ?? {}
      return said.test(JSON.stringify([lastError, conditions])) ? plugin : undefined
    }
    const found = await this.#until(find, `the status of ${name} to say ${said}`)
    const now = performance.now()
    const { at } = await this.logged(name, /"(?:warn|error)"/)
    this.delays.push(now - at)
    return found
  }
  /** Waits for a line of the log that names the plugin. */
  logged(name: string, said: RegExp): Promise<Line> {
    const find = () => this.#lines.find(({ text }) => text.includes(name) && said.test(text))
    return this.#until(find, `the log to say ${said} of ${name}`)
  }

  /** Creates an object of the plugin's type once. */
  async trigger(name: string): Promise<string> {
    const things = this.#client.resource({ group: `${name}.test`, version: 'v1', resource: 'things' })
    return things.create({ metadata: { name: 'one' }, spec: {} }).then(
      () => '201',
      error => `${error.code} ${error.message}`,
    )
  }

  /** The results of requests of other clients so far. */
  get probes(): { readonly count: number; readonly bad: readonly string[] } {
    return this.#probes
  }
  /** Waits until no process of a plugin is left. */
  async allEnded(): Promise<void> {
    for (let turn = 0; this.#processes().length > this.#processesBefore; turn++) {
      if (turn === 100) throw new Error(`processes are left: ${this.#processes().join()}`)
      await setTimeout(100)
    }
  }

  /** One watch for all, because polling every object would cost more than the plugins. */
  async #follow(): Promise<void> {
    for await (const event of this.#plugins.watchWithResume({ signal: this.#ending.signal })) {
      for (const plugin of event.type === 'RELISTED' ? event.items : [event.object])
        this.#current.set(plugin.metadata?.name ?? '', plugin)
      this.#wake()
    }
  }
  async #followLog(): Promise<void> {
    while (!this.#ending.signal.aborted) {
      const output = this.#server.output()
      const end = output.lastIndexOf('\n') + 1
      const lines = output.slice(this.#read, end).split('\n').slice(0, -1)
      this.#lines.push(...lines.map(text => ({ text, at: performance.now() })))
      this.#read = Math.max(end, this.#read)
      if (lines.length > 0) this.#wake()
      await setTimeout(20)
    }
  }
  /** Sends requests of other clients continuously. */
  async #probe(): Promise<void> {
    const maps = this.#client.resource({ group: '', version: 'v1', resource: 'configmaps' }).in('default')
    while (!this.#ending.signal.aborted) {
      await maps.list({ limit: 1 }).catch(error => this.#probes.bad.push(String(error)))
      this.#probes.count++
      await setTimeout(probePauseMs)
    }
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake()
  }
  /** Checks after every change of an object and every log line. */
  async #until<T>(look: () => T | undefined, what: string): Promise<T> {
    const last = performance.now() + patienceMs
    for (;;) {
      const found = look()
      if (found !== undefined) return found
      if (performance.now() > last || this.#ending.signal.aborted) break
      const woken = new AbortController()
      const wake = () => woken.abort()
      this.#waiting.add(wake)
      await setTimeout(patienceMs, undefined, { signal: woken.signal }).catch(() => {})
      this.#waiting.delete(wake)
    }
    const logged = this.#lines.slice(-20).map(({ text }) => text.slice(0, 400))
    throw new Error(`timed out waiting for ${what}: ${JSON.stringify(logged)}`)
  }

  /** Processes that the server has started: the number of the parent is the second field after the name. */
  #processes(): string[] {
    return (process.platform === 'linux' ? readdirSync('/proc') : []).filter(entry => {
      if (!/^\d+$/.test(entry)) return false
      try {
        const stat = readFileSync(`/proc/${entry}/stat`, 'utf8')
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        return Number(parent) === this.#server.pid && state !== 'Z'
      } catch {
        return false
      }
    })
  }
}
