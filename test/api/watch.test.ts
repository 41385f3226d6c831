import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { WatchEvent } from 'orch/sdk/client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type ServerUnderTest, withServer } from './with-server.js'

interface Seen {
  readonly metadata: { readonly name: string; readonly resourceVersion: string }
}
const ref = { group: 'widgets.test', version: 'v1', resource: 'widgets' }

/** Watches from a version until an event with this name comes. */
async function watchUntil(
  server: ServerUnderTest,
  resourceVersion: string,
  lastName: string,
): Promise<WatchEvent<Seen>[]> {
  const client = server.clientOf()
  const seen: WatchEvent<Seen>[] = []
  try {
    for await (const event of client.resource<Seen>(ref).in('n').watch({ resourceVersion, timeoutSeconds: 30 })) {
      seen.push(event)
      if (event.object.metadata.name === lastName) break
    }
  } finally {
    await client.close()
  }
  return seen
}
const identityOf = ({ type, object }: WatchEvent<Seen>) =>
  `${type} ${object.metadata.name} ${object.metadata.resourceVersion}`

const watches = suite('watches over HTTP')

watches(
  'watchers that start at any time during concurrent writes see the same sequence, without loss or repetition',
  () =>
    withServer({}, async server => {
      const { ask, path } = server
      const start = (await ask('GET', path)).json.metadata['resourceVersion'] ?? ''
      const writer = async (lane: number) => {
        for (let i = 0; i < 40; i++) {
          const name = `w-${lane}-${i}`
          await ask('POST', path, { metadata: { name }, spec: { color: 'red' } })
          await ask(
            'PATCH',
            `${path}/${name}`,
            { spec: { size: 1 } },
            { 'content-type': 'application/merge-patch+json' },
          )
          if (i % 2 === 0) await ask('DELETE', `${path}/${name}`)
        }
      }
      const early = watchUntil(server, start, 'the-end')
      const writing = Promise.all([0, 1, 2, 3].map(writer))
      await new Promise(resolve => setTimeout(resolve, 30))
      const middle = watchUntil(server, start, 'the-end')
      await writing
      await ask('POST', path, { metadata: { name: 'the-end' } })
      const [first, second, late] = await Promise.all([early, middle, watchUntil(server, start, 'the-end')])
      assert.is(first.length, 4 * (40 + 40 + 20) + 1)
      const versions = first.map(event => Number(event.object.metadata.resourceVersion))
      assert.equal(
        versions,
        [...new Set(versions)].sort((left, right) => left - right),
      )
      assert.equal(second.map(identityOf), first.map(identityOf))
      assert.equal(late.map(identityOf), first.map(identityOf))
    }),
)

watches('a watch of one object sends only that object, not those with the same name prefix', () =>
  withServer({}, async ({ ask, path }) => {
    for (const name of ['a', 'ab', 'a-b']) await ask('POST', path, { metadata: { name } })
    const named = await ask('GET', `${path}/a?watch=1&timeoutSeconds=1`)
    const selected = await ask('GET', `${path}?watch=1&fieldSelector=metadata.name=a&timeoutSeconds=1`)
    for (const { text } of [named, selected]) {
      const events = text
        .trim()
        .split('\n')
        .map(line => JSON.parse(line))
      assert.equal(
        events.map(({ type, object }) => `${type} ${object.metadata.name}`),
        ['ADDED a'],
      )
    }
    const both = await ask('GET', `${path}/a?watch=1&fieldSelector=metadata.name=ab&timeoutSeconds=1`)
    assert.is(both.status, 400)
    const list = await ask('GET', `${path}?fieldSelector=metadata.name=a`)
    assert.equal(
      list.json.items.map(({ metadata }) => metadata['name']),
      ['a'],
    )
  }),
)

watches('a client that does not read is disconnected, and others are not delayed', () =>
  withServer({ options: { watchBufferBytes: 64 * 1024 } }, async server => {
    const { ask, path, baseUrl, token } = server
    const { hostname, port } = new URL(baseUrl)
    const lazy: Socket = connect(Number(port), hostname)
    await once(lazy, 'connect')
    lazy.pause()
    lazy.write(`GET ${path}?watch=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`)
    const closed = once(lazy, 'close')
    const big = 'x'.repeat(200_000)
    for (let i = 0; i < 60; i++) await ask('POST', path, { metadata: { name: `big-${i}` }, spec: { notes: { big } } })
    lazy.resume()
    lazy.on('data', () => {})
    await closed
    assert.is((await ask('GET', `${path}/big-1`)).status, 200)
  }),
)

watches('a compacted version ends the watch with a 410 error event', () =>
  withServer({ options: { watchHistory: '1s' } }, async server => {
    const { ask, path } = server
    const made = await ask('POST', path, { metadata: { name: 'a' } })
    const first = made.json.metadata['resourceVersion'] ?? ''
    let text = ''
    for (let tries = 0; tries < 60 && !text.includes('"code":410'); tries++) {
      await ask(
        'PATCH',
        `${path}/a`,
        { spec: { size: tries % 10 } },
        { 'content-type': 'application/merge-patch+json' },
      )
      await new Promise(resolve => setTimeout(resolve, 250))
      text = (await ask('GET', `${path}?watch=1&resourceVersion=${first}&timeoutSeconds=1`)).text
    }
    assert.match(text, /"type":"ERROR".*"reason":"Expired".*"code":410/)
  }),
)

watches('--watch-bookmark-interval says how often an idle watch gets a bookmark', () =>
  withServer({ options: { watchBookmarkInterval: '200ms' } }, async server => {
    const client = server.clientOf()
    let seen = 0
    const watching = client.resource<Seen>(ref).in('n').watch({ allowWatchBookmarks: true, timeoutSeconds: 30 })
    for await (const { type } of watching) if (type === 'BOOKMARK' && ++seen === 3) break
    await client.close()
    assert.is(seen, 3)
  }),
)

watches('stopping the server ends a watch cleanly', async () => {
  let text: Promise<string> | undefined
  await withServer({}, async ({ baseUrl, token, path }) => {
    const response = await fetch(`${baseUrl}${path}?watch=1`, { headers: { authorization: `Bearer ${token}` } })
    text = response.text()
  })
  assert.is(await text, '')
})

watches('an acknowledged write survives a stop and a new start', async () => {
  const { mkdtempSync, rmSync } = await import('node:fs')
  const dataDir = mkdtempSync('/tmp/orch-restart-')
  try {
    await withServer(
      { dataDir },
      async ({ ask, path }) => void (await ask('POST', path, { metadata: { name: 'kept' } })),
    )
    await withServer({ dataDir }, async ({ ask, path }) => assert.is((await ask('GET', `${path}/kept`)).status, 200))
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})

watches.run()
