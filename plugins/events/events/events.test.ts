import { type ApiError, type ApiObject, definePlugin, kubernetesProfile, profileAtVersion, Vendor } from 'orch/sdk'
import type { Event } from 'orch/sdk/core'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventNames } from '../names.js'
import { fromStored, toStored } from './convert.js'
import { columns, coreEvents, events } from './resource.js'
import { validateEventUpdate } from './validation.js'

// The last version that serves v1beta1.
const vendor = { ...profileAtVersion(kubernetesProfile, '1.24')!, domain: 'acme.test', groupDomain: 'acme.test' }
const names = eventNames(new Vendor(vendor))
const plugin = definePlugin({
  name: 'events-under-test',
  register: to => to.resource(coreEvents(names), events(names)),
})
const eventTime = '2030-01-02T03:04:05.000006Z'

async function withServer(test: (server: TestServer) => Promise<void>): Promise<void> {
  const server = await startServer({ plugins: [plugin], vendor })
  try {
    await test(server)
  } finally {
    await server.stop()
  }
}
const inGroup = ({ client }: TestServer, group: string, version = 'v1') =>
  client.resource<ApiObject>({ group, version, resource: 'events' }).in('default')
const modern = {
  metadata: { name: 'e', namespace: 'default' },
  eventTime,
  reportingController: 'acme.test/c',
  reportingInstance: 'c-1',
  action: 'Do',
  reason: 'Why',
  note: 'text',
  type: 'Normal',
  regarding: { kind: 'Pod', name: 'p', namespace: 'default' },
}

const groups = suite('events in two groups')

groups('are the same rows of a table', () =>
  withServer(async server => {
    await inGroup(server, names.eventsGroup).create(modern)
    const accept = `application/json;as=Table;v=v1;g=${new Vendor(vendor).metaGroup}`
    const rowsAt = async (root: string) => {
      const headers = { authorization: `Bearer ${server.token}`, accept }
      const answer = await fetch(`${server.baseUrl}${root}/namespaces/default/events`, { headers })
      return ((await answer.json()) as { rows: { cells: unknown[] }[] }).rows.map(({ cells }) => cells.slice(1, 4))
    }
    for (const root of ['/api/v1', `/apis/${names.eventsGroup}/v1`, `/apis/${names.eventsGroup}/v1beta1`])
      assert.equal(await rowsAt(root), [['Normal', 'Why', 'pod/p']])
  }),
)

groups('are the same objects with other field names', () =>
  withServer(async server => {
    await inGroup(server, names.eventsGroup).create(modern)
    const seen = await inGroup(server, '').get('e')
    assert.equal(
      [seen['involvedObject'], seen['message'], seen['reportingComponent'], seen['eventTime'], seen['firstTimestamp']],
      [modern.regarding, 'text', 'acme.test/c', eventTime, null],
    )
    await inGroup(server, '').delete('e')
    assert.is(await inGroup(server, names.eventsGroup).find('e'), undefined)
  }),
)
groups('are selected by the field names of either', () =>
  withServer(async server => {
    await inGroup(server, names.eventsGroup).create(modern)
    for (const [group, field] of [
      ['', 'involvedObject.name'],
      [names.eventsGroup, 'regarding.name'],
    ] as const) {
      const find = async (name: string) =>
        (await inGroup(server, group).list({ fieldSelector: `${field}=${name}` })).items.length
      assert.equal([await find('p'), await find('q')], [1, 0])
    }
  }),
)
groups('are watched in either', () =>
  withServer(async server => {
    const stop = new AbortController()
    const watched = inGroup(server, names.eventsGroup).watch({ signal: stop.signal })
    const first = watched[Symbol.asyncIterator]().next()
    await inGroup(server, '').create({
      metadata: { name: 'old', namespace: 'default' },
      involvedObject: { kind: 'Pod', name: 'p', namespace: 'default' },
      count: 3,
    })
    const { value } = await first
    assert.equal([value.type, value.object['regarding']?.name, value.object['deprecatedCount']], ['ADDED', 'p', 3])
    stop.abort()
  }),
)
groups('must be complete in the newest version only', () =>
  withServer(async server => {
    const { eventTime: _, ...old } = modern
    const error = await inGroup(server, names.eventsGroup)
      .create(old)
      .catch((reason: unknown) => reason as ApiError)
    assert.equal(
      (error as ApiError).details?.causes?.map(({ field }) => field),
      ['eventTime'],
    )
    await inGroup(server, names.eventsGroup, 'v1beta1').create(old)
  }),
)

