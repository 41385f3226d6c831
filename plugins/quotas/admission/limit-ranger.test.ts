import { type AdmissionRequest, type ApiObject, type Caches, orchProfile, type Rejection, Vendor } from 'orch/sdk'
import type { Container, PodSpec, ResourceRequirements } from 'orch/sdk/core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { LimitRangeItem } from '../limit-ranges/schema.js'
import { quotaNames } from '../names.js'
import { limitRanger, type StoredLimitRange } from './limit-ranger.js'

const names = quotaNames(new Vendor({ ...orchProfile, domain: 'acme.test' }))
const control = limitRanger(names, { defaultNamespaceCpuRequest: '100m' })
const ranges = (...limits: LimitRangeItem[]): StoredLimitRange => ({ metadata: { name: 'limits' }, spec: { limits } })
const container = (name: string, resources: ResourceRequirements = {}) => ({ name, resources }) as Container
const pod = (spec: Partial<PodSpec>): ApiObject => ({ metadata: { name: 'p' }, spec })
const claim = (storage?: string): ApiObject => ({
  metadata: { name: 'c' },
  spec: { resources: { requests: storage === undefined ? {} : { storage } } },
})

/** Sends an object through the control; returns the resulting object and the rejection. */
async function send(object: ApiObject, stored: readonly StoredLimitRange[], more: Partial<AdmissionRequest> = {}) {
  const request = {
    operation: 'create',
    resource: 'spec' in object && 'containers' in (object['spec'] as object) ? 'pods' : 'persistentvolumeclaims',
    namespace: 'town',
    object,
    dryRun: false,
    ...more,
  } as AdmissionRequest
  const cache = { isReady: true, list: (namespace: string) => (namespace === request.namespace ? stored : []) }
  const services = { caches: { of: () => cache } as unknown as Caches }
  await control.review(request, services, 'mutate')
  const verdict = (await control.review(request, services, 'validate')) as Rejection | undefined
  return { object, refusal: verdict?.message }
}
const resourcesOf = (object: ApiObject) => (object['spec'] as PodSpec).containers[0]?.resources

const defaults = suite('limit ranger fills in')

defaults('nothing for a Pod without containers, which validation rejects', async () => {
  const sent = pod({ containers: null as never })
  const { refusal } = await send(sent, [ranges({ type: 'Container', default: { cpu: '1' } })])
  assert.is(refusal, undefined)
  assert.equal(sent['spec'], { containers: null })
})

defaults('missing requests and limits, and records them in an annotation', async () => {
  const range = ranges({ type: 'Container', default: { cpu: '1', memory: '1Gi' }, defaultRequest: { cpu: '500m' } })
  const sent = pod({ containers: [container('a')], initContainers: [container('b', { limits: { cpu: '2' } })] })
  const { object, refusal } = await send(sent, [range])
  assert.equal(resourcesOf(object), { requests: { cpu: '500m' }, limits: { cpu: '1', memory: '1Gi' } })
  assert.equal((object['spec'] as PodSpec).initContainers?.[0]?.resources?.limits, { cpu: '2', memory: '1Gi' })
  assert.is(
    object.metadata.annotations?.['acme.test/limit-ranger'],
    'LimitRanger plugin set: cpu request for container a; cpu, memory limit for container a; ' +
      'cpu request for init container b; memory limit for init container b',
  )
  assert.is(refusal, undefined)
})

defaults('nothing in a Pod with all requests and limits', async () => {
  const resources = { requests: { cpu: '1' }, limits: { cpu: '1' } }
  const range = ranges({ type: 'Container', default: { cpu: '2' }, defaultRequest: { cpu: '2' } })
  const { object } = await send(pod({ containers: [container('a', { ...resources })] }), [range])
  assert.equal(resourcesOf(object), resources)
  assert.is(object.metadata.annotations, undefined)
})

defaults('the first default of several ranges', async () => {
  const first = ranges({ type: 'Container', default: { cpu: '1' } })
  const second = ranges({ type: 'Container', default: { cpu: '2', memory: '1Gi' } })
  const { object } = await send(pod({ containers: [container('a')] }), [first, second])
  assert.equal(resourcesOf(object)?.limits, { cpu: '1', memory: '1Gi' })
})

defaults('a CPU request in the default namespace, as long as that has no range of its own', async () => {
  const inDefault = { namespace: 'default' }
  const filled = await send(pod({ containers: [container('a')] }), [], inDefault)
  assert.equal(resourcesOf(filled.object), { requests: { cpu: '100m' } })
  const elsewhere = await send(pod({ containers: [container('a')] }), [])
  assert.equal(resourcesOf(elsewhere.object), {})
  const ranged = await send(pod({ containers: [container('a')] }), [ranges()], inDefault)
  assert.equal(resourcesOf(ranged.object), {})
  const asked = await send(pod({ containers: [container('a', { requests: { cpu: '1' } })] }), [], inDefault)
  assert.equal(resourcesOf(asked.object), { requests: { cpu: '1' } })
})

