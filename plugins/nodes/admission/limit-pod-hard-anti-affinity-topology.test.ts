import type { Affinity } from 'orch/sdk/core'
import { admit } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { acmeNames, aPod } from '../testing/acme.js'
import { limitPodHardAntiAffinityTopology } from './limit-pod-hard-anti-affinity-topology.js'

const control = limitPodHardAntiAffinityTopology(acmeNames)
const term = (topologyKey: string) => ({ topologyKey })
const must = (...keys: string[]): Affinity => ({
  podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: keys.map(term) },
})
const hostname = 'acme.test/hostname'
const zone = 'topology.acme.test/zone'

const cases: Record<string, [affinity: Affinity | undefined, code: number | undefined]> = {
  'lets Pods without affinity pass': [undefined, undefined],
  'admits required anti-affinity by node': [must(hostname), undefined],
  'rejects required anti-affinity by zone': [must(zone), 403],
  'checks every term': [must(hostname, zone), 403],
  'admits preferred anti-affinity by zone': [
    {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term(zone) }],
      },
    },
    undefined,
  ],
  'admits required affinity by zone': [
    { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term(zone)] } },
    undefined,
  ],
}
const topology = suite('limit pod hard anti-affinity topology')
for (const [title, [affinity, code]] of Object.entries(cases))
  topology(`${title}, on create, update and dry run`, async () => {
    const object = aPod(affinity ? { affinity } : {})
    assert.is((await admit(control, { object }, {})).refusal?.code, code)
    assert.is((await admit(control, { object, dryRun: true }, {})).refusal?.code, code)
    assert.is((await admit(control, { operation: 'update', object, oldObject: object }, {})).refusal?.code, code)
  })
topology('ignores the status', async () => {
  const object = aPod({ affinity: must(zone) })
  const update = { operation: 'update', subresource: 'status', object, oldObject: object } as const
  assert.is((await admit(control, update, {})).refusal, undefined)
})
topology.run()
