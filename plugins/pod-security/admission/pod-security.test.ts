import type { AdmissionConfiguration, ApiObject, ObjectMeta, VersionName } from 'orch/sdk'
import type { Pod } from 'orch/sdk/core'
import { admit, fakeClock, fakeCollections, type StatedRequest } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { aContainer, acmeNames, aPod, namesAt } from '../testing/acme.js'
import { policyOf } from './namespace-policy.js'
import { podSecurity } from './pod-security.js'
import { readSettings } from './settings.js'

const control = podSecurity(acmeNames)
const label = (name: string) => `pod-security.acme.test/${name}`
const aNamespace = (labels: Record<string, string> = {}, name = 'town') => ({
  metadata: {
    name,
    labels: Object.fromEntries(Object.entries(labels).map(([key, value]) => [label(key), value])),
  },
})
const configured = (fields?: object): AdmissionConfiguration => ({
  of: () =>
    fields && {
      apiVersion: 'pod-security.admission.config.api.acme.test/v1beta1',
      kind: 'PodSecurityConfiguration',
      ...fields,
    },
  pathFor: (_, file) => file,
})

interface World {
  readonly labels?: Record<string, string>
  readonly configuration?: object
  readonly pods?: readonly Pod[]
}
/** Sends a request through the control, to a server whose namespace `town` has these labels. */
const send = (request: StatedRequest<unknown>, { labels = {}, configuration, pods = [] }: World = {}) =>
  admit(control, request as StatedRequest<ApiObject>, {
    ...fakeCollections({ namespaces: [aNamespace(labels)], pods }),
    clock: fakeClock(),
    settings: readSettings(configured(configuration), acmeNames),
  })
const hungry = aPod({ hostNetwork: true })

const pods = suite('pod security of Pods')

pods('allows everything in namespaces without labels', async () => {
  const { refusal, warnings, annotations } = await send({ object: hungry })
  assert.equal([refusal, warnings], [undefined, []])
  assert.equal(annotations, { [label('enforce-policy')]: 'privileged:latest' })
})
pods('refuses what the enforced standard forbids, on a dry run too, and says what it is', async () => {
  const labels = { enforce: 'baseline', 'enforce-version': 'v1.22' }
  const { refusal, warnings, annotations } = await send({ object: hungry, dryRun: true }, { labels })
  assert.is(
    refusal?.message,
    'pods "p" is forbidden: violates PodSecurity "baseline:v1.22": host namespaces (hostNetwork=true)',
  )
  assert.equal(warnings, [])
  assert.equal(annotations, { [label('enforce-policy')]: 'baseline:v1.22' })
})
pods('allows what the enforced standard allows', async () => {
  assert.is((await send({ object: aPod() }, { labels: { enforce: 'baseline' } })).refusal, undefined)
})
pods('warns of what the standard for warnings forbids', async () => {
  const { refusal, warnings } = await send({ object: hungry }, { labels: { warn: 'baseline' } })
  assert.is(refusal, undefined)
  assert.equal(warnings, ['would violate PodSecurity "baseline:latest": host namespaces (hostNetwork=true)'])
})
const warnings: Record<string, [labels: Record<string, string>, standard: string | undefined]> = {
  'the enforced standard, if it is stricter than the usual one': [{ enforce: 'baseline' }, 'baseline:latest'],
  'its version, too': [{ enforce: 'baseline', 'enforce-version': 'v1.22' }, 'baseline:v1.22'],
  'it in the chosen version': [{ enforce: 'baseline', 'warn-version': 'v1.23' }, 'baseline:v1.23'],
  'the chosen standard': [{ enforce: 'baseline', warn: 'privileged' }, undefined],
  'nothing, if the label is invalid': [{ enforce: 'bogus' }, undefined],
}
for (const [title, [labels, standard]] of Object.entries(warnings))
  pods(`warns of templates by ${title}`, async () => {
    const template = { metadata: {}, spec: hungry.spec }
    const object = { metadata: { name: 'x' }, spec: { template } }
    const sent = await send({ group: 'apps', resource: 'deployments', object }, { labels })
    const expected = standard && [`would violate PodSecurity "${standard}": host namespaces (hostNetwork=true)`]
    assert.equal(sent.warnings, expected ?? [])
  })
