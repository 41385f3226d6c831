import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type AttributeFilter, bodiesOf, bodyPrefix, type ListRequest, type Store } from 'orch/sdk/host'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compileAttributeFilter, encodeAttributes, isVersionMarked } from '../attributes.js'
import type { Limits } from './limits.js'
import { openLmdbStore } from './lmdb-storage.js'

interface Context {
  dataDir: string
  store: Store
}
const index = suite<Context>('lists by indexed attributes')

const open = (context: Context, limits?: Partial<Limits>) =>
  openLmdbStore({ dataDir: context.dataDir, ...(limits ? { limits } : {}) })
const name = (number: number): string => `/c/${String(number).padStart(4, '0')}`
const put = (store: Store, number: number, app: string | undefined, version = 'v1') =>
  store.write({
    key: name(number),
    body: Buffer.from(`${bodyPrefix}"name":"${number}"}}`),
    attributes: encodeAttributes({ version, labels: app === undefined ? {} : { app, tier: 'all' } }),
  })
const fill = (store: Store) =>
  Promise.all(Array.from({ length: 600 }, (_, number) => put(store, number, number % 100 === 7 ? 'web' : 'db')))

/** Labels with one value each, and a count of the filter calls. */
function selecting(labels: Readonly<Record<string, string>>): AttributeFilter & { asked: number } {
  const filter = compileAttributeFilter(
    Object.entries(labels).map(([label, value]) => ({ kind: 'l', name: label, operator: 'in', values: [value] })),
  )
  const counting = (attributes: Buffer) => {
    counted.asked++
    return filter(attributes)
  }
  const counted = Object.assign(counting, { asked: 0, lookups: filter.lookups! })
  return counted
}

async function names(store: Store, filter: AttributeFilter, request: Partial<ListRequest> = {}): Promise<string[]> {
  const found: string[] = []
  const page = await store.list({ prefix: '/c/', filter, ...request })
  for await (const chunk of page.items)
    for (const body of bodiesOf(chunk)) found.push(JSON.parse(String(body)).metadata.name)
  return found
}
/** Lists twice and waits for an index that is built in the background. */
async function repeated(store: Store, filter: AttributeFilter): Promise<void> {
  for (let list = 0; list < 2; list++) await names(store, filter)
  for (let turn = 0; turn < 20; turn++) await nextTurn()
}

index.before.each(async context => {
  context.dataDir = mkdtempSync(join(tmpdir(), 'orch-index-'))
})
index.after.each(async context => {
  await context.store.close()
  rmSync(context.dataDir, { recursive: true, force: true })
})

index('a repeated selector visits only matching objects, also while objects change', async context => {
  const store = (context.store = await open(context))
  await fill(store)
  const web = selecting({ app: 'web' })
  assert.is((await names(store, web)).length, 6)
  assert.is(web.asked, 600)
  await repeated(store, web)
  web.asked = 0
  assert.equal(await names(store, web), ['7', '107', '207', '307', '407', '507'])
  assert.is(web.asked, 6)

  const before = store.currentRevision()
  await put(store, 8, 'web')
  await put(store, 107, 'db')
  await put(store, 207, undefined)
  await store.write({ key: name(307), body: undefined })
  await put(store, 700, 'web')
  await put(store, 8, 'web')
  web.asked = 0
  assert.equal(await names(store, web), ['7', '8', '407', '507', '700'])
  assert.is(web.asked, 5)
  assert.equal(await names(store, web, { revision: before }), ['7', '107', '207', '307', '407', '507'])
  assert.equal(await names(store, web, { limit: 2, after: name(7) }), ['8', '407'])
  const either = compileAttributeFilter([{ kind: 'l', name: 'app', operator: 'in', values: ['web', 'nothing'] }])
  assert.equal(await names(store, either), ['7', '8', '407', '507', '700'])
  assert.equal(await names(store, selecting({ app: 'nothing' })), [])
})

