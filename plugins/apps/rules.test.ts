import {
  type ApiError,
  type FieldError,
  kubernetesProfile,
  orchProfile,
  profileAtVersion,
  type StrategyContext,
  Vendor,
} from 'orch/sdk'
import { stepsOf } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fillDaemonSet } from './daemon-sets/resource.js'
import { type DaemonSet, templateGeneration } from './daemon-sets/schema.js'
import { statusStrategy as daemonSetStatus, mainStrategy as daemonSets } from './daemon-sets/strategy.js'
import {
  statusStrategy as deploymentStatus,
  mainStrategy as deployments,
  fillDeployment,
} from './deployments/resource.js'
import type { Deployment } from './deployments/schema.js'
import { mainStrategy as replicaSets } from './replica-sets/resource.js'
import { fillStatefulSet, mainStrategy as statefulSets } from './stateful-sets/resource.js'
import type { StatefulSet } from './stateful-sets/schema.js'

const vendor = new Vendor({ ...orchProfile, domain: 'acme.test', groupDomain: 'acme.test' })
const context = { vendor } as StrategyContext
const labels = { app: 'a' }
const selector = { matchLabels: labels }
const container = { name: 'c', image: 'i', terminationMessagePolicy: 'File', imagePullPolicy: 'Always' }
const podSpec = { containers: [container], restartPolicy: 'Always', dnsPolicy: 'ClusterFirst' }
const template = { metadata: { labels }, spec: podSpec }
const told = (errors: FieldError[]) => errors.map(({ field, type }) => `${field} ${type.slice(10)}`)

const isBadRequest = ({ code }: ApiError) => code === 400

const rules = suite('rules of apps')

const rolling = (maxUnavailable: number | string, maxSurge: number | string) => ({
  strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable, maxSurge } },
})
const deploymentCases: Record<string, { change: object; wrong: string[] }> = {
  'may be valid': { change: rolling('25%', 1), wrong: [] },
  'needs a selector': {
    change: { selector: null },
    wrong: ['spec.selector Required', 'spec.template.metadata.labels Invalid'],
  },
  'needs a selector that selects something': { change: { selector: {} }, wrong: ['spec.selector Invalid'] },
  'needs a selector that its Pods match': {
    change: { selector: { matchLabels: { app: 'b' } } },
    wrong: ['spec.template.metadata.labels Invalid'],
  },
  'must be able to make progress': {
    change: rolling(0, '0%'),
    wrong: ['spec.strategy.rollingUpdate.maxUnavailable Invalid'],
  },
  'cannot have more than 100% unavailable': {
    change: rolling('101%', 0),
    wrong: ['spec.strategy.rollingUpdate.maxUnavailable Invalid'],
  },
  'has no rolling update parameters with Recreate': {
    change: { strategy: { type: 'Recreate', rollingUpdate: {} } },
    wrong: ['spec.strategy.rollingUpdate Forbidden'],
  },
  'has no other strategy': { change: { strategy: { type: 'Big' } }, wrong: ['spec.strategy NotSupported'] },
  'must have time to become available': {
    change: { minReadySeconds: 10, progressDeadlineSeconds: 10, ...rolling(1, 1) },
    wrong: ['spec.progressDeadlineSeconds Invalid'],
  },
  'has Pods that always restart': {
    change: { template: { ...template, spec: { ...podSpec, restartPolicy: 'Never', activeDeadlineSeconds: 3 } } },
    wrong: ['spec.template.spec.restartPolicy NotSupported', 'spec.template.spec.activeDeadlineSeconds Forbidden'],
  },
}
for (const [title, { change, wrong }] of Object.entries(deploymentCases))
  rules(`a deployment ${title}`, () => {
    const deployment = { spec: { selector, template, ...rolling(1, 1), ...change } } as Deployment
    assert.equal(told(stepsOf(deployments).validate(deployment, context)), wrong)
  })

rules('the default of a deployment is a rolling update of 25%', () => {
  const deployment = { spec: { selector, template, strategy: { type: 'RollingUpdate' } } } as Deployment
  fillDeployment(deployment, vendor.level)
  assert.equal(deployment.spec?.strategy?.rollingUpdate, { maxUnavailable: '25%', maxSurge: '25%' })
})

rules('changed annotations increase the generation of a deployment, changed labels do not', () => {
  const stored: Deployment = { metadata: { generation: 3 }, spec: { selector, template } }
  const next = (metadata: object) => {
    const draft = structuredClone({ ...stored, metadata: { generation: 3, ...metadata } })
    stepsOf(deployments).prepareForUpdate(draft, stored, context)
    return draft.metadata.generation
  }
  assert.equal([next({}), next({ labels: { a: 'b' } }), next({ annotations: { a: 'b' } })], [3, 3, 4])
})

rules('a status update of a deployment does not change labels or remove the collision count', () => {
  const stored: Deployment = { metadata: { labels: { a: 'b' } }, status: { collisionCount: 2 } }
  const draft: Deployment = {
    metadata: { labels: { c: 'd' } },
    status: { collisionCount: 1, replicas: 1, readyReplicas: 2 },
  }
  stepsOf(deploymentStatus).prepareForUpdate(draft, stored)
  assert.equal(draft.metadata?.labels, { a: 'b' })
  assert.equal(told(stepsOf(deploymentStatus).validateUpdate(draft, stored)), [
    'status.readyReplicas Invalid',
    'status.collisionCount Invalid',
  ])
})

