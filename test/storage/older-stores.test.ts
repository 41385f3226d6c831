import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { maintenanceOf } from '../../kernel/storage/maintenance.js'
import { runBinary } from '../boot/run-binary.js'
import { type Folder, temporaryFolder } from '../support/temporary-folder.js'

/**
 * Stores that were written by servers of earlier commits, which name the folders; `objects.json` is what those servers listed. See
 * the README there.
 */
const older = fileURLToPath(new URL('../../../test/storage/older', import.meta.url))
const versions = readdirSync(older).filter(name => !name.includes('.'))

interface Recorded {
  readonly metadata: { readonly name: string; readonly uid: string; readonly resourceVersion: string }
  readonly data?: Record<string, string>
  readonly rules?: unknown
  readonly image?: string
  readonly spec?: { readonly containers?: readonly { readonly image: string }[] }
}
type Objects = Record<string, readonly Recorded[]>

/** A data folder with such a store. */
function dataFolder(version: string, folder: Folder): string {
  const dataDir = join(folder.path, version)
  mkdirSync(join(dataDir, 'store'), { recursive: true })
  const file = (name: string) => join(older, version, name)
  writeFileSync(join(dataDir, 'store/data.mdb'), brotliDecompressSync(readFileSync(file('data.mdb.br'))))
  if (existsSync(file('data-folder.json'))) {
    // Without the date: a folder that is known to have had keys is not served without them.
    const { created: _, ...marker } = JSON.parse(readFileSync(file('data-folder.json'), 'utf8'))
    writeFileSync(join(dataDir, 'data-folder.json'), JSON.stringify(marker))
  }
  return dataDir
}
async function inFolder(work: (folder: Folder) => Promise<void>): Promise<void> {
  const folder = temporaryFolder()
  try {
    await work(folder)
  } finally {
    folder.remove()
  }
}

const stores = suite('stores of earlier versions')

stores('are there', () => assert.ok(versions.length >= 4))

for (const version of versions)
  stores(`of ${version}: all objects are unchanged and writable, and the store is consistent`, () =>
    inFolder(async folder => {
      const dataDir = dataFolder(version, folder)
      const objects = JSON.parse(readFileSync(join(older, version, 'objects.json'), 'utf8')) as Objects
      // Without loops, so that objects stay unchanged.
      const server = await startServer({ dataDir, options: { storageEngine: 'lmdb', controllers: ['-*'] } })
      const ask = async (path: string, request: RequestInit = {}) => {
        const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/merge-patch+json' }
        const response = await fetch(server.baseUrl + path, { ...request, headers })
        return { status: response.status, json: (await response.json()) as Recorded & { items: Recorded[] } }
      }
      try {
        for (const [path, recorded] of Object.entries(objects)) {
          const { status, json } = await ask(path)
          assert.is(status, 200, path)
          for (const { metadata, data, rules, image } of recorded) {
            const found = json.items.find(item => item.metadata.name === metadata.name)
            const { uid, resourceVersion } = found?.metadata ?? {}
            assert.equal([uid, resourceVersion], [metadata.uid, metadata.resourceVersion], `${path}/${metadata.name}`)
            for (const [key, value] of Object.entries(data ?? {})) assert.is(found?.data?.[key], value)
            if (rules) assert.equal(found?.rules, rules)
            if (image) assert.is(found?.spec?.containers?.[0]?.image, image)
          }
        }
        const path = '/api/v1/namespaces/town/configmaps/map-1'
        const body = JSON.stringify({ data: { text: 'today' } })
        assert.is((await ask(path, { method: 'PATCH', body })).json.data?.['text'], 'today')
      } finally {
        await server.stop()
      }
      assert.equal((await maintenanceOf(dataDir).verify()).problems, [])
    }),
  )

stores('orch storage upgrade shows its work with --dry-run, does it, and then has nothing to do', () =>
  inFolder(async folder => {
    const dataDir = dataFolder('22d8aad', folder)
    const upgrade = (...flags: string[]) =>
      runBinary(folder.path, 'storage', 'upgrade', `--data-dir=${dataDir}`, ...flags)
    const asked = await upgrade('--dry-run')
    assert.is(asked.code, 0, asked.err)
    assert.match(asked.out, /^format of the store +1$/m)
    assert.match(asked.out, /^ {2}configmaps: 4 objects to rewrite as v1$/m)
    assert.match(asked.out, /Nothing was changed/)
    const { versions: before } = await maintenanceOf(dataDir).stats()
    assert.equal([...(before.get('/configmaps') ?? [])], [['', 4]])
    const done = await upgrade()
    assert.is(done.code, 0, done.err)
    assert.match(done.out, /Upgraded the store to format 2; rewrote \d+ objects/)
    assert.match((await upgrade('--dry-run')).out, /^format of the store +2\n.*\nThe store is up to date/)
  }),
)

stores.run()
