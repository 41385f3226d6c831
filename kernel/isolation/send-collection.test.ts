import type { ApiObject, CacheChange } from 'orch/sdk'
import { ObjectCache } from 'orch/sdk/controllers'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Outlet, PacedSending, TooMuch } from './paced-sending.js'
import { sendCollection } from './send-collection.js'

const collections = suite('collections for plugins in processes of their own')

const named = (name: string, version = '1'): ApiObject => ({ metadata: { name, resourceVersion: version } })
const aCache = (count: number): ObjectCache => {
  const cache = new ObjectCache()
  cache.replace(Array.from({ length: count }, (_, index) => named(`object-${index}`)))
  return cache
}
const busyMs = (ms: number) => {
  for (const end = performance.now() + ms; performance.now() < end; );
}

/** A process that gets messages, and has room for more when it is told to. */
function aProcess(costMs = 0) {
  const got: Pick<CacheChange, 'type' | 'object'>[] = []
  const waiting: (() => void)[] = []
  const take = (_: string, content: object) => {
    busyMs(costMs)
    return got.push(Object.assign({ type: 'added' as const, object: named('') }, content))
  }
  const outlet: Outlet = {
    notify: take,
    room: () => new Promise(resolve => waiting.push(resolve)),
  }
  const makeRoom = () => {
    for (const resolve of waiting.splice(0)) resolve()
  }
  return { got, outlet, waiting, makeRoom }
}
const send = (cache: ObjectCache, process: ReturnType<typeof aProcess>, signal: AbortSignal, maxLength = 1e9) => {
  const sending = new PacedSending(process.outlet, signal, maxLength, 'it is too much')
  return sendCollection(cache, signal, sending, change => process.got.push(change), 1)
}
const turn = () => new Promise(resolve => setImmediate(resolve))

collections(
  'a large one is sent in turns, as fast as the process reads, and changes meanwhile arrive in order',
  async () => {
    const cache = aCache(50)
    const process = aProcess(1)
    const { signal } = new AbortController()
    let isSent = false
    const sent = send(cache, process, signal).then(() => {
      isSent = true
    })
    while (process.waiting.length === 0) await turn()
    const atFirst = process.got.length
    assert.ok(atFirst > 0 && atFirst < 50, `${atFirst} in the first turn`)
    for (let turns = 0; turns < 10; turns++) await turn()
    assert.is(process.got.length, atFirst, 'nothing more while the process does not read')
    cache.apply('MODIFIED', named('object-0', '2'))
    cache.apply('MODIFIED', named('object-49', '2'))
    cache.apply('DELETED', named('object-48', '2'))
    while (!isSent) {
      process.makeRoom()
      await turn()
    }
    await sent
    cache.apply('ADDED', named('late'))
    const last = new Map(
      process.got.map(({ type, object }) => [object.metadata.name, `${type} ${object.metadata.resourceVersion}`]),
    )
    assert.is(last.get('object-0'), 'modified 2')
    assert.is(last.get('object-49'), 'modified 2')
    assert.match(last.get('object-48') ?? '', /^deleted/)
    assert.is(last.get('object-1'), 'added 1')
    assert.is(last.get('late'), 'added 1')
    assert.is(process.got.filter(({ object }) => object.metadata.name === 'object-49').length, 1)
  },
)

collections(
  'one that is larger than the process can hold is refused, and the process is not sent its changes',
  async () => {
    const cache = aCache(50)
    const process = aProcess()
    const following = new AbortController()
    const refused = await send(cache, process, following.signal, 100).catch((thrown: unknown) => thrown)
    assert.instance(refused, TooMuch)
    following.abort()
    const before = process.got.length
    cache.apply('ADDED', named('late'))
    assert.is(process.got.length, before)
  },
)

collections.run()