rules('selectors are immutable', () => {
  const other = { matchLabels: labels, matchExpressions: [{ key: 'app', operator: 'Exists' }] }
  const stored = { spec: { selector, template, ...rolling(1, 1) } }
  const sent = { spec: { selector: other, template, ...rolling(1, 1) } }
  assert.equal(told(stepsOf(deployments).validateUpdate(sent, stored, context)), ['spec.selector Invalid'])
  assert.equal(told(stepsOf(replicaSets).validateUpdate(sent, stored, context)), ['spec.selector Invalid'])
})

rules('selectors of claims have label values from 1.34 on', () => {
  const wrong = (version: `1.${number}`) => {
    const at = { vendor: new Vendor(profileAtVersion(kubernetesProfile, version)!) } as StrategyContext
    const matchExpressions = [{ key: 'a', operator: 'In', values: ['no value'] }]
    const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } } }
    const set = { spec: { selector, template, serviceName: 's', podManagementPolicy: 'Parallel' } } as StatefulSet
    set.spec!.volumeClaimTemplates = [
      { metadata: { name: 'c' }, spec: { ...claim, selector: { matchExpressions } } },
    ] as never
    fillStatefulSet(set, at.vendor.level)
    return told(stepsOf(statefulSets).validate(set, at))
  }
  assert.equal(wrong('1.33'), [])
  assert.equal(wrong('1.34'), ['spec.volumeClaimTemplates[0].spec.selector.matchExpressions[0].values[0] Invalid'])
})

rules('metadata of an updated stateful set is checked like that of a new one until 1.26', () => {
  const { metadataChecks } = statefulSets
  const at = (version: `1.${number}`) => {
    const { level } = new Vendor(profileAtVersion(kubernetesProfile, version)!)
    return typeof metadataChecks === 'function' ? metadataChecks(level) : metadataChecks
  }
  assert.equal([at('1.26')?.object, at('1.27')?.object], [1, 0])
})

rules('a stateful set changes in four fields only', () => {
  const stored: StatefulSet = { spec: { selector, template, serviceName: 's', podManagementPolicy: 'Parallel' } }
  fillStatefulSet(stored, vendor.level)
  const update = (change: object) =>
    told(stepsOf(statefulSets).validateUpdate({ spec: { ...stored.spec!, ...change } }, stored, context))
  assert.equal(update({ replicas: 5, minReadySeconds: 3, updateStrategy: { type: 'OnDelete' } }), [])
  assert.equal(update({ serviceName: 'other' }), ['spec Forbidden'])
})

rules('the Pod template of a stateful set is validated, except in the profile of the reference', () => {
  const set: StatefulSet = {
    spec: { selector, template: { metadata: { labels }, spec: { ...podSpec, containers: [] } } } as never,
  }
  Object.assign(set.spec!, { serviceName: 's', podManagementPolicy: 'Parallel' })
  fillStatefulSet(set, vendor.level)
  assert.equal(told(stepsOf(statefulSets).validate(set, context)), ['spec.template.spec.containers Required'])
  const lenient = { vendor: new Vendor(profileAtVersion(kubernetesProfile, '1.23')!) } as StrategyContext
  assert.equal(told(stepsOf(statefulSets).validate(set, lenient)), [])
})

