import type { ApiObject } from 'orch/sdk'
import { createClient } from 'orch/sdk/client'
import { FakeApi, fakeClock, fakeLogger, fakeMetrics } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { acme, acmeNames } from '../testing/acme.js'
import { podGroupProtectionLoop } from './protection-loop.js'

const protection = suite('protection of groups of Pods')
const groupPath = (namespace: string) =>
  `/apis/${acmeNames.schedulingGroup}/v1alpha2/namespaces/${namespace}/podgroups/g`
const deleted = (namespace: string): ApiObject => ({
  metadata: {
    name: 'g',
    namespace,
    deletionTimestamp: '2020-01-01T00:00:00Z',
    finalizers: [acmeNames.podGroupFinalizer, 'a.test/b'],
  },
})
const pod = (namespace: string, phase: string): ApiObject => ({
  metadata: { name: 'p', namespace },
  spec: { schedulingGroup: { podGroupName: 'g' } },
  status: { phase },
})

/** The finalizers of a deleted group after the loop has looked at it. */
async function finalizersLeft(...pods: ApiObject[]): Promise<readonly string[] | undefined> {
  const api = new FakeApi()
  const clock = fakeClock()
  api.put(groupPath('town'), deleted('town'))
  for (const one of pods) api.put(`/api/v1/namespaces/${one.metadata.namespace}/pods/p`, one)
  const client = createClient({ transport: api.transport, clock })
  const given = { client, clock, logger: fakeLogger(), metrics: fakeMetrics(), vendor: acme }
  const stop = await podGroupProtectionLoop(acmeNames).start(given)
  for (let turn = 0; turn < 10; turn++) {
    await new Promise(resolve => setTimeout(resolve, 5))
    await clock.advance(100)
  }
  await stop()
  const groups = { group: acmeNames.schedulingGroup, version: 'v1alpha2', resource: 'podgroups' }
  return (await client.resource(groups).in('town').get('g')).metadata.finalizers
}

protection('ends when no Pod of the group runs any more, and those of other namespaces do not count', async () => {
  assert.equal(await finalizersLeft(pod('town', 'Succeeded'), pod('city', 'Running')), ['a.test/b'])
  assert.equal(await finalizersLeft(pod('town', 'Running')), [acmeNames.podGroupFinalizer, 'a.test/b'])
})

protection.run()