groups('may change their message, except in the newest version', () =>
  withServer(async server => {
    await inGroup(server, names.eventsGroup).create(modern)
    await inGroup(server, '').patch('e', { message: 'first' })
    await inGroup(server, names.eventsGroup, 'v1beta1').patch('e', { note: 'second' })
    // A field that the version does not have changes nothing.
    await inGroup(server, names.eventsGroup).patch('e', { message: 'third' })
    assert.is((await inGroup(server, '').get('e'))['message'], 'second')
    const error = await inGroup(server, names.eventsGroup)
      .patch('e', { note: 'fourth' })
      .catch((reason: ApiError) => reason)
    assert.is((error as ApiError).code, 422)
  }),
)

groups('have names for a URL, and for DNS in the newest version', () =>
  withServer(async server => {
    const odd = { ...modern, metadata: { name: 'Odd_Name', namespace: 'default' } }
    await inGroup(server, names.eventsGroup, 'v1beta1').create(odd)
    await inGroup(server, names.eventsGroup).delete('Odd_Name')
    const refused = await inGroup(server, names.eventsGroup)
      .create(odd)
      .catch((reason: ApiError) => reason.details?.causes?.map(({ field }) => field))
    assert.equal(refused, ['metadata.name'])
  }),
)

const changes = suite('changes of events')
const rules = {
  isStrict: true,
  comparesUpdates: true,
  systemNamespace: 'system',
  reporterField: 'reportingController',
} as const
const changeCases: Record<string, [change: Partial<Event>, ...wrong: string[]]> = {
  'may add a series': [{ series: { count: 2, lastObservedTime: eventTime } }],
  'refuse an invalid series': [{ series: { count: 1 } } as Partial<Event>, 'series.count', 'series.lastObservedTime'],
  'cannot change other fields': [
    { reason: 'Other', action: 'Undo', reportingComponent: 'acme.test/d' },
    'reason',
    'reason',
    'action',
    'reportingController',
  ],
}
for (const [title, [change, ...wrong]] of Object.entries(changeCases))
  changes(title, () => {
    const stored = toStored(modern)
    assert.equal(
      validateEventUpdate({ ...stored, ...change }, stored, rules).map(({ field }) => field),
      wrong,
    )
  })

changes('may be any where updates are not compared, but the event must be complete', () => {
  const stored = toStored(modern)
  const wrongWith = (change: Partial<Event>) =>
    validateEventUpdate({ ...stored, ...change }, stored, { ...rules, comparesUpdates: false }).map(
      ({ field }) => field,
    )
  assert.equal(wrongWith({ reason: 'Other', series: { count: 1, lastObservedTime: eventTime } }), [])
  assert.equal(wrongWith({ action: '' }), ['action'])
})

groups('an event owns nothing, so its deletion does not wait for dependents', () =>
  withServer(async server => {
    const events = inGroup(server, 'events.acme.test')
    await events.create(modern)
    await events.delete('e', { propagationPolicy: 'Foreground' })
    assert.equal((await events.list()).items, [])
  }),
)

const conversion = suite('conversion of events')
conversion('a round trip changes nothing', () => {
  const stored = toStored(modern)
  assert.equal(toStored(fromStored(stored)), stored)
})

groups.run()
conversion('the reporter of an event is shown as its source, in the old or the new field', () => {
  const source = columns.find(({ name }) => name === 'Source')!
  const shown = (event: object) => source.cell({ metadata: {}, involvedObject: {}, ...event } as Event, 0)
  assert.is(shown({ source: { component: 'c', host: 'h' } }), 'c, h')
  assert.is(shown({ source: {}, reportingComponent: 'r', reportingInstance: 'i' }), 'r, i')
  assert.is(shown({ reportingComponent: 'r' }), 'r')
})

conversion.run()
changes.run()