rules('claim templates get their kind and version', () => {
  const set = { spec: { selector, template, serviceName: 's', volumeClaimTemplates: [{ metadata: { name: 'c' } }] } }
  fillStatefulSet(set as StatefulSet, vendor.level)
  assert.equal(set.spec.volumeClaimTemplates, [
    { metadata: { name: 'c' }, apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
  ] as never)
})

rules('a daemon set counts its templates', () => {
  const stored: DaemonSet = { spec: { selector, template } }
  stepsOf(daemonSets).prepareForCreate(stored, context)
  const count = (set: DaemonSet) => set.metadata?.annotations?.[templateGeneration]
  assert.is(count(stored), '1')
  const same: DaemonSet = { metadata: {}, spec: { selector, template, minReadySeconds: 1 } }
  stepsOf(daemonSets).prepareForUpdate(same, stored, context)
  const other: DaemonSet = { spec: { selector, template: { ...template, metadata: { labels: { app: 'a', b: 'c' } } } } }
  stepsOf(daemonSets).prepareForUpdate(other, stored, context)
  assert.equal([count(same), count(other)], ['1', '2'])
  const status: DaemonSet = { metadata: { annotations: { [templateGeneration]: '9' } } }
  stepsOf(daemonSetStatus).prepareForUpdate(status, stored)
  assert.is(count(status), '1')
})

rules('a daemon set has either unavailable or surge Pods', () => {
  const wrong = (rollingUpdate: object) => {
    const set: DaemonSet = { spec: { selector, template, updateStrategy: { type: 'RollingUpdate', rollingUpdate } } }
    fillDaemonSet(set, vendor.level)
    return told(stepsOf(daemonSets).validate(set, context))
  }
  const at = 'spec.updateStrategy.rollingUpdate'
  assert.equal(wrong({}), [])
  assert.equal(wrong({ maxUnavailable: 0, maxSurge: 1 }), [])
  assert.equal(wrong({ maxUnavailable: 0 }), [`${at}.maxUnavailable Required`])
  assert.equal(wrong({ maxUnavailable: 1, maxSurge: '10%' }), [`${at}.maxSurge Invalid`])
})

rules('a daemon set has no other strategy', () => {
  const set = { spec: { selector, template, updateStrategy: { type: 'Big' } } } as DaemonSet
  assert.equal(told(stepsOf(daemonSets).validate(set, context)), ['spec.updateStrategy NotSupported'])
})

rules('a daemon set whose number of templates cannot be read is refused', () => {
  const counted = (count: string): DaemonSet => {
    const set: DaemonSet = { metadata: { annotations: { [templateGeneration]: count } }, spec: { selector, template } }
    fillDaemonSet(set, vendor.level)
    return set
  }
  const created = (count: string) => {
    const draft = counted(count)
    stepsOf(daemonSets).prepareForCreate(draft, context)
    return draft.metadata?.annotations?.[templateGeneration]
  }
  assert.equal(['0', '-3', '+07', '9007199254740993'].map(created), ['1', '1', '7', '9007199254740993'])
  for (const count of ['', 'x', '1e3', '9223372036854775808']) {
    assert.throws(() => created(count), isBadRequest, count)
    assert.throws(() => stepsOf(daemonSets).prepareForUpdate(counted(count), counted('1'), context), isBadRequest)
    assert.throws(() => stepsOf(daemonSetStatus).prepareForUpdate(counted(count), counted('1')), isBadRequest)
  }
})

rules('the revision that a deployment is rolled back to is a number', () => {
  const key = 'deprecated.deployment.rollback.to'
  const to = (revision: string): Deployment => {
    const deployment: Deployment = {
      metadata: { annotations: { [key]: revision } },
      spec: { selector, template, ...rolling(1, 1) },
    }
    fillDeployment(deployment, vendor.level)
    return deployment
  }
  assert.is(to('').metadata?.annotations, undefined)
  assert.equal(
    ['3', '+03', 'x'].map(text => to(text).metadata?.annotations?.[key]),
    ['3', '3', 'x'],
  )
  assert.throws(() => stepsOf(deployments).prepareForCreate(to('x'), context), isBadRequest)
  assert.throws(() => stepsOf(deployments).prepareForUpdate(to('x'), to('1'), context), isBadRequest)
  assert.equal(told(stepsOf(deployments).validate(to('-1'), context)), ['spec.rollback.version Invalid'])
  const status = to('5')
  stepsOf(deploymentStatus).prepareForUpdate(status, to('4'))
  assert.is(status.metadata?.annotations?.[key], '4')
  stepsOf(deploymentStatus).prepareForUpdate(status, {})
  assert.is(status.metadata?.annotations, undefined)
})

rules('disks that are not read-only may stay in a deployment of 1.28', () => {
  const wrong = (version: `1.${number}`, disk: object) => {
    const at = { vendor: new Vendor(profileAtVersion(kubernetesProfile, version)!) } as StrategyContext
    const withDisk = (gcePersistentDisk: object): Deployment => {
      const spec = { ...podSpec, volumes: [{ name: 'v', gcePersistentDisk }] }
      const deployment = { spec: { replicas: 2, selector, template: { ...template, spec }, ...rolling(1, 1) } }
      fillDeployment(deployment as Deployment, at.vendor.level)
      return deployment as Deployment
    }
    const errors = stepsOf(deployments).validateUpdate(withDisk({ pdName: 'a' }), withDisk(disk), at)
    return told(errors).filter(text => text.includes('readOnly'))
  }
  const readOnly = { pdName: 'a', readOnly: true }
  const error = ['spec.template.spec.volumes[0].gcePersistentDisk.readOnly Invalid']
  assert.equal([wrong('1.27', { pdName: 'b' }), wrong('1.28', { pdName: 'b' })], [error, []])
  assert.equal([wrong('1.28', readOnly), wrong('1.29', readOnly)], [error, []])
})

rules('a stored stateful set may have Pods that cannot be', () => {
  const lenient = { vendor: new Vendor(profileAtVersion(kubernetesProfile, '1.36')!) } as StrategyContext
  const withPods = (spec: object) => {
    const set = {
      spec: { selector, template: { metadata: { labels }, spec }, serviceName: 's', podManagementPolicy: 'Parallel' },
    } as StatefulSet
    fillStatefulSet(set, lenient.vendor.level)
    return set
  }
  const impossible = withPods({ ...podSpec, containers: [] })
  const { validateUpdate } = stepsOf(statefulSets)
  assert.equal(told(validateUpdate(impossible, withPods(podSpec), lenient)), ['spec.template.spec.containers Required'])
  assert.equal(told(validateUpdate(impossible, impossible, lenient)), [])
})

rules.run()
