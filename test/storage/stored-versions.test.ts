import type { ApiObject, PluginEntry } from 'orch/sdk'
import type { WatchEvent } from 'orch/sdk/client'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { BootError } from '../../kernel/contracts/boot-errors.js'
import { countVersions, encodeAttributes } from '../../kernel/storage/attributes.js'
import { contentsKey, readContents } from '../../sdk/host/store-contents.js'
import { rejects } from '../support/rejects.js'
import { type EnginePlace, startEngines, type TestedEngine } from './engines.js'
import { notes, notesGroup, notesPath } from './notes.js'

const versions = suite('a change of the storage version')

const collection = `${notesGroup}/notes`
type Note = ApiObject & { spec: { text?: string; lines?: string[]; color?: string } }
const ref = (version: string) => ({ group: notesGroup, version, resource: 'notes' })
const notesOf = ({ client }: TestServer, version: string) => client.resource<Note>(ref(version))
const nameOf = ({ metadata }: ApiObject) => metadata.name

async function serve<T>(place: EnginePlace, plugin: PluginEntry, use: (server: TestServer) => Promise<T>): Promise<T> {
  const { dataDir, options } = place
  const server = await startServer({ plugins: [plugin, ...place.plugins], dataDir, options })
  try {
    return await use(server)
  } finally {
    await server.stop()
  }
}
/** The versions that are stored, of each how many; '' are those that do not say. */
async function storedIn(place: EnginePlace): Promise<Record<string, number>> {
  const store = await place.open()
  try {
    return Object.fromEntries(await countVersions(store, collection))
  } finally {
    await store.close()
  }
}
async function inPlace(engine: TestedEngine, use: (place: EnginePlace) => Promise<void>): Promise<void> {
  const place = engine.place()
  try {
    await use(place)
  } finally {
    place.remove()
  }
}
/** Events up to the one of this name. */
async function watched(server: TestServer, version: string, resourceVersion: string, last: string) {
  const seen: WatchEvent<Note>[] = []
  for await (const event of notesOf(server, version).watch({ resourceVersion, timeoutSeconds: 30 })) {
    seen.push(event)
    if (event.object.metadata.name === last) break
  }
  return seen.map(({ type, object }) => [type, nameOf(object), object.spec.lines ?? object.spec.text])
}
const bytesOf = async ({ baseUrl, token }: TestServer, path: string) =>
  (await fetch(baseUrl + path, { headers: { authorization: `Bearer ${token}` } })).text()

/** Notes a to e in v1, of which e is deleted; returns the version before the first. */
async function fill(server: TestServer): Promise<string> {
  const { metadata } = await notesOf(server, 'v1').list()
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    await notesOf(server, 'v1').create({ metadata: { name, labels: { is: name } }, spec: { text: `${name}\nend` } })
  }
  await notesOf(server, 'v1').delete('e')
  return metadata.resourceVersion ?? ''
}

const { engines, stop } = await startEngines()
versions.after(stop)