pods('did not warn of what it enforces before 1.26', () => {
  const enforced = { [label('enforce')]: 'baseline' }
  const { defaults } = readSettings(configured(), acmeNames)
  assert.is(policyOf(enforced, defaults, namesAt('1.26')).policy.warn.level, 'baseline')
  assert.is(policyOf(enforced, defaults, namesAt('1.25')).policy.warn.level, 'privileged')
})
pods('does not warn as well when it refuses', async () => {
  assert.equal((await send({ object: hungry }, { labels: { enforce: 'baseline', warn: 'restricted' } })).warnings, [])
})
pods('annotates violations of the audit standard, rejected or not', async () => {
  for (const enforce of ['privileged', 'baseline']) {
    const { annotations } = await send({ object: hungry }, { labels: { enforce, audit: 'baseline' } })
    assert.match(annotations[label('audit-violations')] ?? '', /^would violate PodSecurity "baseline:latest": host/)
  }
})
pods('enforces the strictest standard in a namespace with invalid labels', async () => {
  const labels = { enforce: 'bogus', warn: 'bogus' }
  const { refusal, annotations } = await send({ object: aPod() }, { labels })
  assert.match(refusal?.message ?? '', /"restricted:latest"/)
  assert.match(annotations[label('error')] ?? '', /enforce/)
})
pods('finds a namespace in the store that is too new for the cache', async () => {
  const services = {
    ...fakeCollections({}, { namespaces: [aNamespace({ enforce: 'baseline' })] }),
    clock: fakeClock(),
    settings: readSettings(configured(), acmeNames),
  }
  assert.is((await admit(control, { object: hungry as ApiObject }, services)).refusal?.code, 403)
})
pods.run()

const updates = suite('pod security of updates')
const labels = { enforce: 'baseline' }
const update = (object: Pod, more: StatedRequest<unknown> = {}) =>
  send({ operation: 'update', object, oldObject: hungry, ...more }, { labels })

updates('allows changes of labels and finalizers of a violating Pod', async () => {
  assert.is((await update(aPod({ hostNetwork: true }, { finalizers: [], labels: { a: 'b' } }))).refusal, undefined)
})
const annotated: Record<string, [annotation: string, version: VersionName, isChecked: boolean]> = {
  'of a Pod until 1.24': ['seccomp.security.alpha.acme.test/pod', '1.24', true],
  'of a Pod since 1.25': ['seccomp.security.alpha.acme.test/pod', '1.25', false],
  'of a container until 1.26': ['container.seccomp.security.alpha.acme.test/c', '1.26', true],
  'of a container since 1.27': ['container.seccomp.security.alpha.acme.test/c', '1.27', false],
}
for (const [title, [annotation, version, isChecked]] of Object.entries(annotated))
  updates(`${isChecked ? 'checks' : 'does not check'} a changed seccomp annotation ${title}`, async () => {
    const object = aPod({ hostNetwork: true }, { annotations: { [annotation]: 'runtime/default' } })
    const given = {
      ...fakeCollections({ namespaces: [aNamespace(labels)], pods: [] }),
      clock: fakeClock(),
      settings: readSettings(configured(), acmeNames),
    }
    const request = { operation: 'update', object, oldObject: hungry } as StatedRequest<unknown>
    const { refusal } = await admit(podSecurity(namesAt(version)), request as StatedRequest<ApiObject>, given)
    assert.is(refusal?.code, isChecked ? 403 : undefined)
  })
