import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { aCluster, aNode, app, asking, beside, closed, hostname, required, type Spec } from '../testing/a-cluster.js'

const fitting = suite('the nodes that a Pod fits on')

fitting('have the requested resources, and the message counts what is missing', () => {
  const { put, choose, facts } = aCluster(aNode('a'), aNode('b', {}, { cpu: '2' }))
  assert.is(put('big', asking('3')), 'a')
  assert.is(put('next', asking('1500m')), 'b')
  assert.is(choose(facts('more', asking('1500m'))), '0/2 nodes are available: 2 Insufficient cpu.')
  assert.is(
    choose(facts('huge', asking('9', '16Gi'))),
    '0/2 nodes are available: 2 Insufficient cpu, 2 Insufficient memory.',
  )
  assert.is(
    choose(facts('gpu', { containers: [{ name: 'm', resources: { requests: { 'acme.test/gpu': '1' } } }] } as never)),
    '0/2 nodes are available: 2 Insufficient acme.test/gpu.',
  )
})
fitting('requests include init containers and overhead', () => {
  const { choose, facts } = aCluster(aNode('a'))
  const init = { initContainers: [{ name: 'i', resources: { requests: { cpu: '5' } } }] } as unknown as Spec
  assert.match(choose(facts('init', { ...asking('1'), ...init })), 'Insufficient cpu')
  assert.match(choose(facts('overhead', { ...asking('3500m'), overhead: { cpu: '600m' } })), 'Insufficient cpu')
})
fitting('have fewer Pods than their limit', () => {
  const { put, cluster } = aCluster(aNode('a', {}, { pods: '1' }))
  assert.is(put('one'), 'a')
  assert.is(put('two'), '0/1 nodes are available: 1 Too many pods.')
  cluster.remove('town/one')
  assert.is(put('two'), 'a')
})
fitting('match its selector and required affinity', () => {
  const { choose, facts } = aCluster(aNode('a', { disk: 'ssd', size: '3' }), aNode('b', { disk: 'hdd', size: '9' }))
  assert.is(choose(facts('p', { nodeSelector: { disk: 'hdd' } })), 'b')
  assert.is(choose(facts('p', required('disk', 'NotIn', 'hdd'))), 'a')
  assert.is(choose(facts('p', required('size', 'Gt', '5'))), 'b')
  assert.is(
    choose(facts('p', { nodeSelector: { disk: 'tape' } })),
    "0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector.",
  )
})
fitting('only nodes that its affinity names are checked, and the others are counted', () => {
  const { choose, facts } = aCluster(aNode('a'), aNode('b', {}, { cpu: '1' }), aNode('c'))
  const onB = (spec: Spec) =>
    facts('daemon', {
      ...spec,
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['b'] }] }],
          },
        },
      },
    })
  assert.is(choose(onB({})), 'b')
  assert.is(
    choose(onB(asking('2'))),
    "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't match Pod's node affinity/selector.",
  )
})
fitting('have only taints that it tolerates, and are schedulable unless it tolerates that', () => {
  const taint = { key: 'team', value: 'a', effect: 'NoSchedule' }
  const { choose, facts } = aCluster(aNode('a', {}, {}, [taint]), {
    ...aNode('b'),
    spec: { unschedulable: true },
  })
  assert.is(
    choose(facts('p')),
    "0/2 nodes are available: 1 node(s) had taint {team: a}, that the pod didn't tolerate, 1 node(s) were unschedulable.",
  )
  assert.is(choose(facts('p', { tolerations: [{ key: 'team', operator: 'Equal', value: 'a' }] })), 'a')
  assert.is(choose(facts('p', { tolerations: [{ key: closed, operator: 'Exists' }] })), 'b')
})
fitting('have its host ports free', () => {
  const { put } = aCluster(aNode('a'))
  const port = (hostPort: number, hostIP?: string) =>
    ({
      containers: [{ name: 'm', ports: [{ containerPort: 1, hostPort, hostIP, protocol: 'TCP' }] }],
    }) as unknown as Spec
  assert.is(put('one', port(80)), 'a')
  assert.is(
    put('two', port(80, '10.0.0.1')),
    "0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod ports.",
  )
  assert.is(put('three', port(81)), 'a')
})
fitting('satisfy its Pod affinity; the first Pod of a kind may be anywhere', () => {
  const zones = [aNode('a', { zone: '1' }), aNode('b', { zone: '1' }), aNode('c', { zone: '2' })]
  const { put } = aCluster(...zones)
  assert.is(
    put('lonely', beside('podAffinity', 'db', 'zone')),
    "0/3 nodes are available: 3 node(s) didn't match pod affinity rules.",
  )
  const place = put('db', { ...beside('podAffinity', 'db', 'zone'), nodeSelector: { zone: '2' } }, app('db'))
  assert.is(place, 'c')
  assert.is(put('web', beside('podAffinity', 'db', 'zone')), 'c')
})
fitting('satisfy its anti-affinity, and that of existing Pods', () => {
  const { put, cluster } = aCluster(aNode('a'), aNode('b'))
  assert.is(put('one', beside('podAntiAffinity', 'x'), app('x')), 'a')
  assert.is(put('two', beside('podAntiAffinity', 'x'), app('x')), 'b')
  assert.is(
    put('three', beside('podAntiAffinity', 'x'), app('x')),
    "0/2 nodes are available: 2 node(s) didn't match pod anti-affinity rules.",
  )
  assert.is(
    put('four', {}, app('x')),
    "0/2 nodes are available: 2 node(s) didn't satisfy existing pods anti-affinity rules.",
  )
  cluster.remove('town/one')
  assert.is(put('four', {}, app('x')), 'a')
})
fitting('affinity terms apply to its own namespace, or to those named or selected', () => {
  const { put } = aCluster(aNode('a'))
  assert.is(put('there', {}, app('x', { namespace: 'city' })), 'a')
  assert.is(put('own', beside('podAntiAffinity', 'x')), 'a')
  for (const where of [{ namespaces: ['city'] }, { namespaceSelector: { matchLabels: { size: 'large' } } }])
    assert.match(put('other', beside('podAntiAffinity', 'x', hostname, where)), "didn't match pod anti-affinity rules")
})
fitting('satisfy its topology spread constraints', () => {
  const { put } = aCluster(aNode('a', { zone: '1' }), aNode('b', { zone: '2' }), aNode('c'))
  const spread: Spec = {
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'zone',
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: { matchLabels: { app: 'x' } },
      },
    ],
  }
  const places = ['1', '2', '3', '4'].map(name => put(name, spread, app('x')))
  assert.equal(places.filter(place => place === 'a').length, 2)
  assert.equal(places.filter(place => place === 'b').length, 2)
  put('5', { ...spread, nodeSelector: { zone: '1' } }, app('x'))
  assert.is(
    put('6', { ...spread, ...required('zone', 'Exists'), nodeSelector: { [hostname]: 'a' } }, app('x')),
    'a',
    'only domains with eligible nodes count',
  )
})
fitting('match the node affinity of its volumes', () => {
  const { choose, facts } = aCluster(aNode('a', { zone: '1' }), aNode('b', { zone: '2' }))
  const inZone = (zone: string) => ({
    nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: [zone] }] }],
  })
  assert.is(choose(facts('p'), { reachable: [inZone('2')] }), 'b')
  assert.is(
    choose(facts('p'), { reachable: [inZone('3')] }),
    '0/2 nodes are available: 2 node(s) had volume node affinity conflict.',
  )
  assert.is(
    choose(facts('p'), { reachable: [], problem: 'pod has unbound immediate PersistentVolumeClaims' }),
    '0/2 nodes are available: 2 pod has unbound immediate PersistentVolumeClaims.',
  )
})
fitting('none without nodes', () => {
  const { choose, facts } = aCluster()
  assert.is(choose(facts('p')), 'no nodes available to schedule pods')
})
fitting.run()
