import { quotas } from 'orch/plugins/quotas'
import { Kind, type PluginEntry, type Registrar, services, serviceToken, Type } from 'orch/sdk'
import { sdkVersion } from 'orch/sdk/host'
import { defineAuthorizer } from 'orch/sdk/identity'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { aPlugin, inFolder, problemsOf } from './boot-request.js'

const problems = suite('boot problems of plugins')

const brings = (name: string, register: (to: Registrar) => void) => aPlugin(name, { register })
const versions = [{ name: 'v1', schema: Kind('acme.v1.Widget', {}) }]
const widgets = { group: 'acme.test', kind: 'Widget', resource: 'widgets', namespaced: true, versions }
let count = 0
const control = { name: 'Control', phase: 'validate', sideEffects: 'none', review() {} } as const
const allow = defineAuthorizer({ mode: 'Sample', authorize: () => ({ decision: 'allow' }) })
const knock = { name: 'knock', kind: 'request', authenticate: () => undefined } as const
const missing = serviceToken<unknown>('missing-one')
const left = serviceToken<unknown>('left')
const right = serviceToken<unknown>('right')

interface Case {
  readonly plugins: readonly PluginEntry[]
  readonly code: string
  readonly plugin: string
  /** Another name the message must contain. */
  readonly names?: string
}
const twice = (code: string, names: string, register: (to: Registrar) => void): Case => ({
  plugins: [brings('first', register), brings('second', register)],
  code,
  plugin: 'second',
  names,
})
const cases: Record<string, Case> = {
  'two plugins of one name': {
    plugins: [aPlugin('twin'), aPlugin('twin')],
    code: 'ORCH_PLUGIN_DUPLICATE',
    plugin: 'twin',
    names: 'entry 2',
  },
  'a resource of two plugins': twice('ORCH_RESOURCE_DUPLICATE', 'widgets.acme.test', to =>
    to.resource({ ...widgets, kind: `K${++count}` }),
  ),
  'a kind of two plugins': twice('ORCH_KIND_DUPLICATE', 'Widget.acme.test', to =>
    to.resource({ ...widgets, resource: `r${++count}` }),
  ),
  'a control of two plugins': twice('ORCH_ADMISSION_DUPLICATE', 'Control', to => to.admission(control)),
  'an authenticator of two plugins': twice('ORCH_AUTHENTICATOR_DUPLICATE', 'knock', to => to.authenticator(knock)),
  'an authorization mode of two plugins': twice('ORCH_AUTHORIZER_DUPLICATE', 'Sample', to => to.authorizer(allow)),
  'a route of two plugins': twice('ORCH_ROUTE_DUPLICATE', '/x', to =>
    to.route({ path: '/x', handle: () => ({ body: '' }) }),
  ),
  'a console page of two plugins': twice('ORCH_CONSOLE_PAGE_DUPLICATE', 'map', to =>
    to.consolePage({ name: 'map', title: 'Map', module: '/map.js' }),
  ),
  'a controller of two plugins': twice('ORCH_CONTROLLER_DUPLICATE', 'loop', to =>
    to.controller({ name: 'loop', start: () => async () => {} }),
  ),
  'a storage engine of two plugins': twice('ORCH_STORAGE_DUPLICATE', 'memory', to =>
    to.storage({ name: 'memory', open: () => Promise.reject(new Error('never')) }),
  ),
  'a store layer of two plugins': twice('ORCH_STORE_LAYER_DUPLICATE', 'shell', to =>
    to.storeLayer({ name: 'shell', wrap: store => store }),
  ),
  'a health check of two plugins': twice('ORCH_HEALTH_CHECK_DUPLICATE', 'ping', to =>
    to.healthCheck({ name: 'ping', check() {} }),
  ),
  'a command of two plugins': twice('ORCH_COMMAND_DUPLICATE', 'hello', to =>
    to.command({ name: 'hello', summary: '', run: async () => 0 }),
  ),
  'a service of two plugins': twice('ORCH_SERVICE_DUPLICATE', 'left', to =>
    to.service({ token: left, create: () => 1 }),
  ),
  'a plugin that provides a service of the kernel': {
    plugins: [
      brings('greedy', to =>
        to.service({ token: services.clock, create: () => ({ now: () => 0, after: () => () => {} }) }),
      ),
    ],
    code: 'ORCH_SERVICE_DUPLICATE',
    plugin: 'greedy',
    names: 'clock',
  },
  'a command that is built in': {
    plugins: [brings('greedy', to => to.command({ name: 'serve', summary: '', run: async () => 0 }))],
    code: 'ORCH_COMMAND_DUPLICATE',
    plugin: 'greedy',
    names: 'kernel',
  },
  'an option of two plugins': {
    plugins: ['one', 'two'].map(name =>
      aPlugin(name, { options: Type.Object({ same: Type.Optional(Type.String()) }) }),
    ),
    code: 'ORCH_OPTION_DUPLICATE',
    plugin: 'two',
    names: 'one',
  },
  'an option of the kernel': {
    plugins: [aPlugin('greedy', { options: Type.Object({ securePort: Type.Optional(Type.Integer()) }) })],
    code: 'ORCH_OPTION_DUPLICATE',
    plugin: 'greedy',
    names: 'kernel',
  },
  'a requirement that is not enabled': {
    plugins: [aPlugin('needy', { requires: ['ghost'] })],
    code: 'ORCH_PLUGIN_REQUIREMENT_MISSING',
    plugin: 'needy',
    names: 'ghost',
  },
  'circular requirements': {
    plugins: [aPlugin('egg', { requires: ['hen'] }), aPlugin('hen', { requires: ['egg'] })],
    code: 'ORCH_PLUGIN_REQUIREMENT_CYCLE',
    plugin: 'egg',
    names: 'egg -> hen -> egg',
  },
  'an sdk that is too new': {
    plugins: [aPlugin('future', { sdk: '^99.0.0' })],
    code: 'ORCH_PLUGIN_SDK_RANGE',
    plugin: 'future',
    names: sdkVersion,
  },
  'an invalid sdk range': {
    plugins: [aPlugin('odd', { sdk: 'newest please' })],
    code: 'ORCH_PLUGIN_INVALID',
    plugin: 'odd',
    names: 'newest please',
  },
  'a plugin with an invalid name': {
    plugins: [aPlugin('My Plugin')],
    code: 'ORCH_PLUGIN_INVALID',
    plugin: 'My Plugin',
  },
  'a plugin with the name of the kernel': {
    plugins: [aPlugin('kernel')],
    code: 'ORCH_PLUGIN_INVALID',
    plugin: 'kernel',
  },
  'a plugin without register': {
    plugins: [aPlugin('empty', { register: undefined } as unknown as { register(): void })],
    code: 'ORCH_PLUGIN_INVALID',
    plugin: 'empty',
    names: 'register',
  },
  'an entry that is not a plugin': {
    plugins: [{} as PluginEntry],
    code: 'ORCH_PLUGIN_INVALID',
    plugin: 'entry 1',
    names: 'definePlugin',
  },
  'a package that is not installed': {
    plugins: ['no-such-package-here'],
    code: 'ORCH_PLUGIN_NOT_FOUND',
    plugin: 'no-such-package-here',
  },
  'a register that throws': {
    plugins: [
      brings('broken', () => {
        throw new Error('the moon is full')
      }),
    ],
    code: 'ORCH_PLUGIN_REGISTER_FAILED',
    plugin: 'broken',
    names: 'the moon is full',
  },
  'a register that waits': {
    plugins: [aPlugin('patient', { register: (async () => {}) as unknown as () => void })],
    code: 'ORCH_PLUGIN_REGISTER_ASYNC',
    plugin: 'patient',
    names: 'onStart',
  },
  'a service that no plugin provides': {
    plugins: [brings('needy', to => to.admission({ ...control, needs: { it: missing } }))],
    code: 'ORCH_SERVICE_MISSING',
    plugin: 'needy',
    names: 'missing-one',
  },
  'a service that no plugin provides, for an action on a resource': {
    plugins: [
      brings('needy', to =>
        to.resource({
          ...widgets,
          subresources: {
            spin: {
              kind: 'action',
              group: '',
              version: 'v1',
              objectKind: 'Spin',
              schema: Kind('acme.v1.Spin', {}),
              handlers: {},
              needs: { it: missing },
            },
          },
        }),
      ),
    ],
    code: 'ORCH_SERVICE_MISSING',
    plugin: 'needy',
    names: 'widgets/spin',
  },
  'services that need each other': {
    plugins: [
      brings('one', to => to.service({ token: left, needs: { right }, create: () => 1 })),
      brings('two', to => to.service({ token: right, needs: { left }, create: () => 2 })),
    ],
    code: 'ORCH_SERVICE_CYCLE',
    plugin: 'one',
    names: 'left -> right -> left',
  },
}
for (const [title, { plugins, code, plugin, names }] of Object.entries(cases)) {
  problems(`name the plugin of ${title}`, async () => {
    const found = await problemsOf(plugins)
    assert.equal(
      found.map(p => ({ code: p.code, plugin: p.plugin })),
      [{ code, plugin }],
    )
    const message = found[0]?.message ?? ''
    assert.ok(message.includes(plugin) && message.includes(names ?? plugin), message)
    assert.not.match(message, /\n/)
  })
}

