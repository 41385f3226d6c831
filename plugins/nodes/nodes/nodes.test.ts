import { orchProfile, Vendor } from 'orch/sdk'
import { stepsOf } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeNames } from '../names.js'
import { columns } from './columns.js'
import { fillNode, mainStrategy as mainStrategyBy } from './resource.js'
import type { Node } from './schema.js'
import { validateNode, validateNodeReplacement, validateNodeUpdate } from './validation.js'

const vendor = new Vendor({ ...orchProfile, domain: 'acme.test' })
const fields = (errors: { field: string; type: string }[]) =>
  errors.map(({ field, type }) => `${field} ${type.slice(10)}`)

const gates = {
  runtimeHandlers: true,
  supplementalGroupsPolicy: true,
  declaredFeatures: false,
  strictCidrs: true,
  rangeWarnings: true,
}
const mainStrategy = mainStrategyBy(gates)
const nodes = suite('nodes')
nodes('have their capacity as default for allocatable', () => {
  const node: Node = { spec: { podCIDR: '10.1.0.0/24' }, status: { capacity: { cpu: '4', memory: '1Gi' } } }
  fillNode(node)
  assert.equal(node.status?.allocatable, { cpu: '4', memory: '1Gi' })
  assert.equal(node.spec?.podCIDRs, ['10.1.0.0/24'])
})

const cases: Record<string, [node: Node, ...wrong: string[]]> = {
  'accept taints of different effects': [
    {
      spec: {
        taints: [
          { key: 'a', effect: 'NoSchedule' },
          { key: 'a', effect: 'NoExecute' },
        ],
      },
    },
  ],
  'refuse a taint twice': [
    {
      spec: {
        taints: [
          { key: 'a', effect: 'NoSchedule' },
          { key: 'a', effect: 'NoSchedule', value: 'b' },
        ],
      },
    },
    'metadata.taints[1] Duplicate',
  ],
  'refuse a taint of no effect': [
    { spec: { taints: [{ key: 'a b', effect: '' }] } },
    'metadata.taints[0].key Invalid',
    'metadata.taints[0].effect Required',
  ],
  'refuse an unknown effect': [
    { spec: { taints: [{ key: 'a', effect: 'Bogus' }] } },
    'metadata.taints[0].effect NotSupported',
  ],
  'refuse a negative capacity': [{ status: { capacity: { cpu: '-1' } } }, 'status.capacity.cpu Invalid'],
  'refuse a key of a taint that is empty, for each rule it breaks': [
    { spec: { taints: [{ key: '', effect: 'NoSchedule' }] } },
    'metadata.taints[0].key Invalid',
    'metadata.taints[0].key Invalid',
  ],
  'refuse a range twice': [
    { spec: { podCIDRs: ['10.0.0.0/24', '10.0.0.0/24'] } },
    'spec.podCIDRs Invalid',
    'spec.podCIDRs[1] Duplicate',
  ],
  'refuse two ranges of one family': [{ spec: { podCIDRs: ['10.0.0.0/24', '10.0.1.0/24'] } }, 'spec.podCIDRs Invalid'],
}
const annotated = (name: string, value: unknown): Node => ({
  metadata: { name: 'n', annotations: { [`scheduler.alpha.acme.test/${name}`]: JSON.stringify(value) } },
})
const inTaints = 'metadata.annotations.scheduler.alpha.acme.test/taints'
const inAvoided = 'metadata.annotations.scheduler.alpha.acme.test/preferAvoidPods'
const avoiding = (podController: unknown) => ({ preferAvoidPods: [{ podSignature: { podController } }] })
Object.assign(cases, {
  'accept taints in the old annotation': [annotated('taints', [{ key: 'a', value: 'b', effect: 'NoSchedule' }])],
  'refuse an annotation that holds no taints': [annotated('taints', 'x'), 'metadata.annotations Invalid'],
  'refuse taints in the old annotation as in the field': [
    annotated('taints', [{ key: 'a' }, { key: 'a', effect: '' }]),
    `${inTaints}[0].effect Required`,
    `${inTaints}[1].effect Required`,
    `${inTaints}[1] Duplicate`,
  ],
  'accept pods to avoid': [annotated('preferAvoidPods', avoiding({ controller: true }))],
  'refuse pods to avoid without a controller': [
    annotated('preferAvoidPods', { preferAvoidPods: [{ podSignature: {} }] }),
    `${inAvoided}[0].PodSignature Required`,
  ],
  'refuse pods to avoid of an owner that is not the controller': [
    annotated('preferAvoidPods', avoiding({ controller: false })),
    `${inAvoided}[0].PodSignature.PodController.Controller Invalid`,
  ],
  'refuse an annotation that names no pods': [
    annotated('preferAvoidPods', []),
    'metadata.annotations.AvoidPods Invalid',
  ],
})
for (const [title, [node, ...wrong]] of Object.entries(cases))
  nodes(title, () => {
    assert.equal(fields(validateNode(node, vendor)), wrong)
  })
