import type { ApiObject } from 'orch/sdk'
import type { PodSpec } from 'orch/sdk/core'
import { admit, fakeCollections } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { acmeNames } from '../testing/acme.js'
import { jobValidation } from './job-validation.js'
import { nodeDeclaredFeatureValidator } from './node-declared-feature-validator.js'
import { podGroupProtection } from './pod-group-protection.js'
import { podGroupWorkloadExists } from './pod-group-workload-exists.js'
import { podResizeValidator } from './pod-resize-validator.js'
import { podTopologyLabels } from './pod-topology-labels.js'

const zone = 'topology.acme.test/zone'
const lookup = (collections: Record<string, readonly object[]>) => {
  const { caches } = fakeCollections(collections as never)
  return { caches, reader: { get: async () => undefined } } as never
}
const node = (labels: Record<string, string> = {}, status: object = {}) => ({
  nodes: [{ metadata: { name: 'n1', labels }, status }],
})
const asking = (requests: Record<string, string>) => ({ containers: [{ name: 'c', resources: { requests } }] })

const labels = suite('PodTopologyLabels')
const labelsOf = async (object: object, subresource = '', isOn = true) => {
  const request = { resource: 'pods', subresource, object: object as never }
  const { object: seen } = await admit(
    podTopologyLabels(acmeNames, isOn),
    request,
    lookup(node({ [zone]: 'za', 'acme.test/os': 'linux' })),
  )
  return (seen as ApiObject).metadata.labels
}

labels('are copied from the node to a Pod that is created there, overriding its own', async () => {
  const pod = { metadata: { name: 'p', labels: { [zone]: 'own', app: 'x' } }, spec: { containers: [], nodeName: 'n1' } }
  assert.equal(await labelsOf(pod), { [zone]: 'za', app: 'x' })
})
labels('are copied to the binding of a Pod', async () => {
  const binding = { metadata: { name: 'p' }, target: { kind: 'Node', name: 'n1' } }
  assert.equal(await labelsOf(binding, 'binding'), { [zone]: 'za' })
})
labels('are not copied without a node, from an unknown node, or while the gate is off', async () => {
  assert.is(await labelsOf({ metadata: { name: 'p' }, spec: { containers: [] } }), undefined)
  const elsewhere = { metadata: { name: 'p' }, spec: { containers: [], nodeName: 'n2' } }
  assert.is(await labelsOf(elsewhere), undefined)
  assert.is(await labelsOf({ ...elsewhere, spec: { containers: [], nodeName: 'n1' } }, '', false), undefined)
})
labels.run()

const resize = suite('PodResizeValidator')
const resized = async (after: object, collections = node({}, { allocatable: { cpu: '1', memory: '1Gi' } })) => {
  const pod = (spec: object) => ({ metadata: { name: 'p' }, spec: { nodeName: 'n1', ...spec } })
  const request = {
    resource: 'pods',
    subresource: 'resize',
    operation: 'update' as const,
    object: pod(after) as never,
    oldObject: pod(asking({ cpu: '1m' })) as never,
  }
  const { refusal } = await admit(podResizeValidator(acmeNames, true), request, lookup(collections))
  return refusal && `${refusal.message} (${refusal.details?.causes?.[0]?.reason})`
}

resize('allows a Pod to use the capacity of its node', async () => {
  assert.is(await resized(asking({ cpu: '1', memory: '1Gi' })), undefined)
})
resize('rejects more than the capacity', async () => {
  assert.match(
    (await resized(asking({ cpu: '1500m', memory: '2Gi' }))) ?? '',
    "node didn't have enough allocatable resources: cpu, requested: 1500, allocatable: 1000; memory, requested: 2147483648, allocatable: 1073741824 (NodeCapacity)",
  )
})
resize('counts sidecars, overhead and Pod-level requests', async () => {
  const sidecar = { name: 's', restartPolicy: 'Always', resources: { requests: { cpu: '600m' } } }
  assert.match((await resized({ ...asking({ cpu: '600m' }), initContainers: [sidecar] })) ?? '', 'requested: 1200')
  assert.match((await resized({ ...asking({ cpu: '600m' }), overhead: { cpu: '500m' } })) ?? '', 'requested: 1100')
  assert.match((await resized({ ...asking({ cpu: '1m' }), resources: { requests: { cpu: '3' } } })) ?? '', '3000')
})
resize('rejects missing nodes and nodes with another operating system', async () => {
  assert.match((await resized(asking({ cpu: '2m' }), { nodes: [] })) ?? '', 'node "n1" not found')
  assert.match(
    (await resized(asking({ cpu: '2m' }), node({ 'acme.test/os': 'windows' }))) ?? '',
    'node "n1" is "windows" (UnsupportedPlatform)',
  )
})
resize.run()