defaults('the same on a dry run, and nothing twice', async () => {
  const range = ranges({ type: 'Container', default: { cpu: '1' } })
  const { object } = await send(pod({ containers: [container('a')] }), [range], { dryRun: true })
  await send(object, [range], { reinvoked: true })
  assert.equal(resourcesOf(object)?.limits, { cpu: '1' })
  assert.is(
    object.metadata.annotations?.['acme.test/limit-ranger'],
    'LimitRanger plugin set: cpu limit for container a',
  )
})

defaults.run()

const checks = suite('limit ranger')

const cpu = (request?: string, limit?: string): ResourceRequirements => ({
  ...(request === undefined ? {} : { requests: { cpu: request } }),
  ...(limit === undefined ? {} : { limits: { cpu: limit } }),
})
const one = (resources: ResourceRequirements) => pod({ containers: [container('a', resources)] })
const perContainer = { type: 'Container', min: { cpu: '100m' }, max: { cpu: '1' } }
const perPod = { type: 'Pod', max: { cpu: '1' } }
const ratio = { type: 'Container', maxLimitRequestRatio: { cpu: '1500m' } }
const perClaim = { type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '5Gi' } }

const cases: Record<string, [object: ApiObject, item: LimitRangeItem, refusal?: RegExp]> = {
  'lets a container within its bounds pass': [one(cpu('100m', '1')), perContainer],
  'refuses a request below the minimum': [
    one(cpu('99m', '1')),
    perContainer,
    /minimum cpu .* is 100m, but request is 99m/,
  ],
  'refuses no request where there is a minimum': [one(cpu(undefined, '1')), perContainer, /No request is specified/],
  'refuses a limit below the minimum': [one(cpu('100m', '50m')), perContainer, /but limit is 50m/],
  'refuses a limit above the maximum': [one(cpu('100m', '1001m')), perContainer, /maximum cpu .*but limit is 1001m/],
  'refuses no limit where there is a maximum': [one(cpu('100m')), perContainer, /No limit is specified/],
  'refuses a request above the maximum': [one(cpu('2', '1')), perContainer, /but request is 2/],
  'checks init containers too': [
    pod({ containers: [container('a', cpu('1', '1'))], initContainers: [container('b', cpu('2', '2'))] }),
    perContainer,
    /but limit is 2/,
  ],
  'reports every violated rule once': [
    pod({ containers: [container('a'), container('b')] }),
    perContainer,
    /^\[minimum cpu [^,]*, maximum cpu [^,]*\]$/,
  ],
  'sums the containers of a Pod': [
    pod({ containers: [container('a', cpu('600m', '600m')), container('b', cpu('600m', '600m'))] }),
    perPod,
    /maximum cpu usage per Pod is 1, but limit is 1200m/,
  ],
  'requires a limit of every container for the limit of a Pod': [
    pod({ containers: [container('a', cpu('100m', '100m')), container('b')] }),
    perPod,
    /maximum cpu usage per Pod is 1. No limit is specified/,
  ],
  'requires a request of every container for the request of a Pod': [
    pod({ containers: [container('a', cpu('2')), container('b')] }),
    { type: 'Pod', min: { cpu: '1' } },
    /minimum cpu usage per Pod is 1. No request is specified/,
  ],
  'uses amounts of init containers if other containers have none': [
    pod({
      containers: [container('a', cpu('2', '2')), container('b')],
      initContainers: [container('c', cpu('1', '1'))],
    }),
    perPod,
  ],
  'uses the larger of the sum and the largest init container': [
    pod({ containers: [container('a', cpu('1', '1'))], initContainers: [container('b', cpu('1', '1'))] }),
    perPod,
  ],
  'lets the allowed ratio of limit to request pass': [one(cpu('200m', '300m')), ratio],
  'refuses a larger one': [one(cpu('200m', '301m')), ratio, /provided ratio is 1\.505000/],
  'rejects a ratio to zero': [one(cpu('0', '1')), ratio, /no request is specified or request is 0/],
  'lets a claim within its bounds pass': [claim('5Gi'), perClaim],
  'refuses a claim that is too small': [claim('1023Mi'), perClaim, /minimum storage .*but request is 1023Mi/],
  'refuses a claim that is too large': [claim('5121Mi'), perClaim, /maximum storage .*but request is 5121Mi/],
  'rejects a claim without a request': [claim(), perClaim, /No request is specified/],
  'ignores ranges of other types': [claim('1Ti'), perContainer],
}
for (const [title, [object, item, refusal]] of Object.entries(cases))
  checks(title, async () => {
    const verdict = await send(object, [ranges(item)])
    if (refusal) assert.match(verdict.refusal ?? '', refusal)
    else assert.is(verdict.refusal, undefined)
  })

checks('checks an updated claim, unless it is being deleted', async () => {
  const stored = claim('1Gi')
  const update = { operation: 'update' as const, oldObject: stored }
  assert.ok((await send(claim('9Gi'), [ranges(perClaim)], update)).refusal)
  stored.metadata.deletionTimestamp = '2024-01-01T00:00:00Z'
  assert.is((await send(claim('9Gi'), [ranges(perClaim)], update)).refusal, undefined)
})

checks('does not apply to updates of Pods, whose containers never change', () => {
  const matches = control.matches as readonly { resource: string; operations: readonly string[] }[]
  assert.equal(matches.find(({ resource }) => resource === 'pods')?.operations, ['create'])
})

checks.run()
