import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { orchProfile, Type, type VendorProfile } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { bootPlugins } from '../../kernel/boot/boot-plugins.js'
import { loadConfig } from '../../kernel/boot/load-config.js'
import { BootError } from '../../kernel/contracts/boot-errors.js'
import { storageEtcd } from '../../plugins/storage-etcd/plugin.js'
import { storageMemory } from '../../plugins/storage-memory/plugin.js'
import { aPlugin, inFolder, problemsOf } from './boot-request.js'

const config = suite('config, flags and vendor')

const tuned = aPlugin('tuned', { options: Type.Object({ pendingHours: Type.Integer({ minimum: 1, default: 24 }) }) })
const seen = async (flags: string[], keys = {}, plugins = [tuned]) =>
  (await problemsOf(plugins, { flags, keys })).map(p => ({ code: p.code, plugin: p.plugin, details: p.details }))

config('a flag sets an option of the plugin that declares it', async () => {
  const booted = await bootPlugins({ config: { plugins: [tuned({ pendingHours: 2 })] }, flags: ['--pending-hours=7'] })
  assert.equal(booted.problems, [])
  assert.equal(booted.optionsOf('tuned'), { pendingHours: 7 })
})

config('pass the validated options to register', async () => {
  let received: unknown
  const plugin = aPlugin('curious', {
    options: Type.Object({ size: Type.Integer({ default: 3 }) }),
    register: (_, { options }) => void (received = options),
  })
  await problemsOf([plugin], { keys: { size: 5 } })
  assert.equal(received, { size: 5 })
})

config('report an invalid option with plugin and path', async () => {
  assert.equal(await seen([], { pendingHours: 'many' }), [
    {
      code: 'ORCH_OPTION_INVALID',
      plugin: 'tuned',
      details: { plugin: 'tuned', path: 'pendingHours', why: 'expected an integer of at least 1' },
    },
  ])
})

config('report a negative duration', async () => {
  const found = await seen(['--request-timeout=-5s'])
  assert.equal(found[0]?.details, { flag: '--request-timeout', value: '-5s', expected: 'a duration such as 30s or 5m' })
})

config('report an unknown config key, with the nearest known one', async () => {
  const found = await seen([], { pendingHour: 1 })
  assert.equal(found[0]?.details, { option: 'pendingHour', suggestion: 'pendingHours' })
  assert.is(found[0]?.code, 'ORCH_OPTION_UNKNOWN')
})

config('report an unknown flag, unless a plugin that may own it could not be loaded', async () => {
  assert.is((await seen(['--no-such-thing=1']))[0]?.code, 'ORCH_FLAG_UNKNOWN')
  const found = await problemsOf(['./absent.ts'], { flags: ['--no-such-thing=1'] })
  assert.equal(
    found.map(p => p.code),
    ['ORCH_PLUGIN_NOT_FOUND'],
  )
})

config('servers of an engine that was not chosen', async () => {
  const flags = ['--etcd-servers=http://10.0.0.1:2379']
  const found = await problemsOf([storageEtcd], { flags })
  assert.equal(
    found.map(({ code, details }) => [code, details]),
    [
      [
        'ORCH_OPTION_INVALID',
        {
          plugin: 'kernel',
          path: 'storageEngine',
          why: 'etcdServers is set, but the engine is "lmdb": choose "etcd"',
        },
      ],
    ],
  )
  for (const engine of ['etcd', 'memory'])
    assert.equal(
      await problemsOf([storageEtcd, storageMemory], { flags: [...flags, `--storage-engine=${engine}`] }),
      [],
    )
})

const kernelRules: Record<string, { flags: string[]; path: string }> = {
  'TLS off on an address that is not loopback': { flags: ['--tls=false', '--bind-address=0.0.0.0'], path: 'tls' },
  'a certificate without its key': { flags: [`--tls-cert-file=${import.meta.filename}`], path: 'tlsPrivateKeyFile' },
  'a key without its certificate': { flags: [`--tls-private-key-file=${import.meta.filename}`], path: 'tlsCertFile' },
  'an admission control that does not exist': {
    flags: ['--enable-admission-plugins=Nope'],
    path: 'enableAdmissionPlugins',
  },
  'a file that does not exist': { flags: ['--audit-policy-file=nope.yaml'], path: 'auditPolicyFile' },
  'a bookmark interval of zero': { flags: ['--watch-bookmark-interval=0'], path: 'watchBookmarkInterval' },
  'a group that no plugin serves': { flags: ['--runtime-config=nope.orch.io/v1=false'], path: 'runtimeConfig' },
  'a storage engine that does not exist': { flags: ['--storage-engine=tape'], path: 'storageEngine' },
  'a controller that does not exist': { flags: ['--controllers=*,-nope'], path: 'controllers' },
  'a renew deadline beyond the lease duration': {
    flags: ['--leader-elect-lease-duration=10s', '--leader-elect-renew-deadline=10s'],
    path: 'leaderElectRenewDeadline',
  },
  'a renew deadline shorter than two retries': {
    flags: ['--leader-elect-renew-deadline=2s', '--leader-elect-retry-period=2s'],
    path: 'leaderElectRetryPeriod',
  },
  'a lease of less than a second': {
    flags: [
      '--leader-elect-lease-duration=900ms',
      '--leader-elect-renew-deadline=500ms',
      '--leader-elect-retry-period=10ms',
    ],
    path: 'leaderElectLeaseDuration',
  },
}
for (const [title, { flags, path }] of Object.entries(kernelRules)) {
  config(`refuse ${title}`, async () => {
    const found = await seen(flags)
    assert.is(found[0]?.code, 'ORCH_OPTION_INVALID')
    assert.is((found[0]?.details as { path?: string } | undefined)?.path, path)
  })
}

