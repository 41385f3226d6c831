import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { importsOf } from './imports-of.js'
import { sources } from './sources.js'

/**
 * Who may import whom. This table is the truth. The row with the longest matching folder counts; `{plugin}` stands for
 * the file's own plugin folder. `node:` is allowed to everyone, relative imports only where a row names the folder.
 */
const table: readonly { from: string; may: readonly string[]; testsAlso?: readonly string[] }[] = [
  { from: 'sdk/', may: ['sdk/', '@sinclair/typebox'], testsAlso: ['uvu', 'fast-check', 'rfc6902', 'test/support/'] },
  { from: 'sdk/client/', may: ['sdk/', 'undici', 'yaml'], testsAlso: ['uvu', 'fast-check', 'test/support/'] },
  {
    from: 'sdk/client-config/',
    may: ['sdk/', 'undici', 'yaml', '@sinclair/typebox'],
    testsAlso: ['uvu', 'fast-check', 'test/support/', 'yaml'],
  },
  // The test kit boots a real kernel: the one way from the sdk to the kernel.
  {
    from: 'sdk/testing/',
    may: ['sdk/', 'kernel/index.ts', 'undici', '@peculiar/x509', 'reflect-metadata', '@sinclair/typebox', 'fast-check'],
    testsAlso: ['uvu'],
  },

  { from: 'kernel/', may: ['kernel/', 'orch/sdk'], testsAlso: kernelTests() },
  { from: 'kernel/kernel.ts', may: ['kernel/', 'orch/sdk', 'reflect-metadata'] },
  { from: 'kernel/assemble.ts', may: ['kernel/', 'orch/sdk', 'prom-client'] },
  { from: 'kernel/main.ts', may: ['kernel/', 'orch/sdk', 'reflect-metadata'] },
  {
    from: 'kernel/boot/',
    may: ['kernel/', 'orch/sdk', '@sinclair/typebox', 'jiti', 'semver'],
    testsAlso: kernelTests(),
  },
  { from: 'kernel/container/', may: ['kernel/', 'orch/sdk', 'tsyringe', 'reflect-metadata'], testsAlso: kernelTests() },
  {
    from: 'kernel/pki/',
    may: ['kernel/', 'orch/sdk', '@peculiar/x509', 'reflect-metadata', 'yaml'],
    testsAlso: kernelTests(),
  },
  { from: 'kernel/observe/', may: ['kernel/', 'orch/sdk', 'pino', 'prom-client', 'yaml'], testsAlso: kernelTests() },
  { from: 'kernel/schema/', may: ['kernel/', 'orch/sdk', 'ajv', 'ajv-formats'], testsAlso: kernelTests() },
  { from: 'kernel/representation/', may: ['kernel/', 'orch/sdk', 'yaml', 'protobufjs'], testsAlso: kernelTests() },
  { from: 'kernel/http/', may: ['kernel/', 'orch/sdk', 'yaml', 'prom-client'], testsAlso: kernelTests() },
  { from: 'kernel/request/', may: ['kernel/', 'orch/sdk', 'yaml', 'ajv'], testsAlso: kernelTests() },
  { from: 'kernel/admission/', may: ['kernel/', 'orch/sdk', 'yaml'], testsAlso: kernelTests() },
  { from: 'kernel/resources/', may: ['kernel/', 'orch/sdk', 'yaml'], testsAlso: kernelTests() },
  { from: 'kernel/storage/', may: ['kernel/', 'orch/sdk', 'lmdb'], testsAlso: kernelTests() },
  // Tries plugins on real servers, so it stands on the test kit; nothing of the kernel loads it before it is asked for.
  {
    from: 'kernel/conformance/',
    may: ['kernel/', 'orch/sdk', 'orch/sdk/testing', 'yaml'],
    testsAlso: kernelTests(),
  },
  // What the templates spell out counts as an import, too.
  {
    from: 'kernel/scaffold/',
    may: ['kernel/', 'orch/sdk', 'orch/sdk/testing', 'orch/plugins/'],
    testsAlso: kernelTests(),
  },
  // Merging knows neither HTTP nor storage.
  { from: 'kernel/apply/', may: ['kernel/apply/', 'kernel/schema/', 'orch/sdk'], testsAlso: kernelTests() },

  { from: 'plugins/', may: ['{plugin}', 'orch/sdk'], testsAlso: pluginTests() },
  {
    from: 'plugins/authentication/',
    may: ['{plugin}', 'orch/sdk', 'jose', 'undici', 'yaml'],
    testsAlso: pluginTests(),
  },
  { from: 'plugins/authorization/', may: ['{plugin}', 'orch/sdk', 'undici', 'yaml'], testsAlso: pluginTests() },
  {
    from: 'plugins/certificates/',
    may: ['{plugin}', 'orch/sdk', '@peculiar/x509', 'reflect-metadata'],
    testsAlso: pluginTests(),
  },
  { from: 'plugins/webhooks/', may: ['{plugin}', 'orch/sdk', 'undici', 'yaml'], testsAlso: pluginTests() },
  {
    from: 'plugins/storage-etcd/',
    may: ['{plugin}', 'orch/sdk', '@grpc/grpc-js', 'protobufjs'],
    testsAlso: pluginTests(),
  },
  // What the tests of a plugin share is no test by itself.
  { from: 'plugins/storage/testing/', may: ['{plugin}', 'orch/sdk', 'orch/sdk/testing'] },

  {
    from: 'orchctl/',
    may: ['orchctl/', 'orch/sdk', 'yaml', 'undici'],
    testsAlso: ['uvu', 'test/support/', 'orch/sdk/testing'],
  },
  { from: 'examples/', may: ['examples/', 'orch/sdk', 'orch/plugins/'], testsAlso: ['uvu', 'orch/sdk/testing'] },
  {
    from: 'examples/custom-signer/',
    may: ['examples/custom-signer/', 'orch/sdk', '@peculiar/x509', 'reflect-metadata'],
    testsAlso: ['uvu', 'orch/sdk/testing', 'orch/plugins/'],
  },
]
function kernelTests() {
  return ['uvu', 'fast-check', 'test/support/', 'yaml', 'orch/sdk/testing', '@peculiar/x509', 'undici', 'protobufjs']
}
function pluginTests() {
  return ['uvu', 'fast-check', 'orch/sdk/testing']
}

const imports = suite('who may import whom')

imports('every import is in the table', () => {
  const broken = sources('kernel', 'sdk', 'plugins', 'orchctl', 'examples').flatMap(source => {
    const row = table
      .filter(({ from }) => source.path.startsWith(from))
      .sort((left, right) => right.from.length - left.from.length)[0]
    assert.ok(row, `no row for ${source.path}`)
    const plugin = source.path.split('/').slice(0, 2).join('/')
    const allowed = [...row.may, ...(source.isTest ? (row.testsAlso ?? []) : [])].map(name =>
      name.replace('{plugin}', `${plugin}/`),
    )
    return importsOf(source)
      .filter(name => !name.startsWith('node:') && !allowed.some(prefix => isWithin(name, prefix)))
      .map(name => `${source.path} imports ${name}`)
  })
  assert.equal(broken, [])
})

/** A folder covers what is below it, a package its own subpaths but not packages that merely begin like it. */
const isWithin = (name: string, prefix: string) =>
  name === prefix || name.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`)
    ? !(prefix === 'orch/sdk' && name.startsWith('orch/sdk/'))
    : false

imports.run()