index('the first list fills the index, while objects change between its parts', async context => {
  const store = (context.store = await open(context, { keysPerRead: 50 }))
  await fill(store)
  const web = selecting({ app: 'web' })
  const found: string[] = []
  const page = await store.list({ prefix: '/c/', filter: web })
  for await (const chunk of page.items) {
    const isFirst = found.length === 0
    for (const body of bodiesOf(chunk)) found.push(JSON.parse(String(body)).metadata.name)
    if (!isFirst) continue
    await put(store, 7, 'db')
    await put(store, 107, 'db')
    await put(store, 300, 'web')
  }
  assert.equal(found, ['7', '107', '207', '307', '407', '507'])
  web.asked = 0
  assert.equal(await names(store, web), ['207', '300', '307', '407', '507'])
  assert.is(web.asked, 5)
})

index('a list that does not visit all objects fills none; the next builds one beside it', async context => {
  const store = (context.store = await open(context))
  await fill(store)
  const web = selecting({ app: 'web' })
  assert.equal(await names(store, web, { limit: 2 }), ['7', '107'])
  web.asked = 0
  assert.is((await names(store, web)).length, 6)
  assert.is(web.asked, 600)
  for (let turn = 0; turn < 20; turn++) await nextTurn()
  web.asked = 0
  assert.equal(await names(store, web, { limit: 2 }), ['7', '107'])
  assert.is(web.asked, 2)
})

index('a value that most objects have is not looked up; the next condition of the selector is', async context => {
  const store = (context.store = await open(context))
  await fill(store)
  const every = selecting({ tier: 'all' })
  await repeated(store, every)
  every.asked = 0
  assert.is((await names(store, every)).length, 600)
  assert.is(every.asked, 600)
  const narrow = selecting({ tier: 'all', app: 'web' })
  await repeated(store, narrow)
  narrow.asked = 0
  assert.is((await names(store, narrow)).length, 6)
  assert.is(narrow.asked, 6)
})

index('unusual objects may match without the value, so all objects are visited while there are any', async context => {
  const store = (context.store = await open(context))
  await fill(store)
  const web = selecting({ app: 'web' })
  await repeated(store, web)
  const isUsual = (bytes: Buffer, start: number, end: number) =>
    isVersionMarked(bytes, start, end) && bytes[start + 4] === '1'.charCodeAt(0)
  web.asked = 0
  assert.is((await names(store, web, { isUsual })).length, 6)
  assert.is(web.asked, 6)
  await put(store, 20, 'db', 'v2')
  web.asked = 0
  assert.is((await names(store, web, { isUsual })).length, 6)
  assert.is(web.asked, 600)
})

index('an index beyond its bound, or of a collection that is small, is not kept', async context => {
  const store = (context.store = await open(context, { indexedKeys: 100 }))
  await fill(store)
  const web = selecting({ app: 'web' })
  await repeated(store, web)
  web.asked = 0
  assert.is((await names(store, web)).length, 6)
  assert.is(web.asked, 600)
  const few = selecting({ app: 'web' })
  const small = { prefix: '/c/00' }
  for (let list = 0; list < 3; list++) {
    await names(store, few, small)
    await nextTurn()
  }
  few.asked = 0
  assert.equal(await names(store, few, small), ['7'])
  assert.is(few.asked, 100)
})

index('an index that outgrows its bound is dropped, also when it follows the log in parts', async context => {
  const store = (context.store = await open(context, { indexedKeys: 700, keysPerRead: 16, logEntriesPerRead: 16 }))
  await fill(store)
  const web = selecting({ app: 'web' })
  await repeated(store, web)
  await Promise.all(Array.from({ length: 90 }, (_, number) => put(store, 600 + number, 'db')))
  web.asked = 0
  assert.is((await names(store, web)).length, 6)
  assert.is(web.asked, 6)
  await Promise.all(Array.from({ length: 90 }, (_, number) => put(store, 700 + number, 'db')))
  assert.is((await names(store, web)).length, 6)
  web.asked = 0
  assert.is((await names(store, web)).length, 6)
  assert.is(web.asked, 780)
})

index('an index whose revision was compacted is built again', async context => {
  const store = (context.store = await open(context))
  await fill(store)
  const web = selecting({ app: 'web' })
  await repeated(store, web)
  await put(store, 9, 'web')
  await store.compact(store.currentRevision())
  await put(store, 10, 'web')
  await store.compact(store.currentRevision())
  assert.is((await names(store, web)).length, 8)
  await repeated(store, web)
  web.asked = 0
  assert.is((await names(store, web)).length, 8)
  assert.is(web.asked, 8)
})

index.run()
