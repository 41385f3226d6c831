import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ClientThread, type ThreadAnswer } from '../../support/client-thread.js'
import { watchEventLoop } from '../../support/event-loop-holds.js'
import { eventually } from '../../support/eventually.js'
import { boms, configMaps, definition, definitions, type LargeClass, largeClasses } from './large-classes.js'

/** The highest useful `--max-object-items`: more do not fit into a request. */
const maxObjectItems = 800_000
/**
 * CPU time for which one step on the largest of these objects may hold the event loop. Bodies are read and written in turns, and every
 * step of a write yields. The goal is 50 ms on a quiet machine. Measured there: up to 60 ms for a write of 70,000 keys, such as sorting
 * the fields of an owner; 105 ms to decode 400,000 empty objects, most of it to collect garbage; 105 ms to print 70,000 keys as a table.
 * On a busy machine the same work takes two to three times as much CPU.
 */
const longestHoldMs = 300
/** How much the memory of the server may grow while one of them is processed, including garbage that is not collected yet. */
const maxGrowthBytes = 400 * 2 ** 20

let server: TestServer
let client: ClientThread
const large = suite('large but legal objects')

large.before(async () => {
  server = await startServer({ vendor: 'kubernetes', options: { maxObjectItems, storageEngine: 'lmdb' } })
  client = new ClientThread(server)
  assert.is((await client.ask('POST', definitions, definition)).status, 201)
  await eventually('the type of the definition', async () => (await client.ask('GET', boms)).status === 200)
})
large.after(async () => {
  await client.close()
  await server.stop()
})

async function measured(what: string, ask: () => Promise<ThreadAnswer>): Promise<ThreadAnswer> {
  const stop = watchEventLoop()
  const answer = await ask()
  const { longestMs } = stop()
  assert.ok(longestMs < longestHoldMs, `${what} held the event loop for ${longestMs} ms of CPU`)
  return answer
}
const patch = (path: string, body: string, type: string) => client.ask('PATCH', path, body, { 'content-type': type })
const versionOf = ({ text }: ThreadAnswer) => /"resourceVersion":"(\d+)"/.exec(text)?.[1] ?? ''
const withVersion = ({ name, text }: LargeClass, version: string) =>
  text.replace(`"name":"${name}"`, `"name":"${name}","resourceVersion":"${version}"`)

/** Of these only what costs most, so that the suite stays short; the smaller ones of their kind do the rest. */
const largest = ['a ConfigMap of 70,000 keys', 'a list of 700,000 numbers', '400,000 empty objects']
const costly = ['create', 'apply', 'delete']

for (const [title, make] of Object.entries(largeClasses)) {
  const verbs = largest.includes(title) ? costly : undefined
  large(
    `${title} is ${verbs ? 'created and applied' : 'created, read, patched, replaced, applied and listed'}`,
    async () => {
      const made = make()
      const { collection, name, text, change, operations } = made
      const path = `${collection}/${name}`
      const before = process.memoryUsage().rss
      const steps: readonly [verb: string, expected: number, ask: () => Promise<ThreadAnswer>][] = [
        ['create', 201, () => client.ask('POST', collection, text)],
        ['get', 200, () => client.ask('GET', path)],
        ['merge patch', 200, () => patch(path, change, 'application/merge-patch+json')],
        ['JSON patch', 200, () => patch(path, operations, 'application/json-patch+json')],
        [
          'replace',
          200,
          async () => client.ask('PUT', path, withVersion(made, versionOf(await client.ask('GET', path)))),
        ],
        ['apply', 200, () => patch(`${path}?fieldManager=tool&force=true`, text, 'application/apply-patch+yaml')],
        ['list', 200, () => client.ask('GET', collection)],
        [
          'table',
          200,
          () => client.ask('GET', collection, undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }),
        ],
        ['delete', 200, () => client.ask('DELETE', path)],
      ]
      for (const [verb, expected, ask] of steps) {
        if (verbs && !verbs.includes(verb)) continue
        const { status, text: answer } = await measured(verb, ask)
        assert.is(status, expected, `${verb}: ${answer.slice(0, 300)}`)
      }
      const growth = process.memoryUsage().rss - before
      assert.ok(growth < maxGrowthBytes, `the memory grew by ${growth >> 20} MiB`)
    },
  )
}

large('label selectors of 100 kB and tokens of 900 kB are accepted, heads beyond a megabyte are not', async () => {
  const names = Array.from({ length: 10_000 }, (_, at) => `value${at}`).join()
  const selector = encodeURIComponent(`app in (${names})`)
  assert.ok(selector.length > 100_000)
  const selected = await measured('select', () => client.ask('GET', `${configMaps}?labelSelector=${selector}`))
  assert.is(selected.status, 200, selected.text.slice(0, 300))
  const withToken = (length: number) =>
    measured('reject', () =>
      client.ask('GET', configMaps, undefined, { authorization: `Bearer ${'x'.repeat(length)}` }),
    )
  assert.is((await withToken(900_000)).status, 401)
  assert.is((await withToken(1_100_000)).status, 431)
})

large('a request beyond 3 MiB is rejected', async () => {
  const sent = { metadata: { name: 'x' }, data: { k: 'x'.repeat(3 * 2 ** 20) } }
  assert.is((await measured('reject', () => client.ask('POST', configMaps, sent))).status, 413)
})

large('one item more than allowed is rejected, on create and on patch, and changes nothing', async () => {
  const keys = (count: number) => `{${Array.from({ length: count }, (_, at) => `"${at.toString(36)}":""`).join()}}`
  const configMap = (data: string) =>
    `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"most","namespace":"default"},"data":${data}}`
  const few = await startServer({ vendor: 'kubernetes', options: { maxObjectItems: 1_000 } })
  const usual = await startServer({ vendor: 'kubernetes' })
  const [asker, usualAsker] = [new ClientThread(few), new ClientThread(usual)]
  try {
    const tooMany = await usualAsker.ask('POST', configMaps, configMap(keys(200_001)))
    assert.is(tooMany.status, 413)
    assert.match(tooMany.text, /at most 200000 items/)
    assert.is((await asker.ask('POST', configMaps, configMap(keys(1_001)))).status, 413)
    assert.is((await asker.ask('GET', `${configMaps}/most`)).status, 404)
    const created = await asker.ask('POST', configMaps, configMap(keys(1_000)))
    assert.is(created.status, 201)
    const type = { 'content-type': 'application/merge-patch+json' }
    const patched = await asker.ask('PATCH', `${configMaps}/most`, '{"data":{"more":""}}', type)
    assert.is(patched.status, 413)
    assert.match(patched.text, 'lists and maps of an object may have at most 1000 items in total')
    assert.is(versionOf(await asker.ask('GET', `${configMaps}/most`)), versionOf(created))
  } finally {
    await asker.close()
    await usualAsker.close()
    await few.stop()
    await usual.stop()
  }
})

large.run()
