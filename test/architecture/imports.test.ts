import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { importsOf } from './imports-of.js'
import { shelves } from './sdk-surface.js'
import { type Source, sources } from './sources.js'

const schemaLibraries = libraries('cel', 'json-schema', 'patterns', 'schema-cel')
/**
 * Which folder may import which. This table is authoritative. The row with the longest matching folder applies; `{plugin}` is
 * the plugin folder of the file. `node:` is allowed everywhere, relative imports only where a row names the folder.
 */
const table: readonly { from: string; may: readonly string[]; testsAlso?: readonly string[] }[] = [
  // Independent of orch: other projects could use it unchanged.
  { from: 'libs/', may: ['libs/'], testsAlso: ['uvu', 'fast-check'] },
  { from: 'libs/cel/', may: ['libs/cel/', 'libs/patterns/index.ts', 're2js'], testsAlso: ['uvu', 'fast-check'] },
  { from: 'libs/container-streams/', may: ['libs/container-streams/', 'libs/spdy/index.ts', 'ws'], testsAlso: ['uvu'] },
  { from: 'libs/patterns/', may: ['libs/patterns/'], testsAlso: ['uvu', 're2js'] },
  // The only definition of names, quantities and addresses of Kubernetes, also independent of the server.
  { from: 'libs/json-schema/', may: ['libs/json-schema/', ...libraries('json'), 'orch/sdk/validation'] },
  {
    from: 'libs/schema-cel/',
    may: [
      'libs/schema-cel/',
      ...libraries('cel', 'json', 'json-schema', 'patterns'),
      'orch/sdk/validation',
      're2js',
      'semver',
    ],
    testsAlso: ['uvu', 'fast-check'],
  },

  {
    from: 'sdk/',
    may: ['sdk/', ...libraries('json', 'json-path'), '@sinclair/typebox', 'ipaddr.js'],
    testsAlso: ['uvu', 'fast-check', 'rfc6902', 'test/support/'],
  },
  { from: 'sdk/client/', may: ['sdk/', 'undici'], testsAlso: ['uvu', 'fast-check', 'rfc6902', 'test/support/'] },
  {
    from: 'sdk/client-config/',
    may: ['sdk/', 'undici', 'yaml', '@sinclair/typebox'],
    testsAlso: ['uvu', 'fast-check', 'test/support/', 'yaml'],
  },
  // One YAML parser for everything; the other library is for editing files with comments.
  { from: 'sdk/yaml/', may: ['sdk/', ...libraries('json'), 'js-yaml'], testsAlso: ['uvu', 'fast-check', 'yaml'] },
  // The test kit boots a real kernel: the one way from the sdk to the kernel.
  {
    from: 'sdk/testing/',
    may: ['sdk/', 'kernel/index.ts', 'undici', '@peculiar/x509', 'reflect-metadata', '@sinclair/typebox', 'fast-check'],
    testsAlso: ['uvu'],
  },

  { from: 'kernel/', may: ['kernel/', ...kernelLibraries(), 'orch/sdk', 'orch/sdk/host'], testsAlso: kernelTests() },
  {
    from: 'kernel/server/',
    may: ['kernel/', ...kernelLibraries(), 'orch/sdk', 'orch/sdk/host', 'reflect-metadata', 'prom-client'],
    testsAlso: kernelTests(),
  },
  { from: 'kernel/wasm/', may: ['kernel/', ...kernelLibraries(), 'orch/sdk', '@sinclair/typebox'], testsAlso: ['uvu'] },
  { from: 'kernel/wasm/testing/', may: ['libs/wasm-metering/testing/'] },
  {
    from: 'kernel/loops/',
    may: ['kernel/', ...kernelLibraries(), 'orch/sdk', 'orch/sdk/host', 'prom-client'],
    testsAlso: kernelTests(),
  },
  { from: 'kernel/main.ts', may: ['kernel/', ...kernelLibraries(), 'orch/sdk', 'orch/sdk/host', 'reflect-metadata'] },
  {
    from: 'kernel/boot/',
    may: ['kernel/', ...kernelLibraries(), 'orch/sdk', 'orch/sdk/host', '@sinclair/typebox', 'jiti', 'semver'],
    testsAlso: kernelTests(),
  },
  {
    from: 'kernel/options/',
    may: ['kernel/', ...kernelLibraries(), 'orch/sdk', 'orch/sdk/host', '@sinclair/typebox'],
    testsAlso: kernelTests(),
  },
  {
    from: 'kernel/container/',
    may: ['kernel/', ...kernelLibraries(), 'orch/sdk', 'orch/sdk/host', 'tsyringe', 'reflect-metadata'],
    testsAlso: kernelTests(),
  },
  {
    from: 'kernel/pki/',
    may: ['kernel/', ...kernelLibraries(), 'orch/sdk', 'orch/sdk/host', '@peculiar/x509', 'reflect-metadata'],
    testsAlso: kernelTests(),
  },
  {
    from: 'kernel/observe/',
    may: ['kernel/', ...kernelLibraries(), 'orch/sdk', 'orch/sdk/host', 'pino', 'prom-client'],
    testsAlso: kernelTests(),
  },
  {
    from: 'kernel/schema/',
    may: ['kernel/', ...kernelLibraries(), 'orch/sdk', 'orch/sdk/host', 'ajv', 'ajv-formats'],
    testsAlso: kernelTests(),
  },
  {
    from: 'kernel/representation/',
    may: ['kernel/', ...kernelLibraries(), 'orch/sdk', 'orch/sdk/host', 'protobufjs'],
    testsAlso: kernelTests(),
  },
  {
    from: 'kernel/request/',
    may: ['kernel/', ...kernelLibraries(), 'orch/sdk', 'orch/sdk/host', 'ajv'],
    testsAlso: kernelTests(),
  },
  {
    from: 'kernel/storage/',
    may: ['kernel/', ...kernelLibraries(), 'orch/sdk', 'orch/sdk/host', 'lmdb'],
    testsAlso: kernelTests(),
  },
  // Merging depends on neither HTTP nor storage.
  {
    from: 'kernel/apply/',
    may: [
      'kernel/apply/',
      'kernel/schema/',
      'kernel/contracts/in-turns.ts',
      ...kernelLibraries(),
      'orch/sdk',
      'orch/sdk/host',
    ],
    testsAlso: kernelTests(),
  },

  { from: 'plugins/', may: ['{plugin}', 'orch/sdk'], testsAlso: pluginTests() },
  { from: 'plugins/aggregation/', may: ['{plugin}', 'orch/sdk', 'libs/json/index.ts'], testsAlso: pluginTests() },
  {
    from: 'plugins/authentication/',
    may: ['{plugin}', 'orch/sdk', 'jose', 'undici'],
    testsAlso: pluginTests(),
  },
  { from: 'plugins/authorization/', may: ['{plugin}', 'orch/sdk', 'undici'], testsAlso: pluginTests() },
  {
    from: 'plugins/certificates/',
    may: ['{plugin}', 'orch/sdk', '@peculiar/x509', 'reflect-metadata'],
    testsAlso: pluginTests(),
  },
  { from: 'plugins/batch/', may: ['{plugin}', 'orch/sdk', 'croner'], testsAlso: pluginTests() },
  {
    from: 'plugins/workloads/',
    may: ['{plugin}', 'orch/sdk', 'libs/container-streams/index.ts'],
    testsAlso: pluginTests(),
  },
  { from: 'plugins/webhooks/', may: ['{plugin}', 'orch/sdk', 'undici'], testsAlso: pluginTests() },
  {
    from: 'plugins/storage-etcd/',
    may: ['{plugin}', 'orch/sdk', 'orch/sdk/host', '@grpc/grpc-js', 'protobufjs'],
    testsAlso: pluginTests(),
  },
  // Tries plugins on real servers, when its command runs.
  { from: 'plugins/authoring/', may: ['{plugin}', 'orch/sdk', 'orch/sdk/testing'], testsAlso: pluginTests() },
  { from: 'plugins/doctor/', may: ['{plugin}', 'orch/sdk', 'orch/sdk/host'], testsAlso: pluginTests() },
  { from: 'plugins/installed-plugins/', may: ['{plugin}', 'orch/sdk', 'orch/sdk/host'], testsAlso: pluginTests() },
  { from: 'plugins/storage-tools/', may: ['{plugin}', 'orch/sdk', 'orch/sdk/host'], testsAlso: pluginTests() },
  {
    from: 'plugins/encryption/',
    may: ['{plugin}', 'orch/sdk', 'orch/sdk/host', '@grpc/grpc-js', 'protobufjs', '@noble/ciphers'],
    testsAlso: pluginTests(),
  },
  {
    from: 'plugins/tracing/',
    may: [
      '{plugin}',
      'orch/sdk',
      '@opentelemetry/api',
      '@opentelemetry/core',
      '@opentelemetry/exporter-trace-otlp-http',
      '@opentelemetry/resources',
    ],
    testsAlso: pluginTests(),
  },
  { from: 'plugins/storage-memory/', may: ['{plugin}', 'orch/sdk', 'orch/sdk/host'], testsAlso: pluginTests() },
  {
    from: 'plugins/expressions/',
    may: ['{plugin}', 'orch/sdk', ...libraries('cel', 'json-schema', 'schema-cel')],
    testsAlso: pluginTests(),
  },
  {
    from: 'plugins/custom-resources/',
    may: ['{plugin}', 'orch/sdk', ...libraries('json-path'), ...schemaLibraries, 're2js', 'semver'],
    testsAlso: pluginTests(),
  },
  // Runs in the browser: its imports are bundled, and of the plugin it uses only the settings that it receives.
  {
    from: 'plugins/console/page/',
    may: [
      'plugins/console/page/',
      'plugins/console/settings.ts',
      'preact',
      '@preact/signals',
      '@codemirror/',
      '@lezer/highlight',
      'yaml',
      'diff',
    ],
  },
  // Helpers that the tests of a plugin share are not tests themselves.
  { from: 'plugins/storage/testing/', may: ['{plugin}', 'orch/sdk', 'orch/sdk/testing'] },
  {
    from: 'plugins/encryption/testing/',
    may: ['{plugin}', '@grpc/grpc-js'],
  },
  { from: 'plugins/storage-etcd/testing/', may: ['{plugin}', 'orch/sdk', 'orch/sdk/host', 'orch/sdk/testing'] },

  {
    from: 'orchctl/',
    may: [
      'orchctl/',
      ...libraries('json-patch', 'json-path', 'strategic-merge', 'go-templates'),
      'orch/sdk',
      'diff',
      'yaml',
      'undici',
      're2js',
      'ws',
    ],
    testsAlso: ['uvu', 'test/support/', 'orch/sdk/testing'],
  },
  // Tries policies on a server in its own process, when its command runs.
  { from: 'orchctl/commands/policy/', may: ['orchctl/', 'orch/sdk', 'orch/sdk/testing'] },
  { from: 'examples/', may: ['examples/', 'orch/sdk', 'orch/plugins/'], testsAlso: ['uvu', 'orch/sdk/testing'] },
  {
    from: 'examples/storage-engine/',
    may: ['examples/storage-engine/', 'orch/sdk', 'orch/sdk/host'],
    testsAlso: ['uvu', 'orch/sdk/testing', 'orch/plugins/'],
  },
  {
    from: 'examples/custom-signer/',
    may: ['examples/custom-signer/', 'orch/sdk', '@peculiar/x509', 'reflect-metadata'],
    testsAlso: ['uvu', 'orch/sdk/testing', 'orch/plugins/'],
  },
]
/** The entry points of libraries; everything else in them is private. */
function libraries(...names: string[]) {
  return names.map(name => `libs/${name}/index.ts`)
}
function kernelLibraries() {
  return libraries('container-streams', 'json', 'json-patch', 'strategic-merge', 'wasm-metering')
}
function kernelTests() {
  return ['uvu', 'fast-check', 'test/support/', 'yaml', 'orch/sdk/testing', '@peculiar/x509', 'undici', 'protobufjs']
}
function pluginTests() {
  return ['uvu', 'fast-check', 'orch/sdk/testing']
}

