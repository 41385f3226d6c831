import { type ApiObject, orchProfile, Vendor } from 'orch/sdk'
import { createClient } from 'orch/sdk/client'
import { answer, FakeApi, fakeClock, fakeLogger, fakeMetrics } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { acmeNames } from '../testing/acme.js'
import { unusedTokensLoop } from './unused-tokens.js'

const { accountName, lastUsedLabel, invalidSinceLabel, tokenSecretType, systemNamespace, trackedSinceConfigMap } =
  acmeNames
const now = '2024-01-01T00:00:00Z'
const farm = '/api/v1/namespaces/farm'
const secretPath = `${farm}/secrets/robot-token`

/** A server that has Pods. */
const discovery: Readonly<Record<string, object>> = {
  '/api': { versions: ['v1'] },
  '/apis': { groups: [] },
  '/api/v1': { resources: [{ name: 'pods', kind: 'Pod', namespaced: true, verbs: ['get', 'list', 'watch'] }] },
}

interface World {
  readonly labels?: Record<string, string>
  readonly created?: string
  readonly trackedSince?: string
  readonly isListed?: boolean
  readonly mounted?: boolean
}
/** What the loop does to the Secret of such a world: the body of a patch, `deleted`, or nothing. */
async function outcome(world: World): Promise<unknown> {
  const { labels = {}, created = '2020-01-01T00:00:00Z', trackedSince = '2022-01-01', isListed = true, mounted } = world
  const api = new FakeApi()
  api.put(secretPath, {
    metadata: {
      name: 'robot-token',
      uid: 'secret-1',
      creationTimestamp: created,
      labels,
      annotations: { [accountName]: 'robot' },
    },
    type: tokenSecretType,
  } as ApiObject)
  const secrets = isListed ? [{ name: 'robot-token' }] : []
  api.put(`${farm}/serviceaccounts/robot`, { metadata: { name: 'robot' }, secrets } as ApiObject)
  const volumes = [{ name: 'v', secret: { secretName: 'robot-token' } }]
  if (mounted) api.put(`${farm}/pods/p`, { metadata: { name: 'p' }, spec: { volumes, containers: [] } } as ApiObject)
  api.put(`/api/v1/namespaces/${systemNamespace}/configmaps/${trackedSinceConfigMap}`, {
    metadata: { name: trackedSinceConfigMap },
    data: { since: trackedSince },
  } as ApiObject)
  let done: unknown
  api.intercept = ({ method, path, body }) => {
    const discovered = discovery[path.split('?')[0] ?? '']
    if (discovered) return answer(200, discovered)
    if (!path.startsWith(secretPath) || method === 'GET') return undefined
    done = method === 'PATCH' ? JSON.parse(String(body)).metadata.labels : 'deleted'
    return answer(200, { metadata: { name: 'robot-token' } })
  }
  const clock = fakeClock(Date.parse(now))
  const client = createClient({ transport: api.transport, clock })
  const given = { client, clock, logger: fakeLogger(), metrics: fakeMetrics(), vendor: new Vendor(orchProfile) }
  const stop = await unusedTokensLoop(acmeNames).start(given)
  for (let turn = 0; turn < 20; turn++) {
    await new Promise(resolve => setTimeout(resolve, 5))
    await clock.advance(100)
  }
  await stop()
  return done
}

const loop = suite('unused tokens in Secrets')

const cases: Record<string, readonly [World, unknown]> = {
  'one that was never used for a year is marked as invalid': [{}, { [invalidSinceLabel]: '2024-01-01' }],
  'so is one whose last use is a year ago': [
    { labels: { [lastUsedLabel]: '2022-12-31' } },
    { [invalidSinceLabel]: '2024-01-01' },
  ],
  'one that was used within a year is kept': [{ labels: { [lastUsedLabel]: '2023-06-01' } }, undefined],
  'one that was created within a year is kept': [{ created: '2023-06-01T00:00:00Z' }, undefined],
  'nothing happens before uses have been recorded for a year': [{ trackedSince: '2023-06-01' }, undefined],
  'one that its account does not list was created manually and is kept': [{ isListed: false }, undefined],
  'one that a Pod mounts is kept': [{ mounted: true }, undefined],
  'one that has been invalid for a year is deleted': [{ labels: { [invalidSinceLabel]: '2022-12-01' } }, 'deleted'],
  'one that became invalid recently is kept': [{ labels: { [invalidSinceLabel]: '2023-12-01' } }, undefined],
}
for (const [title, [world, expected]] of Object.entries(cases))
  loop(title, async () => assert.equal(await outcome(world), expected))

loop.run()
