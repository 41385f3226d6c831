import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { orchProfile, Vendor } from 'orch/sdk'
import type { ResourceClient } from 'orch/sdk/client'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failing, failingAlone, notLoaded, sourceOf, type Variant } from './hostile-places-fixtures.js'
import { installedPlugins } from './plugin.js'
import { pluginCollection } from './plugins/resource.js'
import type { Plugin } from './plugins/schema.js'

const collection = pluginCollection(new Vendor(orchProfile))
const hostile = suite('hostile code in every place where plugins run')

const folder = mkdtempSync(join(tmpdir(), 'orch-hostile-'))
/** What was logged, and when. */
const lines: { readonly text: string; readonly at: number }[] = []
let server: TestServer
let plugins: ResourceClient<Plugin>
let childrenBefore = 0
/** From the line in the log to the status. */
const delays: number[] = []
const probes = { count: 0, bad: [] as string[], isDone: false, ended: Promise.resolve() }

hostile.before(async () => {
  server = await startServer({
    plugins: ['namespaces', 'configuration', 'authentication', 'authorization'].map(name => `orch/plugins/${name}`),
    morePlugins: [installedPlugins],
    options: {
      pluginFolder: folder,
      isolatedPluginTimeout: '1500ms',
      isolatedPluginStartTimeout: '10s',
      isolatedPluginMemory: 64,
    },
    log: text => void lines.push({ text, at: performance.now() }),
  })
  plugins = server.client.resource<Plugin>(collection)
  childrenBefore = children().length
  probes.ended = probe()
})
hostile.after(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

/** Others are served all the time. */
async function probe(): Promise<void> {
  while (!probes.isDone) {
    const { status } = await fetch(`${server.baseUrl}/api/v1/namespaces/default/configmaps`, {
      headers: { authorization: `Bearer ${server.token}` },
    })
    probes.count++
    if (status !== 200) probes.bad.push(String(status))
    await setTimeout(20)
  }
}

async function install(name: string, variant: Variant): Promise<void> {
  writeFileSync(join(folder, `${name}.ts`), sourceOf(name, variant))
  await plugins.create({ metadata: { name }, spec: { package: `${name}.ts`, isolation: 'worker' } })
}

const textOf = ({ status }: Plugin): string => JSON.stringify([status?.lastError ?? '', status?.conditions ?? []])

/** Waits for what the status says, and for the log to name the plugin. */
async function told(name: string, said: RegExp): Promise<Plugin> {
  const found = await until(async () => {
    const plugin = await plugins.find(name)
    return plugin && said.test(textOf(plugin)) ? plugin : undefined
  }, `the status of ${name} to say ${said}`)
  const now = performance.now()
  const line = lines.find(({ text }) => text.includes(name) && /warn|error/i.test(text))
  assert.ok(line, `the log names ${name}`)
  delays.push(now - line.at)
  return found
}

async function until<T>(look: () => Promise<T | undefined>, what: string): Promise<T> {
  for (let turn = 0; turn < 4000; turn++) {
    const found = await look()
    if (found !== undefined) return found
    await setTimeout(15)
  }
  throw new Error(
    `waited in vain for ${what}: ${JSON.stringify(lines.slice(-20).map(({ text }) => text.slice(0, 400)))}`,
  )
}

async function remove(name: string): Promise<void> {
  await plugins.delete(name)
  await until(
    async () => (lines.some(({ text }) => text.includes(name) && text.includes('plugin unloaded')) ? true : undefined),
    `${name} to be unloaded`,
  )
}

/** Creates an object of the plugin's type once, without asking again when the answer is 503. */
async function trigger(name: string): Promise<string> {
  const answer = await fetch(`${server.baseUrl}/apis/${name}.test/v1/things`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ metadata: { name: 'one' }, spec: {} }),
  })
  return `${answer.status} ${await answer.text()}`
}

/** Processes that this one has started: the number of the parent is the second field after the name. */
const children = (): string[] =>
  (process.platform === 'linux' ? readdirSync('/proc') : []).filter(entry => {
    if (!/^\d+$/.test(entry)) return false
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8')
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return Number(parent) === process.pid && state !== 'Z'
    } catch {
      return false
    }
  })

/** Runs all variants of a table at the same time; the server loads their plugins one after the other. */
async function forAll(
  table: Readonly<Record<string, Variant>>,
  run: (name: string, variant: Variant) => Promise<void>,
): Promise<void> {
  await Promise.all(
    Object.entries(table).map(([title, variant]) => {
      const name = `h-${title.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`
      return run(name, variant).catch((error: unknown) => assert.unreachable(`${title}: ${error}`))
    }),
  )
}

hostile('one that cannot be loaded says why', () =>
  forAll(notLoaded, async (name, variant) => {
    await install(name, variant)
    const { status } = await told(name, variant.said)
    assert.is(status?.conditions?.find(({ type }) => type === 'Loaded')?.status, 'False')
    await plugins.delete(name)
  }),
)

hostile('one that fails in a request is named by the answer and by its status', () =>
  forAll(failing, async (name, variant) => {
    await install(name, variant)
    await until(async () => ((await plugins.find(name))?.status?.plugin === name ? true : undefined), `${name}`)
    assert.match(await trigger(name), new RegExp(`^50[03] .*plugin \\\\"${name}\\\\"`))
    await told(name, variant.said)
    await remove(name)
  }),
)

hostile('one that fails by itself is named by its status', () =>
  forAll(failingAlone, async (name, variant) => {
    await install(name, variant)
    await told(name, variant.said)
    await remove(name)
  }),
)

hostile('meanwhile others were served, each was named within a second, and nothing of them is left', async () => {
  probes.isDone = true
  await probes.ended
  assert.equal(probes.bad, [])
  assert.ok(probes.count > 50, `${probes.count} probes`)
  const sorted = delays.toSorted((a, b) => a - b)
  // Half of them: a machine that does other things may hold up a few.
  assert.ok((sorted[sorted.length >> 1] ?? 0) < 1000, `from the log to the status: ${sorted.map(Math.round).join()} ms`)
  await until(async () => (children().length === childrenBefore ? true : undefined), 'processes to end')
})

hostile.run()
