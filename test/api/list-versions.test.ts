import { ApiError } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { widgetGroup } from './widgets.js'
import { type ServerUnderTest, withServer } from './with-server.js'

/** Every cell of the table "resourceVersion and resourceVersionMatch on list" of the specification. */
interface Cell {
  readonly match?: 'Exact' | 'NotOlderThan'
  readonly limit?: number
  readonly continued?: boolean
  /** `past` is the version before the last change. */
  readonly version?: '0' | 'past'
  /** The expected status or state. */
  readonly expect: number | 'newest' | 'past'
}
const cells: Record<string, Cell> = {
  'no match, no limit, no version: the newest': { expect: 'newest' },
  'no match, no limit, version 0: any': { version: '0', expect: 'newest' },
  'no match, no limit, a version: not older than it': { version: 'past', expect: 'newest' },
  'no match, limit, no version: the newest': { limit: 10, expect: 'newest' },
  'no match, limit, version 0: any': { limit: 10, version: '0', expect: 'newest' },
  'no match, limit, a version: exactly it': { limit: 10, version: 'past', expect: 'past' },
  'no match, continued, no version: from the token': { limit: 10, continued: true, expect: 'past' },
  'no match, continued, version 0: from the token': { limit: 10, continued: true, version: '0', expect: 'past' },
  'no match, continued, a version: refused': { limit: 10, continued: true, version: 'past', expect: 400 },
  'Exact without a version: refused': { match: 'Exact', expect: 422 },
  'Exact with version 0: refused': { match: 'Exact', version: '0', expect: 422 },
  'Exact with a version: exactly it': { match: 'Exact', version: 'past', expect: 'past' },
  'Exact with a version and a limit: exactly it': { match: 'Exact', version: 'past', limit: 10, expect: 'past' },
  'Exact continued: refused': { match: 'Exact', version: 'past', limit: 10, continued: true, expect: 422 },
  'NotOlderThan without a version: refused': { match: 'NotOlderThan', expect: 422 },
  'NotOlderThan with version 0: any': { match: 'NotOlderThan', version: '0', expect: 'newest' },
  'NotOlderThan with a version: not older than it': { match: 'NotOlderThan', version: 'past', expect: 'newest' },
  'NotOlderThan with a version and a limit: not older than it': {
    match: 'NotOlderThan',
    version: 'past',
    limit: 10,
    expect: 'newest',
  },
}

/** Creates two widgets, records a version and a token, and changes a widget. */
async function prepare({ ask, path }: ServerUnderTest): Promise<{ version: string; token: string }> {
  for (const name of ['a', 'b']) await ask('POST', path, { metadata: { name }, spec: { color: 'red' } })
  const first = await ask('GET', `${path}?limit=1`)
  await ask('PATCH', `${path}/b`, { spec: { color: 'blue' } }, { 'content-type': 'application/merge-patch+json' })
  return { version: first.json.metadata['resourceVersion'] ?? '', token: first.json.metadata['continue'] ?? '' }
}

function queryOf({ match, limit, continued, version }: Cell, prepared: { version: string; token: string }): string {
  const query = new URLSearchParams()
  if (match) query.set('resourceVersionMatch', match)
  if (limit) query.set('limit', String(limit))
  if (continued) query.set('continue', prepared.token)
  if (version) query.set('resourceVersion', version === 'past' ? prepared.version : version)
  return query.toString()
}

const table = suite('the table of list versions')

for (const [title, cell] of Object.entries(cells)) {
  table(title, () =>
    withServer({}, async server => {
      const prepared = await prepare(server)
      const answer = await server.ask('GET', `${server.path}?${queryOf(cell, prepared)}`)
      if (typeof cell.expect === 'number') return assert.is(answer.status, cell.expect, answer.text)
      assert.is(answer.status, 200, answer.text)
      const last = answer.json.items.at(-1) as never as { spec: { color: string } }
      assert.is(last.spec.color, cell.expect === 'past' ? 'red' : 'blue')
      const shown = answer.json.metadata['resourceVersion']
      assert.is(shown === prepared.version, cell.expect === 'past')
    }),
  )
}

