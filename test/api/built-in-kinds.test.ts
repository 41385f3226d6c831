import { type ApiObject, kubernetesProfile, profileAtVersion, Vendor } from 'orch/sdk'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import config from '../../orch.config.js'
import { podOf } from '../../plugins/batch/jobs/running/job-pods.js'
import { batchNames } from '../../plugins/batch/names.js'
import { eventually } from '../support/eventually.js'

const patience = { timeoutMs: 60_000 }
/** The version that still serves types that later ones removed. */
const oldest = profileAtVersion(kubernetesProfile, '1.23')!
let server: TestServer
const kinds = suite('built-in kinds')
kinds.before(async () => {
  server = await startServer({ plugins: config.plugins, vendor: oldest })
})
kinds.after(() => server.stop())

interface Answered {
  readonly message: string
  readonly metadata: { readonly uid: string }
  readonly details: { readonly causes: readonly { readonly field: string }[] }
}
const request = async (method: string, path: string, body?: object) => {
  const answer = await fetch(`${server.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await answer.text()
  return {
    status: answer.status,
    warning: answer.headers.get('warning'),
    body: (text.startsWith('{') ? JSON.parse(text) : {}) as Answered,
  }
}
const collection = (group: string, resource: string) =>
  server.client.resource<ApiObject>({ group, version: 'v1', resource }).in('default')

kinds('the Service of the server has an EndpointSlice in addition to Endpoints', async () => {
  const slice = await collection('discovery.k8s.io', 'endpointslices').waitFor('kubernetes', () => true, patience)
  const endpoints = (await collection('', 'endpoints').get('kubernetes')) as ApiObject & {
    subsets: { addresses: { ip: string }[]; ports: object[] }[]
  }
  const { metadata, ...state } = slice
  assert.equal(metadata.labels, { 'kubernetes.io/service-name': 'kubernetes' })
  assert.equal(metadata.ownerReferences, undefined)
  const [{ addresses = [], ports = [] } = {}] = endpoints.subsets
  assert.equal(state, {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    addressType: 'IPv4',
    endpoints: [{ addresses: addresses.map(({ ip }) => ip), conditions: { ready: true } }],
    ports,
  })
})

const jobSpec = { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } }
for (const [version, survives] of [
  ['v1beta1', true],
  ['v1', false],
] as const)
  kinds(
    `the jobs of a CronJob are ${survives ? 'kept' : 'deleted'} when it is deleted through batch/${version}`,
    async () => {
      const name = `c-${version}`
      const cronJobs = `/apis/batch/${version}/namespaces/default/cronjobs`
      const spec = { schedule: '0 0 1 1 *', jobTemplate: { spec: jobSpec } }
      const cronJob = await request('POST', `/apis/batch/v1/namespaces/default/cronjobs`, { metadata: { name }, spec })
      assert.is(cronJob.status, 201)
      const { uid } = cronJob.body.metadata
      const ownerReferences = [{ apiVersion: 'batch/v1', kind: 'CronJob', name, uid, controller: true }]
      const jobs = collection('batch', 'jobs')
      await jobs.create({ apiVersion: 'batch/v1', kind: 'Job', metadata: { name, ownerReferences }, spec: jobSpec })
      assert.is((await request('DELETE', `${cronJobs}/${name}`)).status, 200)
      await collection('batch', 'cronjobs').waitForDeletion(name, patience)
      if (!survives) return jobs.waitForDeletion(name, patience)
      const job = await jobs.waitFor(name, ({ metadata }) => metadata.ownerReferences === undefined, patience)
      assert.is(job.metadata.deletionTimestamp, undefined)
    },
  )

for (const version of ['v2', 'v2beta2'])
  for (const direction of ['scaleUp', 'scaleDown'])
    kinds(`an autoscaler of ${version} with an empty list of ${direction} policies is rejected`, async () => {
      const spec = {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
        maxReplicas: 2,
        behavior: { [direction]: { policies: [] } },
      }
      const path = `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers?dryRun=All`
      const { status, body } = await request('POST', path, { metadata: { name: 'h' }, spec })
      assert.is(status, 422)
      assert.equal(
        body.details.causes.map(({ field }) => field),
        [`spec.behavior.${direction}.policies`],
      )
    })

kinds('the name of an indexed job must leave room for the names of its Pods', async () => {
  const create = (name: string) =>
    request('POST', '/apis/batch/v1/namespaces/default/jobs?dryRun=All', {
      metadata: { name },
      spec: { ...jobSpec, completionMode: 'Indexed', completions: 11 },
    })
  assert.is((await create('a'.repeat(60))).status, 201)
  const refused = await create('a'.repeat(61))
  assert.is(refused.status, 422)
  assert.match(refused.body.message, `will not able to create pod with invalid DNS label: ${'a'.repeat(61)}-10`)
})

kinds('the index of a Pod is kept in its name, however long the name of the job is', () => {
  const vendor = new Vendor(oldest)
  const pod = podOf(
    { names: batchNames(vendor), tracks: false, level: vendor.level },
    {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'a'.repeat(60), uid: 'u' },
      spec: { ...jobSpec, completionMode: 'Indexed' },
    } as never,
    10,
  )
  assert.is(pod.metadata.generateName, `${'a'.repeat(54)}-10-`)
})

kinds('the warning of every deprecated version names its versions and the replacement', async () => {
  const warningOf = async (path: string) => (await request('GET', path)).warning
  const expected: Record<string, string> = {
    '/apis/batch/v1beta1/cronjobs':
      'batch/v1beta1 CronJob is deprecated in v1.21+, unavailable in v1.25+; use batch/v1 CronJob',
    '/apis/autoscaling/v2beta1/horizontalpodautoscalers':
      'autoscaling/v2beta1 HorizontalPodAutoscaler is deprecated in v1.22+, unavailable in v1.25+; use autoscaling/v2 HorizontalPodAutoscaler',
    '/apis/autoscaling/v2beta2/horizontalpodautoscalers':
      'autoscaling/v2beta2 HorizontalPodAutoscaler is deprecated in v1.23+, unavailable in v1.26+; use autoscaling/v2 HorizontalPodAutoscaler',
    '/apis/policy/v1beta1/poddisruptionbudgets':
      'policy/v1beta1 PodDisruptionBudget is deprecated in v1.21+, unavailable in v1.25+; use policy/v1 PodDisruptionBudget',
    '/apis/policy/v1beta1/podsecuritypolicies':
      'policy/v1beta1 PodSecurityPolicy is deprecated in v1.21+, unavailable in v1.25+',
    '/apis/discovery.k8s.io/v1beta1/endpointslices':
      'discovery.k8s.io/v1beta1 EndpointSlice is deprecated in v1.21+, unavailable in v1.25+; use discovery.k8s.io/v1 EndpointSlice',
    '/apis/events.k8s.io/v1beta1/events':
      'events.k8s.io/v1beta1 Event is deprecated in v1.22+, unavailable in v1.25+; use events.k8s.io/v1 Event',
    '/apis/node.k8s.io/v1beta1/runtimeclasses':
      'node.k8s.io/v1beta1 RuntimeClass is deprecated in v1.22+, unavailable in v1.25+; use node.k8s.io/v1 RuntimeClass',
    '/apis/flowcontrol.apiserver.k8s.io/v1beta1/flowschemas':
      'flowcontrol.apiserver.k8s.io/v1beta1 FlowSchema is deprecated in v1.23+, unavailable in v1.26+; use flowcontrol.apiserver.k8s.io/v1beta2 FlowSchema',
    '/api/v1/componentstatuses': 'v1 ComponentStatus is deprecated in v1.19+',
  }
  for (const [path, text] of Object.entries(expected)) assert.is(await warningOf(path), `299 - "${text}"`, path)
})

kinds('the warning of a deprecated custom version names the replacement', async () => {
  const version = (name: string, more: object = {}) => ({
    name,
    served: true,
    storage: name === 'v1',
    schema: { openAPIV3Schema: { type: 'object' } },
    ...more,
  })
  const names = { plural: 'gears', singular: 'gear', kind: 'Gear', listKind: 'GearList' }
  const versions = [
    version('v1alpha1', { deprecated: true }),
    version('v1beta1', { deprecated: true, deprecationWarning: 'no more of this' }),
    version('v1beta2'),
    version('v1'),
    version('v2', { served: false }),
    version('v3', { deprecated: true }),
  ]
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'gears.acme.test' },
    spec: { group: 'acme.test', scope: 'Namespaced', names, versions },
  }
  assert.is((await request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)).status, 201)
  const warning = (name: string) =>
    eventually(
      `the warning of ${name}`,
      async () => (await request('GET', `/apis/acme.test/${name}/gears`)).warning ?? undefined,
      patience.timeoutMs,
    )
  assert.is(await warning('v1alpha1'), '299 - "acme.test/v1alpha1 Gear is deprecated; use acme.test/v1 Gear"')
  assert.is(await warning('v1beta1'), '299 - "no more of this"')
  assert.is(await warning('v3'), '299 - "acme.test/v3 Gear is deprecated"')
})

kinds.run()
