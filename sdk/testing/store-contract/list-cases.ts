import assert from 'node:assert/strict'
import {
  attributesFor,
  bodyFor,
  type ContractCases,
  committed,
  create,
  isKind,
  listAll,
  pagesOf,
  update,
} from './steps.js'

export const listCases: ContractCases = {
  async 'a list holds the keys of its prefix and no others, in byte order'(store) {
    const keys = ['/p', '/p/', '/p/\u{1F600}', '/p/a', '/p/a/b', '/p/\uFFFD', '/p0', '/q/a', '/p/A']
    for (const key of keys) await create(store, key)
    const inside = keys.filter(key => key.startsWith('/p/'))
    const inByteOrder = inside.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
    assert.deepEqual(await listAll(store, '/p/'), inByteOrder)
    assert.equal((await listAll(store, '')).length, keys.length)
    assert.equal(await store.count('/p/'), inside.length)
    assert.deepEqual(await listAll(store, '/nothing/'), [])
  },
  async 'a prefix longer than any key matches nothing, and later keys are found'(store) {
    const long = 'k'.repeat(5000)
    for (const key of ['/a', '/z']) await create(store, key)
    assert.equal(await store.get(`/${long}`), undefined)
    assert.deepEqual(await listAll(store, `/${long}`), [])
    assert.equal(await store.count(`/${long}`), 0)
    const names: string[] = []
    const page = await store.list({ prefix: '/', after: `/${long}`, keys: true })
    for await (const { keys = [] } of page.items) names.push(...keys)
    assert.deepEqual(names, ['/z'])
  },
  async 'a large list comes in chunks that join to one array'(store) {
    const value = 'v'.repeat(3000)
    await Promise.all(
      Array.from({ length: 400 }, (_, index) => create(store, `/${String(index).padStart(4, '0')}`, value)),
    )
    const page = await store.list({ prefix: '/' })
    let chunks = 0
    let seen = 0
    for await (const chunk of page.items) {
      chunks++
      const bodies = JSON.parse(`[${chunk.joined}]`) as object[]
      assert.equal(bodies.length, chunk.count)
      assert.equal(chunk.offsets.length, chunk.count)
      for (const [index, offset] of chunk.offsets.entries()) {
        const end = (chunk.offsets[index + 1] ?? chunk.joined.length + 1) - 1
        assert.deepEqual(JSON.parse(chunk.joined.toString('utf8', offset, end)), bodies[index])
      }
      seen += chunk.count
      assert.equal(chunk.lastKey, `/${String(seen - 1).padStart(4, '0')}`)
      assert.equal(chunk.more, false)
    }
    assert.equal(seen, 400)
    assert.ok(chunks > 1)
  },
  async 'pages report whether there is more and how much'(store) {
    for (const key of ['/a', '/b', '/c', '/d', '/e']) await create(store, key)
    await create(store, '0')
    const pages = await pagesOf(store, { prefix: '/', limit: 2 })
    assert.deepEqual(
      pages.map(({ names, more, remaining }) => [names.join(), more, remaining]),
      [
        ['/a,/b', true, 3],
        ['/c,/d', true, 1],
        ['/e', false, undefined],
      ],
    )
    const [exact] = await pagesOf(store, { prefix: '/', limit: 5 })
    assert.equal(exact?.more, false)
  },
  async 'pages of one revision stay as they were while others write'(store) {
    const keys = Array.from({ length: 40 }, (_, index) => `/k${String(index).padStart(2, '0')}`)
    for (const key of keys) await create(store, key)
    const revision = store.currentRevision()
    let change = 0
    const disturb = async () => {
      const index = (change * 7) % 40
      if (change % 3 === 0) await store.write({ key: keys[index]!, body: undefined })
      else await update(store, keys[index]!, 'changed')
      await create(store, `/k${String(index).padStart(2, '0')}-new${change++}`)
    }
    for (const start of [undefined, revision]) {
      const pages = await pagesOf(store, { prefix: '/', limit: 7, revision: start ?? revision }, disturb)
      assert.deepEqual(
        pages.flatMap(({ names }) => names),
        keys,
      )
      assert.deepEqual(
        pages.map(({ remaining }) => remaining),
        [33, 26, 19, 12, 5, undefined],
      )
    }
    assert.deepEqual(await listAll(store, '/', revision), keys)
  },
  async 'a long list is not disturbed by writes between its chunks'(store) {
    const value = 'v'.repeat(5000)
    const keys = Array.from({ length: 300 }, (_, index) => `/k${String(index).padStart(3, '0')}`)
    await Promise.all(keys.map(key => create(store, key, value)))
    const page = await store.list({ prefix: '/' })
    let count = 0
    let turn = 0
    for await (const chunk of page.items) {
      assert.ok(!chunk.joined.includes('"name":"later"'))
      count += chunk.count
      for (const key of keys.slice(turn * 20, turn * 20 + 200)) {
        if (turn % 2 === 0) await store.write({ key, body: undefined })
        else await update(store, key, 'later')
      }
      await update(store, `/k000-${turn++}`, 'later')
    }
    assert.ok(turn > 1)
    assert.equal(count, 300)
  },
  async 'a filter sees the attributes of every candidate, also of past versions'(store) {
    const labelled = (app: string) => attributesFor({ labels: { app } })
    for (let index = 0; index < 30; index++) {
      const attributes = labelled(index % 3 === 0 ? 'web' : 'db')
      await committed(store, { key: `/k${String(index).padStart(2, '0')}`, body: bodyFor(`${index}`), attributes })
    }
    const revision = store.currentRevision()
    const filter = (attributes: Buffer) => attributes.equals(labelled('web'))
    const expected = ['0', '3', '6', '9', '12', '15', '18', '21', '24', '27']
    assert.deepEqual(await listAll(store, '/', undefined, filter), expected)
    for (const index of ['03', '04'])
      await committed(store, { key: `/k${index}`, body: bodyFor('x'), attributes: labelled('x') })
    assert.deepEqual(await listAll(store, '/', revision, filter), expected)
    const pages = await pagesOf(store, { prefix: '/', limit: 4, revision, filter })
    assert.deepEqual(
      pages.flatMap(({ names }) => names),
      expected,
    )
  },
  async 'a list includes keys on request, together with attributes, also of past versions'(store) {
    const keys = Array.from({ length: 12 }, (_, index) => `/k${String(index).padStart(2, '0')}`)
    for (const key of keys) {
      await committed(store, {
        key,
        body: bodyFor(key.repeat(20_000)),
        attributes: attributesFor({ labels: { key } }),
      })
    }
    const revision = store.currentRevision()
    await update(store, '/k03', 'changed')
    for (const at of [undefined, revision]) {
      const named: string[] = []
      const attributes: Buffer[] = []
      const filter = (seen: Buffer) => attributes.push(Buffer.from(seen)) > 0
      const page = await store.list({ prefix: '/', revision: at, keys: true, filter })
      for await (const chunk of page.items) {
        assert.equal(chunk.keys?.length, chunk.count)
        named.push(...(chunk.keys ?? []))
      }
      assert.deepEqual(named, keys)
      const expected = keys.map(key => attributesFor(at === undefined && key === '/k03' ? {} : { labels: { key } }))
      assert.deepEqual(attributes, expected)
    }
  },
  async 'a chunk contains the attributes of unusual bodies, by their index, also of past versions'(store) {
    const keys = Array.from({ length: 12 }, (_, index) => `/k${String(index).padStart(2, '0')}`)
    const attributesOf = (key: string) => attributesFor({ version: Number(key.slice(2)) % 3 === 0 ? 'v1' : 'v2' })
    const usual = attributesFor({ version: 'v2' })
    for (const key of keys) {
      await committed(store, { key, body: bodyFor(key.repeat(20_000)), attributes: attributesOf(key) })
    }
    const revision = store.currentRevision()
    for (const key of keys) await committed(store, { key, body: bodyFor('changed'), attributes: usual })
    const isUsual = (bytes: Buffer, start: number, end: number) => bytes.subarray(start, end).equals(usual)
    for (const at of [undefined, revision]) {
      const others: string[] = []
      const page = await store.list({ prefix: '/', revision: at, keys: true, isUsual })
      for await (const { keys: named = [], otherAttributes = new Map<number, Buffer>() } of page.items) {
        for (const [index, attributes] of otherAttributes) {
          assert.deepEqual(attributes, attributesFor({ version: 'v1' }))
          others.push(named[index]!)
        }
      }
      assert.deepEqual(others, at === undefined ? [] : ['/k00', '/k03', '/k06', '/k09'])
    }
    const [first] = await pagesOf(store, { prefix: '/', limit: 5, revision, isUsual })
    assert.equal(first?.remaining, 7)
    const filter = (attributes: Buffer) => !attributes.equals(usual)
    const filtered = await store.list({ prefix: '/', revision, filter, isUsual })
    for await (const { count, otherAttributes } of filtered.items) assert.equal(otherAttributes?.size, count)
  },
  async 'a future revision cannot be listed'(store) {
    await assert.rejects(async () => listAll(store, '/', store.currentRevision() + 1), isKind('unavailable'))
  },
}
