import { authentication } from 'orch/plugins/authentication'
import { authorization } from 'orch/plugins/authorization'
import { configuration } from 'orch/plugins/configuration'
import { disruption } from 'orch/plugins/disruption'
import { namespaces } from 'orch/plugins/namespaces'
import { nodes } from 'orch/plugins/nodes'
import { podSecurity } from 'orch/plugins/pod-security'
import { quotas } from 'orch/plugins/quotas'
import { workloads } from 'orch/plugins/workloads'
import { orchProfile } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type ServerUnderTest, withServer } from './with-server.js'

const vendor = { ...orchProfile, name: 'acme', domain: 'acme.test', groupDomain: 'api.acme.test' }
const plugins = [namespaces, authorization, nodes, workloads, disruption, podSecurity]
const inTown = '/api/v1/namespaces/town'

/** Runs a test on a server with a namespace with these labels, and these controls in addition to the default ones. */
const inNamespace = (
  labels: Record<string, string>,
  run: (server: ServerUnderTest) => Promise<void>,
  enableAdmissionPlugins: string[] = [],
) =>
  withServer({ plugins, vendor, options: { enableAdmissionPlugins } }, async server => {
    const { status } = await server.ask('POST', '/api/v1/namespaces', { metadata: { name: 'town', labels } })
    assert.is(status, 201)
    await run(server)
  })
const aPod = (name: string, spec: object = {}, metadata: object = {}) => ({
  metadata: { name, ...metadata },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
})
const specOf = (answer: { json: unknown }) => (answer.json as { spec: Record<string, unknown> }).spec
const as = (user: string, ...groups: string[]): Record<string, string> => ({
  'impersonate-user': user,
  ...(groups.length > 0 ? { 'impersonate-group': groups.join(',') } : {}),
})

const admission = suite('admission of Pods, over HTTP')

admission('fills in the fields of a Pod in the order of the chain, also in a dry run', () =>
  inNamespace({}, async ({ ask }) => {
    const runtime = {
      handler: 'vm',
      scheduling: { nodeSelector: { vm: 'yes' }, tolerations: [{ key: 'vm', operator: 'Exists' }] },
    }
    await ask('POST', '/apis/node.api.acme.test/v1/runtimeclasses', { metadata: { name: 'vm' }, ...runtime })
    for (const query of ['?dryRun=All', '']) {
      const created = await ask('POST', `${inTown}/pods${query}`, aPod('p', { runtimeClassName: 'vm' }))
      const { tolerations, priority, preemptionPolicy, nodeSelector } = specOf(created)
      assert.equal([created.status, priority, preemptionPolicy], [201, 0, 'PreemptLowerPriority'])
      assert.equal(nodeSelector, { vm: 'yes' })
      assert.equal(
        (tolerations as { key: string }[]).map(({ key }) => key),
        ['node.acme.test/not-ready', 'node.acme.test/unreachable', 'vm'],
      )
    }
  }),
)

admission('a Pod without containers gets a validation error, whatever controls have seen it', () =>
  withServer(
    {
      plugins: [...plugins, configuration, authentication, quotas],
      vendor,
      options: { enableAdmissionPlugins: ['AlwaysPullImages', 'ExtendedResourceToleration', 'SecurityContextDeny'] },
    },
    async ({ ask }) => {
      const path = '/api/v1/namespaces/default'
      const account = { metadata: { name: 'a', annotations: { 'acme.test/enforce-mountable-secrets': 'true' } } }
      assert.is((await ask('POST', `${path}/serviceaccounts`, account)).status, 201)
      for (const spec of [{ serviceAccountName: 'a' }, { serviceAccountName: 'a', containers: null }]) {
        const { status, json } = await ask('POST', `${path}/pods`, { metadata: { name: 'p' }, spec })
        const { details } = json as unknown as { details: { causes: { field: string }[] } }
        assert.equal([status, details.causes.map(({ field }) => field)], [422, ['spec.containers']])
      }
    },
  ),
)

admission('an action is admitted before its target is looked up: a missing namespace is reported as such', () =>
  inNamespace({}, async ({ ask }) => {
    const evict = (namespace: string) =>
      ask('POST', `/api/v1/namespaces/${namespace}/pods/p/eviction`, {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { name: 'p' },
      })
    const missingFor = async (namespace: string) => {
      const { status, json } = await evict(namespace)
      return [status, (json as unknown as { details: { kind: string } }).details.kind]
    }
    assert.equal(await missingFor('nowhere'), [404, 'namespaces'])
    assert.equal(await missingFor('town'), [404, 'pods'])
  }),
)

admission('an update keeps fields that were filled in, also when the client omits them', () =>
  inNamespace({}, async ({ ask }) => {
    await ask('POST', `${inTown}/pods`, aPod('p'))
    const updated = await ask('PUT', `${inTown}/pods/p`, aPod('p', {}, { labels: { a: 'b' } }))
    assert.equal([updated.status, specOf(updated)['priority']], [200, 0])
  }),
)