table('a future version is a 504 with Retry-After', () =>
  withServer({}, async ({ ask, path }) => {
    const answer = await ask('GET', `${path}?resourceVersion=99999999`)
    assert.is(answer.status, 504)
    assert.is(answer.headers.get('retry-after'), '1')
    assert.match(answer.text, 'Too large resource version')
  }),
)

const expiring = { options: { watchHistory: '500ms' } }

/** Waits until the token has expired and returns the response. */
async function expired({ ask, path }: ServerUnderTest, token: string) {
  for (let tries = 0; tries < 100; tries++) {
    const answer = await ask('GET', `${path}?limit=1&continue=${token}`)
    if (answer.status === 410) return answer
    await ask('PATCH', `${path}/a`, { spec: { size: tries % 10 } }, { 'content-type': 'application/merge-patch+json' })
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  throw new Error('the token does not expire')
}
const namesOf = ({ json }: { json: { items: { metadata: Record<string, string> }[] } }) =>
  json.items.map(({ metadata }) => metadata['name'])

table('an expired token is a 410 with a new one, which continues with the current state', () =>
  withServer(expiring, async server => {
    const { ask, path } = server
    for (const name of ['a', 'b', 'd']) await ask('POST', path, { metadata: { name } })
    const first = await ask('GET', `${path}?limit=1`)
    await ask('POST', path, { metadata: { name: 'c' } })
    const gone = await expired(server, first.json.metadata['continue'] ?? '')
    assert.is(gone.json['reason'], 'Expired')
    assert.match(gone.text, 'use the continue token in this response')
    const next = await ask('GET', `${path}?limit=1&continue=${gone.json.metadata['continue']}`)
    assert.is(next.status, 200, next.text)
    assert.equal(namesOf(next), ['b'])
    assert.is.not(next.json.metadata['resourceVersion'], first.json.metadata['resourceVersion'])
    const rest = await ask('GET', `${path}?continue=${next.json.metadata['continue']}`)
    assert.equal(namesOf(rest), ['c', 'd'])
    // From here on the list is consistent again, at the version of the page that continued.
    assert.is(rest.json.metadata['resourceVersion'], next.json.metadata['resourceVersion'])
  }),
)

table('the error of the client has the new token', () =>
  withServer(expiring, async server => {
    const { ask, path } = server
    for (const name of ['a', 'b']) await ask('POST', path, { metadata: { name } })
    const token = (await ask('GET', `${path}?limit=1`)).json.metadata['continue'] ?? ''
    await expired(server, token)
    const widgets = server.client.resource({ group: widgetGroup, version: 'v1', resource: 'widgets' }).in('n')
    const error = await widgets.list({ limit: 1, continue: token }).catch((thrown: unknown) => thrown)
    assert.instance(error, ApiError)
    const { items } = await widgets.list({ continue: (error as ApiError).continueToken })
    assert.equal(
      items.map(({ metadata }) => metadata.name),
      ['b'],
    )
  }),
)

table('an expired token of a collection delete can be continued, too', () =>
  withServer(expiring, async server => {
    const { ask, path } = server
    for (const name of ['a', 'b']) await ask('POST', path, { metadata: { name } })
    const token = (await ask('GET', `${path}?limit=1`)).json.metadata['continue'] ?? ''
    await expired(server, token)
    const gone = await ask('DELETE', `${path}?continue=${token}`)
    assert.is(gone.status, 410, gone.text)
    assert.is((await ask('DELETE', `${path}?continue=${gone.json.metadata['continue']}`)).status, 200)
    assert.equal(namesOf(await ask('GET', path)), ['a'])
  }),
)

table('a token without a version is rejected', () =>
  withServer({}, async ({ ask, path }) => {
    for (const rv of [0, -2, 1.5]) {
      const token = Buffer.from(JSON.stringify({ v: 1, rv, after: 'a' })).toString('base64url')
      assert.is((await ask('GET', `${path}?continue=${token}`)).status, 400)
    }
  }),
)

table.run()
