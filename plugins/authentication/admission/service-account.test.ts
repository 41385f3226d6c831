import type { AdmissionRequest, Rejection } from 'orch/sdk'
import type { Pod, PodSpec } from 'orch/sdk/core'
import { fakeClock, admit as review } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { acmeNames, readerOf } from '../testing/acme.js'
import { serviceAccountAdmission } from './service-account.js'

const mountPath = '/var/run/secrets/acme.test/serviceaccount'
const account = (name: string, more: object = {}) => ({
  metadata: { name, namespace: 'farm', uid: `uid-${name}` },
  ...more,
})
const limited = account('limited', {
  metadata: { name: 'limited', namespace: 'farm', annotations: { 'acme.test/enforce-mountable-secrets': 'true' } },
  secrets: [{ name: 'allowed' }],
  imagePullSecrets: [{ name: 'pull' }],
})
const stored: Record<string, object> = {
  default: account('default'),
  quiet: account('quiet', { automountServiceAccountToken: false }),
  puller: account('puller', { imagePullSecrets: [{ name: 'one' }, { name: 'two' }] }),
  limited,
}
const reader = readerOf(
  Object.fromEntries(Object.entries(stored).map(([name, one]) => [`serviceaccounts/farm/${name}`, one])),
)

const container = (name = 'c', more: object = {}) => ({ name, image: 'i', ...more })
const podOf = (spec: Partial<PodSpec> = {}, annotations?: Record<string, string>): Pod =>
  ({
    metadata: { name: 'p', ...(annotations ? { annotations } : {}) },
    spec: { containers: [container()], ...spec },
  }) as Pod

/** Sends a Pod through both phases; returns it, or the message of the rejection. */
async function admit(pod: Pod, request: Partial<AdmissionRequest<Pod>> = {}): Promise<Pod | string> {
  const control = serviceAccountAdmission(acmeNames)
  for (const phase of ['mutate', 'validate'] as const) {
    const given = { object: pod, namespace: 'farm', subresource: '', ...request } as AdmissionRequest<Pod>
    const verdict = (await control.review(given, { reader, clock: fakeClock() }, phase)) as Rejection | undefined
    if (verdict) return verdict.message
  }
  return pod
}
async function admitted(pod: Pod): Promise<PodSpec> {
  const result = await admit(pod)
  if (typeof result === 'string') return assert.unreachable(result) as never
  return result.spec
}

const admission = suite('ServiceAccount admission')

admission('a Pod without containers gets no token: validation rejects it', async () => {
  assert.is((await admitted(podOf({ containers: null as never }))).volumes, undefined)
})

