import { definePlugin, type PluginEntry, serviceToken, Type } from 'orch/sdk'
import { defineRoute } from 'orch/sdk/server'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  chairs,
  codesOf,
  collection,
  counting,
  furniture,
  group,
  lamps,
  running,
  serving,
} from './live-plugins-fixtures.js'

const host = suite('plugins that are loaded and unloaded at run time')

host('add types, controls, routes, health checks and loops, which are removed with them', () =>
  serving(async ({ kernel, call, make }) => {
    assert.is((await call(collection)).status, 404)
    await kernel.plugins.load(lamps('one'))
    assert.equal(await make('first'), { status: 201, madeBy: 'one', admittedBy: 'one' })
    assert.is((await call('/lamps')).text, 'one white')
    assert.match((await call('/readyz?verbose')).text, /\[\+\]lamps-one ok/)
    assert.match((await call('/apis')).text, /live\.example\.com/)
    assert.equal(running, ['one'])

    await kernel.plugins.unload('lamps')
    assert.is((await call(collection)).status, 404)
    assert.is((await call('/lamps')).status, 404)
    assert.not.match((await call('/readyz?verbose')).text, /lamps/)
    assert.not.match((await call('/apis')).text, /live\.example\.com/)
    assert.equal(running, [])

    await kernel.plugins.load(lamps('two'))
    assert.match((await call(collection)).text, /"first"/, 'objects stay stored')
  }),
)

host('are replaced under load: no request fails, and none sees parts of both versions', () =>
  serving(async ({ kernel, make, call }) => {
    await kernel.plugins.load(lamps('v0'))
    let isDone = false
    let count = 0
    const bad: unknown[] = []
    const client = async (id: number) => {
      for (let turn = 0; !isDone; turn++) {
        const made = await make(`lamp-${id}-${turn}`)
        if (made.status !== 201 || made.madeBy !== made.admittedBy) bad.push(made)
        const got = await call(`${collection}/lamp-${id}-${turn}`)
        if (got.status !== 200) bad.push(got)
        const page = await call('/lamps')
        if (page.status !== 200) bad.push(page)
        count += 3
      }
    }
    const clients = Array.from({ length: 16 }, (_, id) => client(id))
    for (let version = 1; version <= 20; version++) {
      await kernel.plugins.replace('lamps', lamps(`v${version}`))
      const before = count
      // Some requests with each version.
      while (count < before + 20) await new Promise(resolve => setImmediate(resolve))
    }
    isDone = true
    await Promise.all(clients)
    assert.equal(bad, [])
    assert.ok(count > 400)
    assert.equal(running, ['v20'])
    assert.equal((await make('last')).madeBy, 'v20')
  }),
)