updates('checks a new image', async () => {
  const object = aPod({ hostNetwork: true, containers: [aContainer({ image: 'other' })] })
  assert.is((await update(object)).refusal?.code, 403)
})
updates('checks a new debug container, on its own path', async () => {
  const ephemeralContainers = [aContainer({ name: 'debug' })]
  const object = aPod({ hostNetwork: true, ephemeralContainers })
  assert.is((await update(object, { subresource: 'ephemeralcontainers' })).refusal?.code, 403)
  const same = { subresource: 'ephemeralcontainers', oldObject: object }
  assert.is((await update(object, same)).refusal, undefined)
})
updates('checks another profile', async () => {
  const annotations = { [acmeNames.seccompPod]: 'unconfined' }
  assert.is((await update(aPod({ hostNetwork: true }, { annotations }))).refusal?.code, 403)
})
updates('ignores the status', async () => {
  const object = aPod({ hostNetwork: true, containers: [aContainer({ image: 'other' })] })
  assert.is((await update(object, { subresource: 'status' })).refusal, undefined)
})
updates.run()

const configuration = suite('pod security as configured')

configuration('applies the defaults to namespaces without labels', async () => {
  const defaults = { enforce: 'baseline', 'enforce-version': 'v1.20' }
  const { refusal } = await send({ object: hungry }, { configuration: { defaults } })
  assert.match(refusal?.message ?? '', /"baseline:v1.20"/)
  const relaxed = await send({ object: hungry }, { configuration: { defaults }, labels: { enforce: 'privileged' } })
  assert.is(relaxed.refusal, undefined)
})
configuration('uses the default level and version for empty values', () => {
  const { defaults } = readSettings(configured({ defaults: { enforce: '', 'warn-version': '' } }), acmeNames)
  assert.equal(defaults, readSettings(configured(), acmeNames).defaults)
})
const exemptions: Record<string, [exemptions: object, pod: Pod]> = {
  user: [{ usernames: ['ann'] }, hungry],
  namespace: [{ namespaces: ['town'] }, hungry],
  runtimeClass: [{ runtimeClasses: ['vm'] }, aPod({ hostNetwork: true, runtimeClassName: 'vm' })],
}
for (const [what, [exempt, object]] of Object.entries(exemptions))
  configuration(`leaves out an exempt ${what}, and notes it`, async () => {
    const given = { labels: { enforce: 'baseline', warn: 'baseline' }, configuration: { exemptions: exempt } }
    const { refusal, warnings, annotations } = await send({ object }, given)
    assert.equal([refusal, warnings, annotations[label('exempt')]], [undefined, [], what])
  })
for (const [what, broken] of Object.entries({
  'an unknown level': { defaults: { warn: 'bogus' } },
  'an unknown version': { defaults: { 'audit-version': '1.2' } },
  'an unknown field': { default: {} },
  'another kind': { kind: 'Other' },
  'a user without a name': { exemptions: { usernames: [''] } },
  'a runtime class without a name, which most Pods have': { exemptions: { runtimeClasses: [''] } },
  'an invalid name of a runtime class': { exemptions: { runtimeClasses: ['VM'] } },
  'an invalid name of a namespace': { exemptions: { namespaces: ['a.b'] } },
  'a user named twice': { exemptions: { usernames: ['ann', 'ann'] } },
}))
  configuration(`is refused with ${what}`, () => {
    assert.throws(() => readSettings(configured(broken), acmeNames), /the configuration of PodSecurity/)
  })
configuration.run()

const namespaces = suite('pod security labels of namespaces')
const writeNamespace = (before: Record<string, string> | undefined, after: Record<string, string>, world: World = {}) =>
  send(
    {
      resource: 'namespaces',
      namespace: '',
      operation: before ? 'update' : 'create',
      object: aNamespace(after),
      ...(before ? { oldObject: aNamespace(before) } : {}),
    },
    world,
  )

namespaces('must be right when they are written', async () => {
  for (const before of [undefined, {}]) {
    const { refusal } = await writeNamespace(before, { enforce: 'bogus', 'warn-version': 'v1.x' })
    assert.is(refusal?.reason, 'Invalid')
    assert.equal(
      refusal?.details?.causes?.map(({ field }) => field),
      [`metadata.labels[${label('enforce')}]`, `metadata.labels[${label('warn-version')}]`],
    )
  }
})
namespaces('may stay invalid in an update that does not change them', async () => {
  assert.is((await writeNamespace({ enforce: 'bogus' }, { enforce: 'bogus' })).refusal, undefined)
})