admission('a Pod that names no account runs as default, and has its token in every container', async () => {
  const spec = await admitted(podOf({ containers: [container('a'), container('b')], initContainers: [container('c')] }))
  assert.equal([spec.serviceAccountName, spec.serviceAccount], ['default', 'default'])
  const [volume] = spec.volumes ?? []
  assert.match(volume?.name ?? '', /^acme-api-access-[a-z0-9]{5}$/)
  assert.equal(volume?.projected, {
    defaultMode: 0o644,
    sources: [
      { serviceAccountToken: { path: 'token', expirationSeconds: 3607 } },
      { configMap: { name: 'acme-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      {
        downwardAPI: {
          items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
        },
      },
    ],
  })
  for (const { volumeMounts } of [...spec.containers, ...(spec.initContainers ?? [])])
    assert.equal(volumeMounts, [{ name: volume?.name, readOnly: true, mountPath }])
})

admission('the older field names the account too', async () => {
  assert.is((await admitted(podOf({ serviceAccount: 'quiet' }))).serviceAccountName, 'quiet')
})

admission('an account that does not exist is refused', async () => {
  assert.match(String(await admit(podOf({ serviceAccountName: 'none' }))), /serviceaccount "none" not found/)
})

admission('the default account is waited for briefly', async () => {
  let asked = 0
  const late = { ...reader, get: async () => (++asked < 3 ? undefined : (stored['default'] as never)) }
  const clock = {
    ...fakeClock(),
    after(_ms: number, call: () => void) {
      setImmediate(call)
      return () => {}
    },
  }
  const control = serviceAccountAdmission(acmeNames)
  const request = { object: podOf(), namespace: 'farm', subresource: '' } as AdmissionRequest<Pod>
  assert.is(await control.review(request, { reader: late, clock }, 'mutate'), undefined)
  assert.is(asked, 3)
})

admission('the token setting of the Pod takes precedence over that of the account', async () => {
  assert.is((await admitted(podOf({ serviceAccountName: 'quiet' }))).volumes, undefined)
  const insisting = await admitted(podOf({ serviceAccountName: 'quiet', automountServiceAccountToken: true }))
  assert.is(insisting.volumes?.length, 1)
  assert.is((await admitted(podOf({ automountServiceAccountToken: false }))).volumes, undefined)
})

admission(
  'a container that has another mount at that path keeps it, and an existing volume of that name is used',
  async () => {
    const own = { name: 'own', mountPath }
    const kept = await admitted(
      podOf({ containers: [container('c', { volumeMounts: [own] })] as PodSpec['containers'] }),
    )
    assert.equal([kept.containers[0]?.volumeMounts, kept.volumes], [[own], undefined])
    const volumes = [{ name: 'acme-api-access-mine', emptyDir: {} }]
    const reused = await admitted(podOf({ volumes }))
    assert.equal(reused.volumes, volumes)
    assert.is(reused.containers[0]?.volumeMounts?.[0]?.name, 'acme-api-access-mine')
  },
)

admission('a Pod without pull secrets gets those of the account', async () => {
  const lent = await admitted(podOf({ serviceAccountName: 'puller' }))
  assert.equal(lent.imagePullSecrets, [{ name: 'one' }, { name: 'two' }])
  const own = [{ name: 'mine' }]
  assert.equal((await admitted(podOf({ serviceAccountName: 'puller', imagePullSecrets: own }))).imagePullSecrets, own)
})

const secretEnv = (name: string) => ({ env: [{ name: 'E', valueFrom: { secretKeyRef: { name, key: 'k' } } }] })
const uses: Record<string, (name: string) => Partial<PodSpec>> = {
  'a volume': name => ({ volumes: [{ name: 'v', secret: { secretName: name } }] }),
  'a variable': name => ({ containers: [container('c', secretEnv(name))] as PodSpec['containers'] }),
  'a variable of an init container': name => ({
    initContainers: [container('i', secretEnv(name))] as PodSpec['containers'],
  }),
  'all variables': name => ({
    containers: [container('c', { envFrom: [{ secretRef: { name } }] })] as PodSpec['containers'],
  }),
}
for (const [what, spec] of Object.entries(uses))
  admission(`an account that limits Secrets is obeyed in ${what}`, async () => {
    const pod = (name: string) => podOf({ serviceAccountName: 'limited', ...spec(name) })
    assert.match(String(await admit(pod('denied'))), /"denied" is not allowed because service account limited/)
    assert.type(await admit(pod('allowed')), 'object')
  })

const projected: Partial<PodSpec> = { volumes: [{ name: 'v', projected: { sources: [{ secret: { name: 's' } }] } }] }
admission('an account that limits Secrets does not limit projected ones', async () => {
  assert.is(typeof (await admit(podOf({ serviceAccountName: 'limited', ...projected }))), 'object')
})
admission('of a Pod with new ephemeral containers only these are checked', async () => {
  const ephemeralContainers = [container('e', secretEnv('allowed'))] as PodSpec['ephemeralContainers']
  const more = { imagePullSecrets: [{ name: 'other' }], ...uses['a variable']!('denied') }
  const debugged = podOf({ serviceAccountName: 'limited', ephemeralContainers, ...more })
  assert.is(await admit(debugged, { subresource: 'ephemeralcontainers' }), debugged)
})

admission('an account that limits Secrets limits pull secrets, and later containers', async () => {
  const pulling = podOf({ serviceAccountName: 'limited', imagePullSecrets: [{ name: 'other' }] })
  assert.match(String(await admit(pulling)), /imagePullSecrets\[0\]\.name="other" is not allowed/)
  const ephemeralContainers = [container('e', secretEnv('denied'))] as PodSpec['ephemeralContainers']
  const debugged = podOf({ serviceAccountName: 'limited', ephemeralContainers })
  assert.match(String(await admit(debugged, { subresource: 'ephemeralcontainers' })), /"denied" is not allowed/)
})
admission(
  'a request to add containers need not name the account: it is validated once the Pod is complete',
  async () => {
    const control = serviceAccountAdmission(acmeNames)
    const sent = { object: podOf(), namespace: 'farm', subresource: 'ephemeralcontainers' } as AdmissionRequest<Pod>
    const review = (phase: 'mutate' | 'validate') => control.review(sent, { reader, clock: fakeClock() }, phase)
    assert.is(await review('mutate'), undefined)
    assert.match(((await review('validate')) as Rejection).message, 'no service account specified')
  },
)

const mirrors: Record<string, Partial<PodSpec>> = {
  'an account': { serviceAccountName: 'default' },
  'a Secret': uses['a volume']!('s'),
  'a Secret of a storage driver': {
    volumes: [{ name: 'v', csi: { driver: 'd', nodePublishSecretRef: { name: 's' } } }],
  },
  'a projected Secret': projected,
  'a Secret in a variable': uses['a variable']!('s'),
  'a token': { volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }] },
}
for (const [what, spec] of Object.entries(mirrors))
  admission(`a mirror Pod may not use ${what}`, async () => {
    assert.match(String(await admit(podOf(spec, { 'acme.test/config.mirror': 'x' }))), /a mirror pod may not/)
  })
admission('a mirror Pod is not changed otherwise', async () => {
  const spec = await admitted(podOf({}, { 'acme.test/config.mirror': 'x' }))
  assert.equal(spec, podOf().spec)
})

admission('a dry run is defaulted and validated like any other request', async () => {
  const send = (spec: Partial<PodSpec>) =>
    review(
      serviceAccountAdmission(acmeNames),
      { namespace: 'farm', object: podOf(spec), dryRun: true },
      { reader, clock: fakeClock() },
    )
  assert.is((await send({})).object.spec.serviceAccountName, 'default')
  assert.is((await send({ serviceAccountName: 'none' })).refusal?.code, 403)
})
admission('an updated Pod keeps its account, even a deleted one', async () => {
  const object = podOf({ serviceAccountName: 'none' })
  const { object: kept, refusal } = await review(
    serviceAccountAdmission(acmeNames),
    { namespace: 'farm', operation: 'update', object, oldObject: object },
    { reader, clock: fakeClock() },
  )
  assert.equal([kept, refusal], [object, undefined])
})

admission.run()
