import type { Pod, Service } from 'orch/sdk/core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Endpoint, EndpointSlice } from '../endpoint-slices/schema.js'
import { mirrored } from '../mirroring/controller.js'
import { groupsOf } from './controller.js'
import { planSlices } from './plan-slices.js'

const planning = suite('slices')
const ports = [{ name: 'web', protocol: 'TCP', port: 80 }]
const endpoints = (...numbers: number[]): Endpoint[] => numbers.map(number => ({ addresses: [`10.0.0.${number}`] }))
const slice = (name: string, ...numbers: number[]): EndpointSlice => ({
  metadata: { name },
  addressType: 'IPv4',
  ports,
  endpoints: endpoints(...numbers),
})
const group = (...numbers: number[]) => ({ addressType: 'IPv4' as const, ports, endpoints: endpoints(...numbers) })
const shown = ({ metadata, endpoints: held }: EndpointSlice) =>
  [metadata?.name ?? 'new', ...(held ?? []).map(({ addresses }) => addresses[0]?.split('.')[3])].join(' ')
const plan = (wanted: ReturnType<typeof group>[], stored: EndpointSlice[]) => {
  const { create, update, remove } = planSlices(wanted, stored, 3)
  return [create.map(shown), update.map(shown), remove.map(shown)]
}

planning('are created with a limited number of endpoints each', () =>
  assert.equal(plan([group(1, 2, 3, 4)], []), [['new 1 2 3', 'new 4'], [], []]),
)
planning('are not written if nothing changed', () =>
  assert.equal(plan([group(1, 2)], [slice('a', 1), slice('b', 2)]), [[], [], []]),
)
planning('keep their endpoints, and get new ones where there is room', () =>
  assert.equal(plan([group(1, 2, 3, 4, 5)], [slice('a', 1, 2, 3), slice('b', 4)]), [[], ['b 4 5'], []]),
)
planning('without endpoints are removed', () =>
  assert.equal(plan([group(1)], [slice('a', 1), slice('b', 2)]), [[], [], ['b 2']]),
)
planning('are reduced to an empty one if there are no endpoints', () => {
  assert.equal(plan([group()], [slice('a', 1), slice('b', 2)]), [[], ['a'], ['b 2']])
  assert.equal(plan([group()], []), [['new'], [], []])
})
planning('that would be removed are reused for new ones of the same family', () => {
  const old = { ...slice('a', 1), ports: [{ name: 'web', protocol: 'TCP', port: 81 }] }
  assert.equal(plan([group(1)], [old]), [[], ['a 1'], []])
  assert.equal(planSlices([group(1)], [old], 3).update[0]?.ports, ports)
  const { ports: _, endpoints: __, ...placeholder } = old
  assert.equal(plan([group(1)], [placeholder as EndpointSlice]), [[], ['a 1'], []])
  assert.equal(plan([group(1)], [{ ...old, addressType: 'IPv6' }]), [['new 1'], [], ['a 1']])
})
planning.run()

const grouping = suite('endpoints in slices')
const service: Service = {
  metadata: { name: 'web', namespace: 'town' },
  spec: {
    selector: { app: 'web' },
    ipFamilies: ['IPv4', 'IPv6'],
    ports: [{ name: 'web', port: 80, targetPort: 8080 }],
  },
}
const pod = (isReady: boolean, metadata: Pod['metadata'] = {}): Pod => ({
  metadata: { name: 'a', namespace: 'town', uid: 'u', ...metadata },
  spec: { containers: [], nodeName: 'n' },
  status: {
    podIP: '10.0.0.1',
    podIPs: [{ ip: '10.0.0.1' }],
    conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }],
  },
})
const conditionsOf = (one: Pod, of: Service = service) => groupsOf(of, [one], () => 'z')[0]?.endpoints[0]?.conditions

grouping('name their Pod, node and zone', () => {
  const [v4, v6] = groupsOf(service, [pod(true)], node => `zone of ${node}`)
  assert.equal(v4, {
    addressType: 'IPv4',
    ports: [{ name: 'web', protocol: 'TCP', port: 8080 }],
    endpoints: [
      {
        addresses: ['10.0.0.1'],
        conditions: { ready: true, serving: true, terminating: false },
        targetRef: { kind: 'Pod', namespace: 'town', name: 'a', uid: 'u' },
        nodeName: 'n',
        zone: 'zone of n',
      },
    ],
  })
  assert.equal(v6, { addressType: 'IPv6', ports: [], endpoints: [] })
})
grouping('of terminating Pods still serve, and are not ready', () => {
  const ending = pod(true, { deletionTimestamp: '2020-01-01T00:00:00Z' })
  assert.equal(conditionsOf(ending), { ready: false, serving: true, terminating: true })
})
grouping('are ready where the Service wants that', () => {
  const eager = { ...service, spec: { ...service.spec, publishNotReadyAddresses: true } }
  assert.equal(conditionsOf(pod(false), eager), { ready: true, serving: false, terminating: false })
})
grouping('mirror manually written Endpoints, family by family', () => {
  const groups = mirrored(
    [
      {
        addresses: [{ ip: '10.0.0.1', hostname: 'h' }, { ip: 'fd00::1' }],
        notReadyAddresses: [{ ip: '10.0.0.2' }],
        ports: [{ port: 9 }],
      },
    ],
    1000,
  )
  assert.equal(
    groups.map(({ addressType, endpoints: held }) => [addressType, held]),
    [
      [
        'IPv4',
        [
          { addresses: ['10.0.0.1'], conditions: { ready: true }, hostname: 'h' },
          { addresses: ['10.0.0.2'], conditions: { ready: false } },
        ],
      ],
      ['IPv6', [{ addresses: ['fd00::1'], conditions: { ready: true } }]],
    ],
  )
})
grouping('mirror addresses in the form that slices require', () => {
  const addresses = [{ ip: 'FD00:0::01' }, { ip: '::ffff:10.0.0.1' }, { ip: '10.0.0.02' }]
  assert.equal(
    mirrored([{ addresses, ports: [{ port: 9 }] }], 1000).map(({ endpoints: held }) => held.map(one => one.addresses)),
    [[['10.0.0.1'], ['10.0.0.2']], [['fd00::1']]],
  )
})
grouping.run()