host('keep serving if the new version does not boot, and the error says why', () =>
  serving(
    async ({ kernel, call, make }) => {
      await kernel.plugins.load(lamps('old'))
      const broken: Record<string, [PluginEntry, string]> = {
        'options that are not valid': [lamps('new')({ lampColor: 'x' }), 'ORCH_OPTION_INVALID'],
        'a register that throws': [
          lamps('new', () => {
            throw new Error('no light')
          }),
          'ORCH_PLUGIN_REGISTER_FAILED',
        ],
        'a missing requirement': [
          definePlugin({ ...lamps('new').definition, requires: ['sockets'] }),
          'ORCH_PLUGIN_REQUIREMENT_MISSING',
        ],
        'an option of another plugin': [
          definePlugin({ name: 'lamps', options: Type.Object({ dataDir: Type.String() }), register() {} }),
          'ORCH_OPTION_DUPLICATE',
        ],
        'a type of another plugin': [
          lamps('new', to => to.resource(chairs)),
          'ORCH_KIND_DUPLICATE ORCH_RESOURCE_DUPLICATE',
        ],
        'a start task that fails': [
          lamps('new', to => to.onStart({ name: 'fuse', run: () => Promise.reject(new Error('blown')) })),
          'ORCH_START_FAILED',
        ],
        'a loop that does not start': [
          lamps('new', to =>
            to.controller({
              name: 'spark',
              start() {
                throw new Error('no spark')
              },
            }),
          ),
          'ORCH_START_FAILED',
        ],
        'a service that cannot be built': [
          lamps('new', to => {
            const token = serviceToken<string>('lamps.power')
            to.service({
              token,
              create(): string {
                throw new Error('no power')
              },
            })
            to.route(defineRoute({ path: '/power', needs: { token }, handle: () => ({ body: '' }) }))
          }),
          'ORCH_START_FAILED',
        ],
        'another name': [definePlugin({ name: 'candles', register() {} }), 'ORCH_PLUGIN_RENAMED'],
        'a contribution that cannot be added at run time': [
          lamps('new', to => to.storeLayer({ name: 'shade', wrap: store => store })),
          'ORCH_PLUGIN_NOT_LIVE',
        ],
      }
      for (const [title, [plugin, codes]] of Object.entries(broken)) {
        const found = await codesOf(kernel.plugins.replace('lamps', plugin))
        assert.is([...new Set(found)].join(' '), codes, title)
        assert.is((await call('/lamps')).text, 'old white', title)
        assert.is((await call('/power')).status, 404, title)
        assert.equal(await make(title.replaceAll(' ', '-')), { status: 201, madeBy: 'old', admittedBy: 'old' })
        assert.equal(running, ['old'], title)
      }
    },
    [furniture],
  ),
)

host('end the watches of their types when they are unloaded or replaced, and no others', () =>
  serving(
    async ({ kernel, open }) => {
      await kernel.plugins.load(lamps('one'))
      const closing = new AbortController()
      const ended: string[] = []
      /** Resolves when the watch is open, to something that waits for its end. */
      const watch = async (title: string, path: string) => {
        const answer = await open(`${path}?watch=true`, closing.signal)
        assert.is(answer.status, 200)
        const ending = answer.text().then(
          () => void ended.push(title),
          () => {},
        )
        return { ending }
      }
      const other = await watch('chairs', `/apis/${group}/v1/chairs`)
      const first = await watch('first', collection)
      await kernel.plugins.replace('lamps', lamps('two'))
      await first.ending
      const second = await watch('second', collection)
      await kernel.plugins.unload('lamps')
      await second.ending
      assert.equal(ended, ['first', 'second'])
      closing.abort()
      await other.ending
    },
    [furniture],
  ),
)

host('cannot be unloaded if others require them or the config lists them', () =>
  serving(
    async ({ kernel }) => {
      await kernel.plugins.load(lamps('one'))
      await kernel.plugins.load(definePlugin({ name: 'shades', requires: ['lamps'], register() {} }))
      assert.equal(await codesOf(kernel.plugins.unload('lamps')), ['ORCH_PLUGIN_IN_USE'])
      assert.equal(await codesOf(kernel.plugins.load(lamps('two'))), ['ORCH_PLUGIN_LOADED'])
      assert.equal(await codesOf(kernel.plugins.unload('furniture')), ['ORCH_PLUGIN_FIXED'])
      assert.equal(await codesOf(kernel.plugins.replace('furniture', furniture)), ['ORCH_PLUGIN_FIXED'])
      assert.equal(await codesOf(kernel.plugins.unload('nothing')), ['ORCH_PLUGIN_UNKNOWN'])
      await kernel.plugins.unload('shades')
      await kernel.plugins.unload('lamps')
    },
    [furniture],
  ),
)

host('are ordered as requested, and keep their position when they are replaced', () =>
  serving(async ({ kernel, call }) => {
    const check = (name: string, title = name) =>
      definePlugin({ name, register: to => to.healthCheck({ name: title, check() {} }) })
    const order = async () => (await call('/livez?verbose')).text.match(/lamp-\w+/g)
    await kernel.plugins.load(check('lamp-last'))
    await kernel.plugins.load(check('lamp-first'), {}, { before: 'lamp-last' })
    assert.equal(await order(), ['lamp-first', 'lamp-last'])
    await kernel.plugins.replace('lamp-first', check('lamp-first', 'lamp-again'))
    await kernel.plugins.load(check('lamp-end'), {}, { before: 'nobody' })
    assert.equal(await order(), ['lamp-again', 'lamp-last', 'lamp-end'])
  }),
)