const owned = (name: string, uid: string): ObjectMeta => ({
  name,
  ownerReferences: [{ apiVersion: 'v1', kind: 'ReplicationController', name: 'rc', uid, controller: true }],
})
const existing = [
  aPod({ hostNetwork: true }, { name: 'b' }),
  aPod({ hostNetwork: true }, { name: 'a' }),
  aPod({ hostPID: true }, owned('c', 'u')),
  aPod({ containers: [aContainer({ securityContext: { privileged: true } })] }, { name: 'd' }),
  aPod({}, { name: 'fine' }),
]
namespaces('list the Pods that violate a stricter standard', async () => {
  const { warnings } = await writeNamespace({ enforce: 'privileged' }, { enforce: 'baseline' }, { pods: existing })
  assert.equal(warnings, [
    'existing pods in namespace "town" violate the new PodSecurity enforce level "baseline:latest"',
    'a (and 2 other pods): host namespaces',
    'd: privileged',
  ])
})
const silent: Record<string, [before: Record<string, string>, after: Record<string, string>, configuration?: object]> =
  {
    'when nothing changes': [{ enforce: 'baseline' }, { enforce: 'baseline', warn: 'restricted' }],
    'when it is relaxed': [{ enforce: 'restricted' }, { enforce: 'baseline' }],
    'when everything is allowed': [{ enforce: 'baseline', 'enforce-version': 'v1.20' }, { enforce: 'privileged' }],
    'when the namespace is exempt': [{}, { enforce: 'baseline' }, { exemptions: { namespaces: ['town'] } }],
  }
for (const [when, [before, after, given]] of Object.entries(silent))
  namespaces(`say nothing of existing Pods ${when}`, async () => {
    const world = { pods: existing, ...(given ? { configuration: given } : {}) }
    assert.equal((await writeNamespace(before, after, world)).warnings, [])
  })
namespaces('check existing Pods against another version of the same standard', async () => {
  const { warnings } = await writeNamespace(
    { enforce: 'baseline', 'enforce-version': 'v1.20' },
    { enforce: 'baseline' },
    { pods: existing },
  )
  assert.is(warnings.length, 3)
})
namespaces('report when there are too many Pods to check', async () => {
  const many = Array.from({ length: 3001 }, (_, i) => aPod({}, owned(`p${i}`, 'same')))
  const { warnings } = await writeNamespace({}, { enforce: 'baseline' }, { pods: many })
  assert.equal(warnings, ['new PodSecurity enforce level only checked against the first 3000 of 3001 existing pods'])
})
namespaces.run()

const templates = suite('pod security of templates')
const template = { metadata: {}, spec: hungry.spec }
const makers: Record<string, StatedRequest<unknown>> = {
  replicationcontrollers: { object: { metadata: { name: 'x' }, spec: { template } } },
  podtemplates: { object: { metadata: { name: 'x' }, template } },
  deployments: { group: 'apps', object: { metadata: { name: 'x' }, spec: { template } } },
  cronjobs: { group: 'batch', object: { metadata: { name: 'x' }, spec: { jobTemplate: { spec: { template } } } } },
}
for (const [resource, request] of Object.entries(makers))
  templates(`warns and notes, but does not refuse ${resource}`, async () => {
    const given = { labels: { enforce: 'baseline', warn: 'baseline', audit: 'baseline' } }
    const { refusal, warnings, annotations } = await send({ resource, ...request }, given)
    assert.is(refusal, undefined)
    assert.equal([warnings.length, Object.keys(annotations)], [1, [label('audit-violations')]])
  })
templates('ignores objects without a template', async () => {
  const request = { resource: 'replicationcontrollers', object: { metadata: { name: 'x' }, spec: {} } }
  assert.equal((await send(request, { labels: { warn: 'restricted' } })).warnings, [])
})
templates.run()
