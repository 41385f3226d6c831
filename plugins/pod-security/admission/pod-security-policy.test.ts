import type { Authorizer, UserInfo } from 'orch/sdk'
import type { Pod } from 'orch/sdk/core'
import { admit, fakeCollections, type StatedRequest } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { PodSecurityPolicy, PolicySpec } from '../policies/policy.js'
import { aContainer, acmeNames, aPod } from '../testing/acme.js'
import { podSecurityPolicy } from './pod-security-policy.js'

const control = podSecurityPolicy(acmeNames)
const any = { rule: 'RunAsAny' }
const aPolicy = (name: string, spec: PolicySpec = {}): PodSecurityPolicy => ({
  metadata: { name },
  spec: { runAsUser: any, fsGroup: any, supplementalGroups: any, seLinux: any, volumes: ['*'], ...spec },
})
const strict = (name: string) => aPolicy(name, { readOnlyRootFilesystem: true })
const open = (name: string) => aPolicy(name, { hostNetwork: true })

/** Sends a request to a server with these policies, where everybody may use all, or only those in `usable` (`user policy`). */
const send = (policies: readonly PodSecurityPolicy[], stated: StatedRequest<Pod>, usable?: readonly string[]) => {
  const asked: string[] = []
  const authorizer = {
    allows: async (user: UserInfo, verb: string, { group, resource, namespace, name }: Record<string, string>) => {
      asked.push(`${user.name} ${verb} ${name}.${resource}.${group} in ${namespace}`)
      return usable?.includes(`${user.name} ${name}`) ?? true
    },
  } as unknown as Authorizer
  const { caches } = fakeCollections({ 'podsecuritypolicies.policy': policies })
  return admit(control, stated, { caches, authorizer }).then(admitted => ({ ...admitted, asked }))
}
const admittedBy = (pod: Pod) => pod.metadata?.annotations?.['acme.test/psp']

const creating = suite('pod security policy on create')

creating('refuses every Pod where there is no policy, on a dry run too', async () => {
  assert.is((await send([], { object: aPod() })).refusal?.code, 403)
  assert.is((await send([], { object: aPod(), dryRun: true })).refusal?.code, 403)
})
creating('admits what a policy allows, and records which one', async () => {
  const { refusal, object, annotations } = await send([aPolicy('usual')], { object: aPod() })
  assert.equal([refusal, admittedBy(object)], [undefined, 'usual'])
  assert.equal(annotations, {
    [acmeNames.policyAuditAnnotation('admit-policy')]: 'usual',
    [acmeNames.policyAuditAnnotation('validate-policy')]: 'usual',
  })
})
creating('fills in what the policy gives', async () => {
  const { object, refusal } = await send([strict('strict')], { object: aPod() })
  assert.is(refusal, undefined)
  assert.equal(object.spec.containers[0]?.securityContext, { readOnlyRootFilesystem: true })
})
creating('takes the first by name that has nothing to fill in', async () => {
  assert.is(admittedBy((await send([open('c'), aPolicy('b'), strict('a')], { object: aPod() })).object), 'b')
})
creating('takes the first by name when all have something to fill in', async () => {
  assert.is(admittedBy((await send([strict('b'), strict('a')], { object: aPod() })).object), 'a')
})
creating('tries the next when one does not allow the Pod', async () => {
  const object = aPod({ hostNetwork: true })
  assert.is(admittedBy((await send([aPolicy('a'), open('b')], { object })).object), 'b')
})
creating('admits nothing by a policy without id ranges', async () => {
  const broken = aPolicy('a', { runAsUser: { rule: 'MustRunAs' } })
  assert.is((await send([broken], { object: aPod() })).refusal?.code, 403)
})
creating('ignores an annotation of the Pod that names a policy', async () => {
  const object = aPod({ hostNetwork: true }, { annotations: { [acmeNames.admittedBy]: 'a' } })
  assert.is((await send([aPolicy('a')], { object })).refusal?.code, 403)
})
creating.run()

const using = suite('pod security policy by use')
const object = aPod({ serviceAccountName: 'robot' })
const robot = 'system:serviceaccount:town:robot'

using('checks the service account of the Pod, then its creator, in both groups that policies were in', async () => {
  const { asked } = await send([aPolicy('a')], { object }, [])
  assert.equal(
    [...new Set(asked)],
    [robot, 'ann'].flatMap(who =>
      ['policy', 'extensions'].map(group => `${who} use a.podsecuritypolicies.${group} in town`),
    ),
  )
})
for (const who of [robot, 'ann'])
  using(`is enough for ${who}`, async () => {
    assert.is((await send([aPolicy('a')], { object }, [`${who} a`])).refusal, undefined)
  })
using('skips policies that neither may use', async () => {
  assert.is(admittedBy((await send([aPolicy('a'), aPolicy('b')], { object }, ['ann b'])).object), 'b')
  assert.is((await send([aPolicy('a')], { object }, ['ben a'])).refusal?.code, 403)
})
using('explains only for permitted policies why they did not match', async () => {
  const greedy = aPod({ hostNetwork: true, hostPID: true })
  const { refusal } = await send([open('a'), aPolicy('b')], { object: greedy }, ['ann a'])
  assert.match(refusal?.message ?? '', /Host PID/)
  assert.not.match(refusal?.message ?? '', /Host network/)
})
using.run()

const updating = suite('pod security policy on update')
const stored = aPod({}, { annotations: { [acmeNames.admittedBy]: 'b' } })
const update = (sent: Pod, policies: readonly PodSecurityPolicy[], more: StatedRequest<Pod> = {}) =>
  send(policies, { operation: 'update', object: sent, oldObject: stored, ...more })

updating('validates, and changes nothing', async () => {
  const sent = aPod({}, { labels: { a: 'b' } })
  const { refusal, object: left } = await update(sent, [aPolicy('a')])
  assert.equal([refusal, left], [undefined, sent])
  assert.is((await update(sent, [strict('a')])).refusal?.code, 403)
})
updating('first tries the policy that admitted the Pod', async () => {
  const sent = aPod({}, { labels: { a: 'b' }, annotations: { [acmeNames.admittedBy]: 'b' } })
  const { annotations } = await update(sent, [aPolicy('a'), aPolicy('b')])
  assert.equal(annotations, { [acmeNames.policyAuditAnnotation('validate-policy')]: 'b' })
})
updating('lets owners and finalizers change whatever the policies say', async () => {
  const sent = aPod({}, { ...stored.metadata, finalizers: ['acme.test/x'] })
  assert.is((await update(sent, [])).refusal, undefined)
})
updating('validates debug containers, and ignores the status', async () => {
  const ephemeralContainers = [aContainer({ name: 'debug', securityContext: { privileged: true } })]
  const sent = aPod({ ephemeralContainers })
  assert.is((await update(sent, [aPolicy('a')], { subresource: 'ephemeralcontainers' })).refusal?.code, 403)
  assert.is((await update(sent, [aPolicy('a')], { subresource: 'status' })).refusal, undefined)
})
updating('rejects a debug container that needs defaults', async () => {
  const policy = aPolicy('a', { defaultAllowPrivilegeEscalation: false })
  const code = async (securityContext: object) => {
    const own = { securityContext: { allowPrivilegeEscalation: false } }
    const sent = aPod({
      containers: [aContainer(own)],
      ephemeralContainers: [aContainer({ name: 'd', securityContext })],
    })
    return (await update(sent, [policy], { subresource: 'ephemeralcontainers' })).refusal?.code
  }
  assert.equal([await code({}), await code({ allowPrivilegeEscalation: false })], [403, undefined])
})
updating.run()