const declared = suite('NodeDeclaredFeatureValidator')
const changed = async (before: Partial<PodSpec>, after: Partial<PodSpec>, declaredFeatures: string[]) => {
  const pod = (spec: object) => ({ metadata: { name: 'p' }, spec: { containers: [], nodeName: 'n1', ...spec } })
  const request = {
    resource: 'pods',
    subresource: 'resize',
    operation: 'update' as const,
    object: pod(after) as never,
    oldObject: pod(before) as never,
  }
  const { refusal } = await admit(nodeDeclaredFeatureValidator(true), request, lookup(node({}, { declaredFeatures })))
  return refusal?.message
}

declared('requires the features for a change of Pod-level resources or an init container', async () => {
  const whole = { resources: { requests: { cpu: '2' } } } as Partial<PodSpec>
  const init = { initContainers: [{ name: 'i', resources: { requests: { cpu: '2' } } }] } as Partial<PodSpec>
  const plain = { initContainers: [{ name: 'i' }] } as Partial<PodSpec>
  assert.match((await changed({}, whole, [])) ?? '', 'requires features InPlacePodLevelResourcesVerticalScaling which')
  assert.is(await changed({}, whole, ['InPlacePodLevelResourcesVerticalScaling']), undefined)
  assert.match((await changed(plain, init, [])) ?? '', 'InPlacePodVerticalScalingInitContainers')
  assert.is(await changed({}, { activeDeadlineSeconds: 1 } as Partial<PodSpec>, []), undefined)
})
declared.run()

const groups = suite('controls of groups of Pods')
const aGroup = (workload?: object) => ({
  metadata: { name: 'g', namespace: 'town' },
  spec: { ...(workload ? { podGroupTemplateRef: { workload } } : {}), schedulingPolicy: { basic: {} } },
})

groups('give a new group its finalizer once', async () => {
  const finalizersOf = async (object: object) =>
    (
      await admit(
        podGroupProtection(acmeNames, true),
        { group: 'scheduling.api.acme.test', resource: 'podgroups', object: object as never },
        {},
      )
    ).object.metadata?.finalizers
  const finalizer = 'scheduling.api.acme.test/podgroup-protection'
  assert.equal(await finalizersOf(aGroup()), [finalizer])
  assert.equal(await finalizersOf({ ...aGroup(), metadata: { name: 'g', finalizers: [finalizer] } }), [finalizer])
})

groups('reject a group whose Workload or template does not exist', async () => {
  const workloads = {
    'workloads.scheduling.api.acme.test': [
      { metadata: { name: 'w', namespace: 'town' }, spec: { podGroupTemplates: [{ name: 't' }] } },
    ],
  }
  const refusalOf = async (workloadName: string, podGroupTemplateName: string) => {
    const object = aGroup({ workloadName, podGroupTemplateName }) as never
    const request = { group: 'scheduling.api.acme.test', resource: 'podgroups', namespace: 'town', object }
    return (await admit(podGroupWorkloadExists(acmeNames, true), request, lookup(workloads))).refusal?.message
  }
  assert.is(await refusalOf('w', 't'), undefined)
  assert.match((await refusalOf('v', 't')) ?? '', 'Workload "v" not found')
  assert.match((await refusalOf('w', 's')) ?? '', 'PodGroupTemplate "s" not found in Workload "w"')
})

groups('reject changing the number of Pods of a gang-scheduled job', async () => {
  const podGroups = {
    'podgroups.scheduling.api.acme.test': [
      { metadata: { name: 'gang', namespace: 'town' }, spec: { schedulingPolicy: { gang: { minCount: 2 } } } },
      { metadata: { name: 'loose', namespace: 'town' }, spec: { schedulingPolicy: { basic: {} } } },
    ],
  }
  const refusalOf = async (podGroupName: string, before: number, after: number) => {
    const job = (parallelism: number) => ({
      metadata: { name: 'j', namespace: 'town' },
      spec: { parallelism, template: { spec: { containers: [], schedulingGroup: { podGroupName } } } },
    })
    const request = {
      group: 'batch',
      resource: 'jobs',
      namespace: 'town',
      operation: 'update' as const,
      object: job(after) as never,
      oldObject: job(before) as never,
    }
    return (await admit(jobValidation(acmeNames, true), request, lookup(podGroups))).refusal?.message
  }
  assert.match((await refusalOf('gang', 1, 2)) ?? '', 'gang-scheduled PodGroup "gang"')
  assert.is(await refusalOf('gang', 1, 1), undefined)
  assert.is(await refusalOf('loose', 1, 2), undefined)
})
groups.run()