host('of the config may be replaced if it allows that, and are restored', () =>
  serving(
    async ({ kernel, call }) => {
      assert.equal(await codesOf(kernel.plugins.load(furniture)), ['ORCH_PLUGIN_FIXED'])
      await kernel.plugins.load(lamps('other'))
      assert.is((await call('/lamps')).text, 'other white')
      assert.equal(await codesOf(kernel.plugins.load(lamps('third'))), ['ORCH_PLUGIN_FIXED'])
      await kernel.plugins.replace('lamps', lamps('newer'))
      assert.is((await call('/lamps')).text, 'newer white')
      await kernel.plugins.unload('lamps')
      assert.is((await call('/lamps')).text, 'config white')
      assert.equal(await codesOf(kernel.plugins.unload('lamps')), ['ORCH_PLUGIN_FIXED'])
      assert.equal(running, ['config'])
    },
    [furniture, lamps('config')],
    { replaceablePlugins: ['lamps'] },
  ),
)

host('are reloaded with other options, and no other plugin is', () =>
  serving(async ({ kernel, call }) => {
    let started = 0
    const other = definePlugin({
      name: 'other',
      register: to =>
        to.controller({
          name: 'other',
          start() {
            started++
            return async () => {}
          },
        }),
    })
    await kernel.plugins.load(other)
    const plugin = lamps('one')
    await kernel.plugins.load(plugin, { lampColor: 'red' })
    assert.is((await call('/lamps')).text, 'one red')
    await kernel.plugins.replace('lamps', plugin, { lampColor: 'blue' })
    assert.is((await call('/lamps')).text, 'one blue')
    assert.is(started, 1)
  }),
)

host('provide their new services to the plugins that need them', () =>
  serving(async ({ kernel, call }) => {
    const light = serviceToken<string>('lamps.light')
    const withLight = (version: string) =>
      lamps(version, to => to.service({ token: light, create: () => `light of ${version}` }))
    await kernel.plugins.load(withLight('one'))
    await kernel.plugins.load(
      definePlugin({
        name: 'reader',
        requires: ['lamps'],
        register: to =>
          to.route(
            defineRoute({ path: '/light', needs: { light }, handle: (_, given) => ({ body: String(given.light) }) }),
          ),
      }),
    )
    assert.is((await call('/light')).text, 'light of one')
    await kernel.plugins.replace('lamps', withLight('two'))
    assert.is((await call('/light')).text, 'light of two')
    assert.equal(await codesOf(kernel.plugins.replace('lamps', lamps('three'))), ['ORCH_SERVICE_MISSING'])
    assert.is((await call('/light')).text, 'light of two')
  }),
)

host('declare their shared work again when they are replaced', () =>
  serving(async ({ kernel, call }) => {
    await kernel.plugins.load(counting('one'))
    assert.is((await call('/count')).text, 'counted by one')
    await kernel.plugins.replace('lamps', counting('two'))
    assert.is((await call('/count')).text, 'counted by two')
  }),
)

host('declare what they use of orch/sdk/proposed, or are not loaded', () =>
  serving(async ({ kernel, call }) => {
    assert.equal(await codesOf(kernel.plugins.load(counting('one', []))), ['ORCH_PLUGIN_PROPOSED'])
    assert.is((await call('/count')).status, 404)
    await kernel.plugins.load(counting('one'))
    assert.equal(await codesOf(kernel.plugins.replace('lamps', counting('two', []))), ['ORCH_PLUGIN_PROPOSED'])
    assert.is((await call('/count')).text, 'counted by one')
    const dropped = counting('two', ['sharedWork', 'telepathy'])
    assert.equal(await codesOf(kernel.plugins.replace('lamps', dropped)), ['ORCH_PLUGIN_PROPOSED_UNKNOWN'])
  }),
)

host.run()