problems('are reported together', async () => {
  const found = await problemsOf([
    aPlugin('needy', { requires: ['ghost'] }),
    aPlugin('future', { sdk: '^99.0.0' }),
    brings('broken', () => {
      throw new Error('no')
    }),
    aPlugin('strict', { options: Type.Object({ url: Type.String() }) }),
    './no-such-file.ts',
  ])
  assert.equal(found.map(p => p.code).sort(), [
    'ORCH_OPTION_INVALID',
    'ORCH_PLUGIN_NOT_FOUND',
    'ORCH_PLUGIN_REGISTER_FAILED',
    'ORCH_PLUGIN_REQUIREMENT_MISSING',
    'ORCH_PLUGIN_SDK_RANGE',
  ])
})

problems('name the file that exports no plugin, or several', () =>
  inFolder(
    {
      'none.mjs': 'export const nothing = 1',
      'several.ts': `import { definePlugin } from 'orch/sdk'
export const one = definePlugin({ name: 'one', register() {} })
export const two = definePlugin({ name: 'two', register() {} })`,
    },
    async dir => {
      const found = await problemsOf(['./none.mjs', './several.ts'], { configDir: dir })
      assert.equal(
        found.map(p => [p.code, p.plugin]),
        [
          ['ORCH_PLUGIN_INVALID', './none.mjs'],
          ['ORCH_PLUGIN_INVALID', './several.ts'],
        ],
      )
    },
  ),
)

problems('are absent for plugins without conflicts', async () => {
  const found = await problemsOf([
    brings('user', to => to.onStart({ name: 'use', needs: { left, clock: services.clock }, run() {} })),
    brings('provider', to => to.service({ token: left, needs: { log: services.logger }, create: () => 1 })),
  ])
  assert.equal(found, [])
})
problems('quotas do not boot without the plugin of namespaces', async () => {
  const found = await problemsOf([quotas])
  assert.equal(
    found.map(({ code, details }) => ({ code, details })),
    [{ code: 'ORCH_PLUGIN_REQUIREMENT_MISSING', details: { plugin: 'quotas', requires: 'namespaces' } }],
  )
})

problems.run()