nodes('keep ranges and provider once they have them', () => {
  const stored: Node = { spec: { podCIDRs: ['10.0.0.0/24'], providerID: 'a' } }
  const sent: Node = { spec: { podCIDRs: ['10.0.1.0/24'], providerID: 'b' } }
  assert.equal(fields(validateNodeUpdate(sent, stored, vendor)), [
    'spec.podCIDRs Forbidden',
    'spec.providerID Forbidden',
  ])
  assert.equal(fields(validateNodeUpdate(sent, {}, vendor)), [])
})
nodes('report an invalid taint twice in an update, once in a status update', () => {
  const sent: Node = { spec: { taints: [{ key: 'a', effect: 'Bogus' }] } }
  const wrong = 'metadata.taints[0].effect NotSupported'
  assert.equal(fields(validateNodeReplacement(sent, {}, vendor)), [wrong, wrong])
  assert.equal(fields(validateNodeUpdate(sent, {}, vendor)), [wrong])
})
nodes('keep the old name of the provider', () => {
  assert.equal(fields(validateNodeUpdate({ spec: { externalID: 'b' } }, { spec: { externalID: 'a' } }, vendor)), [
    'spec.externalID Forbidden',
  ])
})
nodes('drop a new source of configuration, and keep a stored one', () => {
  const source = () => ({ configMap: { namespace: 'a', name: 'b', nodeAgentConfigKey: 'c' } }) as never
  const created: Node = { spec: { configSource: source() } }
  stepsOf(mainStrategy).prepareForCreate(created)
  assert.equal(created.spec, {})
  const kept: Node = { spec: { configSource: source() } }
  stepsOf(mainStrategy).prepareForUpdate(kept, { spec: { configSource: source() } })
  assert.equal(kept.spec, { configSource: source() })
})
nodes('report features only where the gate is on, unless they have reported them before', () => {
  const registered: Node = { status: { declaredFeatures: ['A'], features: { supplementalGroupsPolicy: true } } }
  const [created, updated] = [structuredClone(registered), structuredClone(registered)]
  stepsOf(mainStrategy).prepareForCreate(created)
  assert.equal(created.status, { features: { supplementalGroupsPolicy: true } })
  stepsOf(mainStrategyBy({ ...gates, supplementalGroupsPolicy: false })).prepareForUpdate(updated, registered)
  assert.equal(updated.status, registered.status)
})
nodes('list their features sorted, each once', () => {
  const wrongOf = (...declaredFeatures: string[]) => fields(validateNode({ status: { declaredFeatures } }, vendor))
  assert.equal(wrongOf('A', 'B/c'), [])
  assert.equal(wrongOf('B', 'A'), ['status.declaredFeatures[1] Invalid'])
  assert.equal(wrongOf('A', 'A'), ['status.declaredFeatures[1] Duplicate'])
  assert.equal(wrongOf('a'), ['status.declaredFeatures[0] Invalid'])
  assert.equal(wrongOf('A'.repeat(253)), [])
  assert.equal(wrongOf('A'.repeat(254)), ['status.declaredFeatures[0] Invalid'])
  assert.equal(wrongOf('a'.repeat(254)), ['status.declaredFeatures[0] Invalid'])
})
nodes('have ranges without leading zeros where addresses are checked strictly', () => {
  const node: Node = { spec: { podCIDRs: ['010.1.0.0/24'] } }
  assert.equal(fields(validateNode(node, vendor)), [])
  assert.equal(fields(validateNode(node, vendor, gates)), ['spec.podCIDRs[0] Invalid'])
})
nodes('warn about deprecated fields', () => {
  assert.is(stepsOf(mainStrategy).warnings({ spec: { externalID: 'x' } }).length, 1)
  assert.is(stepsOf(mainStrategy).warnings({ spec: {} }).length, 0)
})
nodes('show state, roles and addresses in a table', () => {
  const node: Node = {
    metadata: { name: 'n', labels: { 'node-role.acme.test/worker': '', 'acme.test/role': 'db' } },
    spec: { unschedulable: true },
    status: {
      conditions: [{ type: 'Ready', status: 'True' }],
      addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
    },
  }
  const row = columns(nodeNames(vendor)).map(column => column.cell(node, 0))
  assert.equal(
    [row[1], row[2], row[5], row[6], row[7]],
    ['Ready,SchedulingDisabled', 'db,worker', '10.0.0.1', '<none>', '<unknown>'],
  )
})
nodes.run()
