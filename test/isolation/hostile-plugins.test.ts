import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failing, failingAlone, notLoaded, sourceOf, staying, type Variant } from './hostile-faults.js'
import { hostileModules, packageOf } from './hostile-modules.js'
import { HostileServer } from './hostile-server.js'

const hostile = suite('hostile code in every place where plugins run')

let server: HostileServer
hostile.before(async () => {
  server = await HostileServer.start()
})
hostile.after(() => server.stop())

const install = (name: string, variant: Variant) =>
  server.install(name, 'worker', {
    'plugin.mjs': sourceOf(name, variant),
    'package.json': JSON.stringify({ name, version: '1.0.0', main: 'plugin.mjs' }),
  })

/** Runs all variants of a table at the same time; the server loads their plugins one after the other. */
async function forAll<V>(
  table: Readonly<Record<string, V>>,
  run: (name: string, variant: V) => Promise<void>,
): Promise<void> {
  await Promise.all(
    Object.entries(table).map(([title, variant]) => {
      const name = `h-${title.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`
      return run(name, variant).catch((error: unknown) => assert.unreachable(`${title}: ${error}`))
    }),
  )
}
const failedBy = (name: string) => new RegExp(`^50[03] .*plugin "${name}"`)

hostile('one that cannot be loaded reports the reason', () =>
  forAll(notLoaded, async (name, variant) => {
    await install(name, variant)
    const { status } = await server.told(name, variant.said)
    assert.is(status?.conditions?.find(({ type }) => type === 'Loaded')?.status, 'False')
    await server.delete(name)
  }),
)

hostile('one that fails in a request is named in the response and in its status', () =>
  forAll(failing, async (name, variant) => {
    await install(name, variant)
    await server.loaded(name)
    assert.match(await server.trigger(name), failedBy(name))
    await server.told(name, variant.said)
    await server.unload(name)
  }),
)

hostile('one that fails in the background or in its loop is reported in its status', () =>
  forAll(failingAlone, async (name, variant) => {
    await install(name, variant)
    if (variant.place === 'reconcile') {
      await server.loaded(name)
      await server.trigger(name)
    }
    await server.told(name, variant.said)
    await server.unload(name)
  }),
)

hostile('one that resists being unloaded is unloaded, and that is logged', () =>
  forAll(staying, async (name, variant) => {
    await install(name, variant)
    await server.loaded(name)
    assert.is(await server.trigger(name), '201')
    await server.unload(name)
    if (variant.code !== staying['stop: leaks']?.code) await server.logged(name, variant.said)
  }),
)

hostile('a misbehaving WebAssembly module is named in the response and in its status', () =>
  forAll(hostileModules, async (title, { bytes, said }) => {
    const name = `wasm-${title}`
    await server.install(name, 'wasm', { 'module.wasm': bytes, 'package.json': packageOf(name) })
    await server.loaded(name)
    for (let tries = 0; tries < 2; tries++) {
      const answer = await server.trigger(name)
      assert.match(answer, failedBy(name))
      assert.match(answer, said)
    }
    await server.told(name, said)
    await server.unload(name)
  }),
)

hostile(
  'meanwhile other requests were served, each failure was reported within a second, and nothing is leaked',
  async () => {
    assert.equal(server.probes.bad, [])
    assert.ok(server.probes.count > 50, `${server.probes.count} probes`)
    const sorted = server.delays.toSorted((a, b) => a - b)
    // The median, because a busy machine may delay a few.
    assert.ok(
      (sorted[sorted.length >> 1] ?? 0) < 1000,
      `from the log to the status: ${sorted.map(Math.round).join()} ms`,
    )
    await server.allEnded()
  },
)

hostile.run()