config('allow a server without control loops', async () => {
  for (const none of ['-*', '']) assert.equal(await seen([`--controllers=${none}`]), [])
})

config('allow TLS to be off on loopback', async () => {
  for (const address of ['127.0.0.1', '::1', 'localhost', '127.9.9.9']) {
    assert.equal(await seen(['--tls=false', '--bind-address', address]), [])
  }
})

config('choose the vendor by flag, then by config, and pass it to every plugin', async () => {
  let name = ''
  const plugin = aPlugin('curious', { register: (_, { vendor }) => void (name = vendor.name) })
  const booted = await bootPlugins({ config: { plugins: [plugin], vendor: 'orch' }, flags: ['--vendor=kubernetes'] })
  assert.equal(booted.problems, [])
  assert.is(name, 'kubernetes')
  assert.is(booted.kernelOptions.vendor, 'kubernetes')
})

config('accept a vendor profile that is plain data', async () => {
  const acme: VendorProfile = { ...orchProfile, name: 'acme', domain: 'acme.test' }
  const booted = await bootPlugins({ config: { plugins: [], vendor: acme } })
  assert.equal(booted.problems, [])
  assert.is(booted.vendor.qualify('x'), 'acme.test/x')
})

config('report a vendor that does not exist or is incomplete', async () => {
  assert.is((await seen([], { vendor: 'toString' }))[0]?.code, 'ORCH_VENDOR_UNKNOWN')
  const found = await seen([], { vendor: { name: 'acme', domain: 'acme.test' } })
  assert.is(found[0]?.code, 'ORCH_VENDOR_INVALID')
  assert.ok((found[0]?.details as { missing: string[] } | undefined)?.missing.includes('groupDomain'))
})

const loadFailure = async (work: Promise<unknown>) => {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  assert.instance(thrown, BootError)
  return (thrown as BootError).problems[0]?.code
}
config('report a config file that is missing or unusable', () =>
  inFolder(
    { 'empty.mjs': 'export const x = 1', 'broken.ts': 'export default {', 'list.mjs': 'export default {}' },
    async dir => {
      assert.is(await loadFailure(loadConfig('nope.ts', dir)), 'ORCH_CONFIG_MISSING')
      assert.is(await loadFailure(loadConfig('broken.ts', dir)), 'ORCH_CONFIG_LOAD_FAILED')
      for (const name of ['empty.mjs', 'list.mjs']) {
        assert.is(await loadFailure(loadConfig(name, dir)), 'ORCH_CONFIG_INVALID')
      }
    },
  ),
)

const pluginFile = (name: string) => `import { definePlugin, services } from 'orch/sdk'
export const plugin = definePlugin({ name: '${name}', register(to) { to.onStart({ name: 'x', needs: { clock: services.clock }, run() {} }) } })`
for (const ending of ['ts', 'mts', 'mjs', 'js']) {
  config(`load orch.config.${ending} of a folder without this package, and plugins by path`, () =>
    inFolder(
      {
        'package.json': '{"type":"module"}',
        'typed.ts': pluginFile('typed'),
        'plain.mjs': pluginFile('plain'),
        [`orch.config.${ending}`]: `import { defineConfig } from 'orch/sdk'
export default defineConfig({ plugins: ['./typed.ts', './plain.mjs'], securePort: 0 })`,
      },
      async dir => {
        const loaded = await loadConfig(undefined, dir)
        const booted = await bootPlugins({ config: loaded.config, configDir: loaded.dir })
        // No service is missing: the loaded files use our copy of the sdk, so the tokens are identical.
        assert.equal(booted.problems, [])
        assert.equal(
          booted.found.map(({ definition }) => definition.name),
          ['typed', 'plain'],
        )
        assert.is(booted.kernelOptions.securePort, 0)
      },
    ),
  )
}

config('find plugins by package name, resolved from the folder of the config, and our own by theirs', () =>
  inFolder({}, async dir => {
    const packageDir = join(dir, 'node_modules', '@acme', 'gadgets')
    mkdirSync(packageDir, { recursive: true })
    const manifest = { name: '@acme/gadgets', type: 'module', exports: { import: './index.js' } }
    writeFileSync(join(packageDir, 'package.json'), JSON.stringify(manifest))
    writeFileSync(join(packageDir, 'index.js'), pluginFile('gadgets'))
    const plugins = ['@acme/gadgets', 'orch/plugins/configuration']
    const booted = await bootPlugins({ config: { plugins }, configDir: dir })
    assert.equal(booted.problems, [])
    assert.equal(
      booted.found.map(({ definition }) => definition.name),
      ['gadgets', 'configuration'],
    )
  }),
)

config('fall back to the configuration of this package in a folder without one', () =>
  inFolder({}, async dir => {
    const loaded = await loadConfig(undefined, dir)
    assert.ok(Array.isArray(loaded.config.plugins))
    assert.match(loaded.path, /orch\.config\.js$/)
  }),
)
config.run()
