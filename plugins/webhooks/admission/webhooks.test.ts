import { type AdmissionRequest, kubernetesProfile, profileAtVersion, type ServedType, Vendor } from 'orch/sdk'
import { ConditionLanguage } from 'orch/sdk/expressions'
import { admit, fakeCollections, fakeLogger, fakeMetrics } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { CallMetrics } from '../calling/call-metrics.js'
import type { WebhookCaller } from '../calling/webhook-caller.js'
import { compileWebhooks } from '../matching/compiled-webhook.js'
import { WebhookSnapshot } from '../matching/webhook-snapshot.js'
import type { WebhookSource } from '../matching/webhook-source.js'
import { webhookNames } from '../names.js'
import type { Webhook } from '../webhook-configurations/validation.js'
import { mutatingAdmissionWebhook } from './mutating-admission-webhook.js'
import { Webhooks } from './webhooks.js'

const namesAt = (version: string) =>
  webhookNames(new Vendor(profileAtVersion(kubernetesProfile, version) ?? kubernetesProfile))

/** One webhook for everything, which answers with this patch. */
function webhooksThat(patch: string | undefined, failurePolicy = 'Fail'): Webhooks {
  const webhook: Webhook = {
    name: 'hook.acme.test',
    clientConfig: { url: 'https://hook.acme.test' },
    rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    failurePolicy,
    namespaceSelector: {},
    objectSelector: {},
  }
  const snapshot = new WebhookSnapshot(compileWebhooks([{ metadata: { name: 'all' }, webhooks: [webhook] }]))
  const answer = { isAllowed: true, status: undefined, patch, warnings: [], auditAnnotations: {} }
  return new Webhooks({
    ...fakeCollections({}),
    source: { current: () => snapshot, ready: async () => {} } as unknown as WebhookSource,
    caller: { call: async () => answer } as unknown as WebhookCaller,
    metrics: new CallMetrics(fakeMetrics(), true),
    logger: fakeLogger(),
    language: new ConditionLanguage(),
    configurationGroup: 'admissionregistration.k8s.io',
    failedOpenAnnotation: 'failed-open',
    start: async () => {},
    close: async () => {},
  })
}
const servedAs = (group: string, resource: string) => {
  const requested: ServedType = {
    kind: { group, version: 'v1', kind: 'X' },
    resource: { group, version: 'v1', resource },
  }
  return {
    requested,
    equivalents: () => [requested],
    prepare() {},
    object: () => ({}),
    oldObject: () => null,
    readable: () => null,
    patchObject: () => true,
    mergeObject: () => true,
  }
}

const exempt = suite('webhooks')
const group = 'admissionregistration.k8s.io'
const isCalledFor = (group: string, resource: string) => {
  const request = { group, resource, subresource: '', operation: 'create', requestVersion: 'v1', namespace: '' }
  const stated = { ...request, served: servedAs(group, resource) } as unknown as AdmissionRequest
  return webhooksThat(undefined).candidates(stated)?.length === 1
}
for (const kind of ['mutating', 'validating'])
  for (const what of ['webhookconfigurations', 'admissionpolicies', 'admissionpolicybindings'])
    exempt(`are not called for ${kind}${what}`, () => assert.not(isCalledFor(group, `${kind}${what}`)))
exempt('are called for others, whatever their names', () => {
  assert.ok(isCalledFor('', 'configmaps'))
  assert.ok(isCalledFor('acme.test', 'validatingadmissionpolicies'))
})
exempt.run()

const patches = suite('a patch')
const send = (version: string, patch: string, failurePolicy: string) =>
  admit(
    mutatingAdmissionWebhook(namesAt(version)),
    { object: { metadata: { name: 'a' } }, resource: 'configmaps', served: servedAs('', 'configmaps') },
    { webhooks: webhooksThat(patch, failurePolicy) },
  )
const broken = { 'is not JSON': '{', 'is no list': '{}', 'has no operations': '[1]' }
for (const [title, patch] of Object.entries(broken))
  patches(`that ${title} is a failed call since 1.34`, async () => {
    assert.is((await send('1.33', patch, 'Ignore')).refusal?.code, 500)
    assert.is((await send('1.34', patch, 'Fail')).refusal?.code, 500)
    const ignored = await send('1.34', patch, 'Ignore')
    assert.is(ignored.refusal, undefined)
    assert.is(ignored.annotations['failed-open/round_0_index_0'], 'hook.acme.test')
  })
patches('of nothing changes nothing', async () => {
  for (const patch of ['[]', 'null']) assert.is((await send('1.36', patch, 'Fail')).refusal, undefined)
})
patches.run()