admission('rejects Pods that violate the labels of the namespace, and warns when the labels become stricter', () =>
  inNamespace({ 'pod-security.acme.test/warn': 'baseline' }, async ({ ask }) => {
    const hungry = aPod('hungry', { hostNetwork: true })
    const created = await ask('POST', `${inTown}/pods`, hungry)
    assert.is(created.status, 201)
    assert.match(created.headers.get('warning') ?? '', /would violate PodSecurity .*baseline:latest/)
    const merge = { 'content-type': 'application/merge-patch+json' }
    const labels = { 'pod-security.acme.test/enforce': 'baseline' }
    const tightened = await ask('PATCH', inTown, { metadata: { labels } }, merge)
    assert.is(tightened.status, 200)
    assert.match(tightened.headers.get('warning') ?? '', /hungry: host namespaces/)
    assert.is((await ask('POST', `${inTown}/pods`, aPod('other', { hostNetwork: true }))).status, 403)
    const touched = await ask('PATCH', `${inTown}/pods/hungry`, { metadata: { labels: { a: 'b' } } }, merge)
    assert.is(touched.status, 200)
  }),
)

admission('taints new nodes and restricts their agents to their own objects', () =>
  inNamespace(
    {},
    async ({ ask }) => {
      const created = await ask('POST', '/api/v1/nodes', { metadata: { name: 'n1' } })
      assert.equal(specOf(created)['taints'], [{ key: 'node.acme.test/not-ready', effect: 'NoSchedule' }])
      await ask('POST', '/api/v1/nodes', { metadata: { name: 'n2' } })
      const agent = as('system:node:n1', 'system:nodes')
      const role = { apiGroup: 'rbac.authorization.api.acme.test', kind: 'ClusterRole', name: 'cluster-admin' }
      const subjects = [{ kind: 'Group', apiGroup: role.apiGroup, name: 'system:nodes' }]
      const binding = { metadata: { name: 'nodes' }, roleRef: role, subjects }
      await ask('POST', `/apis/${role.apiGroup}/v1/clusterrolebindings`, binding)
      const merge = { 'content-type': 'application/merge-patch+json', ...agent }
      const label = (node: string, key: string) =>
        ask('PATCH', `/api/v1/nodes/${node}`, { metadata: { labels: { [key]: 'x' } } }, merge).then(
          ({ status }) => status,
        )
      assert.is(await label('n1', 'disk'), 200)
      assert.is(await label('n1', 'node-restriction.acme.test/team'), 403)
      assert.is(await label('n2', 'disk'), 403)
      assert.is((await ask('DELETE', '/api/v1/nodes/n1', undefined, agent)).status, 403)
    },
    ['NodeRestriction'],
  ),
)

admission('admits Pods by a policy that the user may use', () =>
  inNamespace(
    {},
    async ({ ask }) => {
      const group = 'rbac.authorization.api.acme.test'
      const any = { rule: 'RunAsAny' }
      const spec = { seLinux: any, runAsUser: any, supplementalGroups: any, fsGroup: any, readOnlyRootFilesystem: true }
      const create = (path: string, body: object) => ask('POST', path, body)
      await create('/apis/policy/v1beta1/podsecuritypolicies', { metadata: { name: 'careful' }, spec })
      const bind = (name: string, rules: object[]) =>
        Promise.all([
          create(`/apis/${group}/v1/namespaces/town/roles`, { metadata: { name }, rules }),
          create(`/apis/${group}/v1/namespaces/town/rolebindings`, {
            metadata: { name },
            roleRef: { apiGroup: group, kind: 'Role', name },
            subjects: [{ kind: 'User', apiGroup: group, name: 'ann' }],
          }),
        ])
      await bind('pods', [{ apiGroups: [''], resources: ['pods'], verbs: ['create'] }])
      assert.is((await ask('POST', `${inTown}/pods`, aPod('p'), as('ann'))).status, 403)
      const names = { resourceNames: ['careful'] }
      await bind('policy', [{ apiGroups: ['policy'], resources: ['podsecuritypolicies'], verbs: ['use'], ...names }])
      const created = await ask('POST', `${inTown}/pods`, aPod('p'), as('ann'))
      assert.is(created.status, 201)
      assert.equal((specOf(created)['containers'] as { securityContext: unknown }[])[0]?.securityContext, {
        readOnlyRootFilesystem: true,
      })
    },
    ['PodSecurityPolicy'],
  ),
)

admission('denies every change if configured so, and still starts', async () => {
  await withServer({ plugins, vendor, options: { enableAdmissionPlugins: ['AlwaysDeny'] } }, async ({ ask }) => {
    assert.is((await ask('POST', '/api/v1/namespaces', { metadata: { name: 'town' } })).status, 403)
    assert.is((await ask('GET', '/api/v1/namespaces/default')).status, 200)
  })
})

admission.run()
