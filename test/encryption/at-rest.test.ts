import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { configuration } from 'orch/plugins/configuration'
import { encryption } from 'orch/plugins/encryption'
import { namespaces } from 'orch/plugins/namespaces'
import type { ApiError, ApiObject } from 'orch/sdk'
import type { WatchEvent } from 'orch/sdk/client'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type EnginePlace, startEngines } from '../storage/engines.js'
import { eventually } from '../support/eventually.js'
import { rejects } from '../support/rejects.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { ask, careful, deleteUnreadable } from './delete-unreadable.js'
import { identity, keysOf, type Provider, writeConfiguration } from './encryption-files.js'

const atRest = suite('encryption at rest')
const { engines, stop } = await startEngines()
atRest.after(stop)

type Data = ApiObject & { data?: Record<string, string> }
const ref = (resource: string) => ({ group: '', version: 'v1', resource })
const secretsOf = ({ client }: TestServer) => client.resource<Data>(ref('secrets')).in('default')
const mapsOf = ({ client }: TestServer) => client.resource<Data>(ref('configmaps')).in('default')

/** Texts that must not be in a store in plain text, in any encoding. */
const planted = [
  'planted-in-data',
  'planted-in-label',
  'planted-in-annotation',
  'planted-before-update',
  'planted-in-name',
]
const forms = (text: string) =>
  [0, 1, 2].map(skipped => Buffer.from(text.slice(skipped)).toString('base64').slice(0, 12))
const plantedForms = [...planted.slice(0, 4), ...forms('planted-in-data'), ...forms('planted-before-update')]
const base64 = (text: string) => Buffer.from(text).toString('base64')

interface World {
  readonly place: EnginePlace
  readonly log: string[]
  /** Replaces the file that servers of this place read. */
  configure(providers: readonly Provider[], resources?: string[]): void
  serve<T>(use: (server: TestServer) => Promise<T>, isConfigured?: boolean): Promise<T>
  /** `orch storage ...` on this place. */
  storage(...words: string[]): Promise<{ stdout: string; stderr: string }>
  /** Texts of `wanted` that are in the files of the store, or in etcd. */
  found(wanted: readonly string[]): Promise<string[]>
}