for (const engine of engines) {
  const on = (title: string, run: (place: EnginePlace) => Promise<void>) =>
    versions(`${engine.name}: ${title}`, () => inPlace(engine, run))

  on('existing objects are read, listed and watched in every version, and written in the new one', async place => {
    const start = await serve(place, notes.before, fill)
    await serve(place, notes.between, async server => {
      const [old, now] = [notesOf(server, 'v1'), notesOf(server, 'v2')]
      assert.equal((await now.get('a')).spec, { lines: ['a', 'end'], color: 'white' })
      assert.is((await old.get('a')).spec.text, 'a\nend')
      await now.patch('b', { spec: { color: 'red' } })
      assert.equal(
        (await now.list()).items.map(({ spec }) => spec.lines?.[0]),
        ['a', 'b', 'c', 'd'],
      )
      assert.equal(
        (await old.list()).items.map(({ spec }) => spec.text),
        ['a\nend', 'b\nend', 'c\nend', 'd\nend'],
      )
      const first = await now.list({ limit: 3 })
      assert.equal(first.items.map(nameOf), ['a', 'b', 'c'])
      const rest = await now.list({ limit: 3, continue: first.metadata.continue ?? '' })
      assert.equal(rest.items.map(nameOf), ['d'])
      // The field could not be selected by when these were written.
      assert.equal((await now.list({ fieldSelector: 'spec.first=c' })).items.map(nameOf), ['c'])
      assert.equal((await now.list({ labelSelector: 'is in (a,b)' })).items.map(nameOf), ['a', 'b'])
      const one = await bytesOf(server, notesPath('v2', 'a'))
      assert.ok((await bytesOf(server, notesPath('v2'))).includes(one.slice(one.indexOf('"metadata"'), -2)))

      await now.delete('d')
      await now.create({ metadata: { name: 'z' }, spec: { lines: ['z'] } })
      const shown = (lines: unknown) => [
        ...['a', 'b', 'c', 'd', 'e'].map(name => ['ADDED', name, lines === 'v2' ? [name, 'end'] : `${name}\nend`]),
        ['DELETED', 'e', lines === 'v2' ? ['e', 'end'] : 'e\nend'],
        ['MODIFIED', 'b', lines === 'v2' ? ['b', 'end'] : 'b\nend'],
        ['DELETED', 'd', lines === 'v2' ? ['d', 'end'] : 'd\nend'],
        ['ADDED', 'z', lines === 'v2' ? ['z'] : 'z'],
      ]
      for (const version of ['v1', 'v2']) {
        assert.equal(await watched(server, version, start, 'z'), shown(version), `watch of ${version}`)
      }
      const fresh = await watched(server, 'v2', '0', 'z')
      assert.equal(fresh[0], ['ADDED', 'a', ['a', 'end']])
      assert.equal(fresh.length, 4)
    })
    assert.equal(await storedIn(place), { v1: 2, v2: 2 })
  })

  on('a write that changes nothing still replaces the old version', async place => {
    await serve(place, notes.before, fill)
    await serve(place, notes.between, async server => {
      const now = notesOf(server, 'v2')
      const before = await now.get('a')
      const after = await now.update(before)
      assert.is.not(after.metadata.resourceVersion, before.metadata.resourceVersion)
      assert.is((await now.update(after)).metadata.resourceVersion, after.metadata.resourceVersion)
    })
    assert.equal(await storedIn(place), { v1: 3, v2: 1 })
  })

  on('an unknown stored version fails the start, with type, version and count', async place => {
    await serve(place, notes.before, fill)
    const refused = (await rejects(serve(place, notes.after, async () => {}))) as BootError
    assert.equal(
      refused.problems.map(({ code, details }) => ({ code, details })),
      [
        {
          code: 'ORCH_STORED_VERSION_UNKNOWN',
          details: { plugin: 'notes', resource: `notes.${notesGroup}`, version: 'v1', count: 4 },
        },
      ],
    )
    await serve(place, notes.between, async server => {
      for (const name of ['a', 'b', 'c', 'd']) await notesOf(server, 'v2').patch(name, { spec: { color: 'blue' } })
    })
    await serve(place, notes.after, async server => {
      assert.equal((await notesOf(server, 'v2').get('d')).spec, { lines: ['d', 'end'], color: 'blue' })
    })
    const store = await place.open()
    assert.equal((await readContents(store)).contents?.collections[collection], { versions: ['v2'] })
    await store.close()
  })

  on('a store without recorded versions opens as the current version, and can change later', async place => {
    const store = await place.open()
    for (const name of ['a', 'b']) {
      const body = Buffer.from(JSON.stringify({ metadata: { name, uid: name }, spec: { text: `${name}\nend` } }))
      const attributes = encodeAttributes({ fields: { 'metadata.name': name } })
      await store.write({ key: `${collection}/${name}`, body, attributes })
    }
    await store.close()
    await serve(place, notes.before, async server => {
      assert.is((await notesOf(server, 'v1').get('a')).spec.text, 'a\nend')
      assert.is((await notesOf(server, 'v1').list()).items.length, 2)
    })
    assert.equal(await storedIn(place), { '': 2 })
    await serve(place, notes.between, async server => {
      assert.equal((await notesOf(server, 'v2').get('a')).spec.lines, ['a', 'end'])
      await notesOf(server, 'v2').patch('b', { spec: { color: 'red' } })
    })
    assert.equal(await storedIn(place), { '': 1, v2: 1 })
    const refused = (await rejects(serve(place, notes.after, async () => {}))) as BootError
    assert.equal(refused.problems[0]?.details, {
      plugin: 'notes',
      resource: `notes.${notesGroup}`,
      version: 'v1',
      count: 1,
    })
  })

  on('a store of another vendor, of a later format, or incomplete, is rejected', async place => {
    await serve(place, notes.before, fill)
    const change = async (parts: object) => {
      const store = await place.open()
      const { contents } = await readContents(store)
      const body = Buffer.from(JSON.stringify({ metadata: {}, contents: { ...contents, ...parts } }))
      await store.write({ key: contentsKey, body })
      await store.close()
    }
    const codes: Record<string, object> = {
      ORCH_STORE_VENDOR: { vendor: 'kubernetes' },
      ORCH_STORE_FORMAT: { vendor: 'orch', format: 99 },
      ORCH_STORE_UNFINISHED: { format: 2, unfinished: 'import' },
    }
    for (const [code, parts] of Object.entries(codes)) {
      await change(parts)
      const refused = (await rejects(serve(place, notes.before, async () => {}))) as BootError
      assert.equal(
        refused.problems.map(problem => problem.code),
        [code],
      )
    }
  })
}

versions.run()