/** What `orch/sdk` in the table stands for; engines and the kernel name `orch/sdk/host`, tests `orch/sdk/testing`. */
const publicDoors = [
  'orch/sdk',
  ...shelves.filter(name => name !== 'host' && name !== 'testing').map(name => `orch/sdk/${name}`),
]

const imports = suite('who may import whom')

function forbiddenImports(files: readonly Source[]): string[] {
  return files.flatMap(source => {
    const row = table
      .filter(({ from }) => source.path.startsWith(from))
      .sort((left, right) => right.from.length - left.from.length)[0]
    if (!row) return [`no row for ${source.path}`]
    const plugin = source.path.split('/').slice(0, 2).join('/')
    const allowed = [...row.may, ...(source.isTest ? (row.testsAlso ?? []) : [])].map(name =>
      name.replace('{plugin}', `${plugin}/`),
    )
    return importsOf(source)
      .filter(name => !name.startsWith('node:') && !allowed.some(prefix => isWithin(name, prefix)))
      .map(name => `${source.path} imports ${name}`)
  })
}

/** A folder includes its subfolders, a package its subpaths, but not packages with the same prefix. */
const isWithin = (name: string, prefix: string) =>
  name === prefix || name.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`)
    ? !(prefix === 'orch/sdk' && !publicDoors.includes(name))
    : false

imports('every import is in the table', () => {
  assert.equal(forbiddenImports(sources('libs', 'kernel', 'sdk', 'plugins', 'orchctl', 'examples')), [])
})

const planted: Readonly<Record<string, readonly [path: string, imported: string]>> = {
  'the kernel that imports a plugin': ['kernel/boot/a.ts', '../../plugins/quotas/plugin.js'],
  'the kernel that imports the test kit': ['kernel/commands/a.ts', 'orch/sdk/testing'],
  'a plugin that imports another': ['plugins/quotas/a.ts', '../nodes/names.js'],
  'a plugin that imports the kernel': ['plugins/quotas/a.ts', '../../kernel/index.js'],
  'a plugin that imports the entry point of engines': ['plugins/quotas/a.ts', 'orch/sdk/host'],
  'the sdk that imports the kernel': ['sdk/client/a.ts', '../../kernel/index.js'],
  'the test kit that imports internals of the kernel': ['sdk/testing/a.ts', '../../kernel/boot/load-module.js'],
  'an import of internals of a library': ['kernel/apply/a.ts', '../../libs/json-patch/json-patch.js'],
  'a library that imports orch': ['libs/json/a.ts', 'orch/sdk'],
  'a package that is not allowed': ['kernel/watch/a.ts', 'lodash'],
  'a folder without a row': ['attic/a.ts', 'orch/sdk'],
}
for (const [what, [path, imported]] of Object.entries(planted)) {
  imports(`finds ${what}`, () => {
    assert.is(forbiddenImports([{ path, text: `import { a } from '${imported}'`, isTest: false }]).length, 1)
  })
}

imports.run()