for (const engine of engines) {
  const on = (title: string, run: (world: World) => Promise<void>) =>
    atRest(`${engine.name}: ${title}`, async () => {
      const place = engine.place()
      const folder = temporaryFolder()
      const file = join(folder.path, 'encryption.yaml')
      const log: string[] = []
      const plugins = [namespaces, configuration, encryption, careful, ...place.plugins]
      const world: World = {
        place,
        log,
        configure: (providers, resources) => void writeConfiguration(folder, providers, resources),
        async serve(use, isConfigured = true) {
          const options = { ...place.options, ...(isConfigured ? { encryptionProviderConfig: file } : {}) }
          const server = await startServer({ plugins, dataDir: place.dataDir, options, log: line => log.push(line) })
          try {
            return await use(server)
          } finally {
            await server.stop()
          }
        },
        storage: (...words) =>
          promisify(execFile)(process.execPath, [
            fileURLToPath(new URL('../../bundled/kernel/main.js', import.meta.url)),
            'storage',
            ...words,
            '--data-dir',
            place.dataDir,
            ...place.flags,
            '--encryption-provider-config',
            file,
          ]),
        async found(wanted) {
          const bytes = [...filesIn(place.dataDir), ...(await storedBytes(place))]
          return wanted.filter(text => bytes.some(content => content.includes(text)))
        },
      }
      try {
        await run(world)
      } finally {
        place.remove()
        folder.remove()
      }
    })

  on('no Secret is stored in plain text, and clients see no difference', async ({ configure, serve, found }) => {
    configure([keysOf('aesgcm', 'key1'), identity])
    await serve(async server => {
      const secrets = secretsOf(server)
      const { metadata } = await secrets.list()
      const shown = watchUntilDeleted(server, metadata.resourceVersion ?? '')
      const labels = { app: 'planted-in-label' }
      const made = { metadata: { name: 'one', labels, annotations: { note: 'planted-in-annotation' } } }
      await secrets.create({ ...made, data: { a: base64('planted-before-update') } })
      await secrets.patch('one', { data: { a: base64('planted-in-data') } })
      await secrets.create({ metadata: { name: 'two' }, data: { a: base64('other') } })
      assert.equal((await secrets.get('one')).data, { a: base64('planted-in-data') })
      const byLabel = await secrets.list({ labelSelector: 'app=planted-in-label' })
      assert.equal(
        byLabel.items.map(({ metadata: { name }, data }) => [name, data?.a]),
        [['one', base64('planted-in-data')]],
      )
      const first = await secrets.list({ limit: 1 })
      assert.is(first.metadata.remainingItemCount, 1)
      const rest = await secrets.list({ limit: 1, continue: first.metadata.continue ?? '' })
      assert.equal(
        [...first.items, ...rest.items].map(({ metadata: { name } }) => name),
        ['one', 'two'],
      )
      const selected = await secrets.list({ limit: 1, fieldSelector: 'metadata.name!=one' })
      assert.equal(
        selected.items.map(({ metadata: { name } }) => name),
        ['two'],
      )
      await mapsOf(server).create({ metadata: { name: 'plain' }, data: { a: 'planted-in-map' } })
      await secrets.delete('two')
      assert.equal(await shown, [
        'ADDED one planted-before-update',
        'MODIFIED one planted-in-data',
        'ADDED two other',
        'DELETED two other',
      ])
      const again = await watchUntilDeleted(server, metadata.resourceVersion ?? '')
      assert.equal(again, await shown)
    })
    assert.equal(await found([...plantedForms, 'planted-in-map', 'orch:enc:aesgcm:v1:key1:']), [
      'planted-in-map',
      'orch:enc:aesgcm:v1:key1:',
    ])
  })

  on('a new key is loaded while the server runs, and reencrypt makes the old one unnecessary', async world => {
    const { configure, serve, storage, found } = world
    configure([identity])
    await serve(async server => {
      await secretsOf(server).create({ metadata: { name: 'plain' }, data: { a: base64('planted-in-data') } })
      configure([keysOf('aescbc', 'old'), identity])
      let count = 0
      await eventually('a Secret that is encrypted', async () => {
        await secretsOf(server).create({ metadata: { name: `old-${count++}` }, data: { a: base64('kept') } })
        return (await found(['orch:enc:aescbc:v1:old:'])).length > 0
      })
      configure([keysOf('secretbox', 'new'), keysOf('aescbc', 'old'), identity])
      await eventually('a Secret with the new key', async () => {
        // Only the stored form changes.
        await secretsOf(server).patch('old-0', { data: { a: base64('kept') } })
        return (await found(['orch:enc:secretbox:v1:new:'])).length > 0
      })
      const { stdout } = await storage('reencrypt')
      assert.match(stdout, /^Reencrypted [1-9]\d* objects/)
      assert.equal((await secretsOf(server).get('plain')).data, { a: base64('planted-in-data') })
    })
    configure([keysOf('secretbox', 'new')])
    await serve(async server => {
      assert.ok((await secretsOf(server).list()).items.length > 2)
      assert.equal((await secretsOf(server).get('old-0')).data, { a: base64('kept') })
    })
    assert.not.ok(world.log.some(line => line.includes('cannot be read')))
    // The command does not depend on the engine: once is enough.
    if (engine.name !== 'lmdb') return
    const [asStored, inClear] = await Promise.all([storage('export', '-'), storage('export', '-', '--decrypt')])
    assert.not.match(asStored.stdout, new RegExp(base64('planted-in-data')))
    assert.match(asStored.stdout, /orch:enc:secretbox:v1:new:/)
    assert.match(inClear.stdout, new RegExp(base64('planted-in-data')))
  })

  on('a store without its key reports that, serves the rest, and loses nothing', async world => {
    const { configure, serve, log, storage } = world
    configure([keysOf('aesgcm', 'lost')])
    await serve(async server => {
      await secretsOf(server).create({ metadata: { name: 'one' }, data: { a: base64('kept') } })
      await mapsOf(server).create({ metadata: { name: 'plain' }, data: { a: 'b' } })
    })
    assert.not.ok(log.some(line => line.includes('missing')))
    const refused = async (server: TestServer) => {
      const why = /secrets "default\/one" cannot be decrypted: .*key "lost" of provider aesgcm/
      const secrets = secretsOf(server)
      for (const attempt of [() => secrets.get('one'), () => secrets.list(), () => secrets.patch('one', { data: {} })])
        assert.is(((await rejects(attempt(), why)) as ApiError).code, 500)
      assert.equal((await mapsOf(server).get('plain')).data, { a: 'b' })
    }
    configure([keysOf('aesgcm', 'other'), identity])
    await serve(refused)
    await serve(refused, false)
    const told = log.filter(line => line.includes('key that is missing'))
    assert.is(told.length, 2)
    assert.match(told[0] ?? '', /key \\"lost\\" of provider aesgcm.*secrets/)
    // Written with another secret under the same name, objects could not be distinguished.
    const secret = Buffer.alloc(32, 'x').toString('base64')
    configure([{ aesgcm: { keys: [{ name: 'lost', secret }] } }])
    await rejects(serve(refused), /key "lost" of provider aesgcm has a different secret than the one that secrets are/)
    configure([keysOf('aesgcm', 'other'), identity])
    await serve(async server => {
      await secretsOf(server).create({ metadata: { name: 'two' }, data: { a: base64('kept too') } })
      configure([{ aesgcm: { keys: [{ name: 'other', secret }] } }])
      await eventually('a configuration that is refused', () => log.some(line => line.includes('different secret')))
      assert.equal((await secretsOf(server).get('two')).data, { a: base64('kept too') })
    })
    if (engine.name === 'lmdb') {
      configure([keysOf('secretbox', 'third'), keysOf('aesgcm', 'other')])
      const failed = (await storage('reencrypt').catch(error => error)) as { [stream in 'stdout' | 'stderr']: string }
      assert.match(failed.stdout, /^Reencrypted 1 objects/)
      assert.match(failed.stderr, /secrets "default\/one" cannot be decrypted: .*"lost".*\n.*1 objects could not be/)
    }
    configure([keysOf('aesgcm', 'lost', 'other'), keysOf('secretbox', 'third')])
    await serve(async server => {
      assert.equal((await secretsOf(server).get('one')).data, { a: base64('kept') })
      assert.equal((await secretsOf(server).get('two')).data, { a: base64('kept too') })
    })
  })

  on(
    'a value that was modified or moved is rejected, and deleted only on request',
    async ({ configure, serve, place }) => {
      configure([keysOf('aesgcm', 'key1')])
      await serve(async server => {
        for (const name of ['one', 'two', 'three', 'repaired'])
          await secretsOf(server).create({ metadata: { name }, data: { a: base64(name) } })
      })
      const store = await place.open()
      const stored = async (name: string) => {
        const { body, attributes } = (await store.get(`/secrets/default/${name}`))!
        return { body: Buffer.from(String(body).replace(/"resourceVersion":"\d+"/, '')), attributes }
      }
      const one = await stored('one')
      const damaged = Buffer.from(one.body)
      damaged[damaged.length - 20] = damaged[damaged.length - 20] === 0x41 ? 0x42 : 0x41
      await store.write({ key: '/secrets/default/one', body: damaged, attributes: one.attributes })
      for (const name of ['two', 'repaired'])
        await store.write({ key: `/secrets/default/${name}`, ...(await stored('three')) })
      await store.close()
      await serve(async server => {
        for (const name of ['one', 'two']) await rejects(secretsOf(server).get(name), /does not decrypt it/)
        assert.equal((await secretsOf(server).get('three')).data, { a: base64('three') })
        const { text } = await ask(server, 'GET', '/metrics')
        const operations = 'apiserver_storage_transformation_operations_total'
        for (const status of ['OK', 'Unknown'])
          assert.match(
            text,
            `${operations}{transformation_type="from_storage",transformer_prefix="orch:enc:aesgcm:v1:key1:",status="${status}"}`,
          )
        assert.match(text, /apiserver_storage_transformation_duration_seconds_count\{.*"from_storage"/)
        await deleteUnreadable(server)
      })
    },
  )
}

/** The files of LMDB, without the lock file, because reading that would release the lock of a server in this process. */
function* filesIn(folder: string): Iterable<Buffer> {
  for (const name of readdirSync(folder, { recursive: true }) as string[])
    if (basename(name) === 'data.mdb') yield readFileSync(join(folder, name))
}
/** All revisions that the engine stores, also on other machines. */
async function storedBytes(place: EnginePlace): Promise<Buffer[]> {
  if (place.plugins.length === 0) return []
  const store = await place.open()
  try {
    const bytes: Buffer[] = []
    const page = await store.list({ prefix: '' })
    for await (const { joined } of page.items) bytes.push(joined)
    for await (const event of store.history('', store.compactedRevision(), store.currentRevision()))
      bytes.push(event.body, event.attributes, event.previousBody() ?? Buffer.alloc(0))
    return bytes
  } finally {
    await store.close()
  }
}

/** `type name value` of every event since a version, up to a deletion. */
async function watchUntilDeleted(server: TestServer, resourceVersion: string): Promise<string[]> {
  const seen: string[] = []
  for await (const { type, object } of secretsOf(server).watch({
    resourceVersion,
    timeoutSeconds: 60,
  }) as AsyncIterable<WatchEvent<Data>>) {
    const value = Buffer.from(object.data?.a ?? '', 'base64').toString()
    seen.push(`${type} ${object.metadata.name} ${value}`)
    if (type === 'DELETED') break
  }
  return seen
}

atRest.run()
