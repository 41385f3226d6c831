import { authentication } from 'orch/plugins/authentication'
import { authorization } from 'orch/plugins/authorization'
import { configuration } from 'orch/plugins/configuration'
import { garbageCollection } from 'orch/plugins/garbage-collection'
import { namespaces } from 'orch/plugins/namespaces'
import { nodes } from 'orch/plugins/nodes'
import { quotas } from 'orch/plugins/quotas'
import { storage } from 'orch/plugins/storage'
import { workloads } from 'orch/plugins/workloads'
import {
  type ApiObject,
  type ControllerRule,
  defineController,
  definePlugin,
  kubernetesProfile,
  orchProfile,
  profileAtVersion,
  services,
} from 'orch/sdk'
import { splitKey, startControlLoop } from 'orch/sdk/controllers'
import { defineAuthorizer } from 'orch/sdk/identity'
import { startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'

const accounts = suite('accounts of control loops')
const core = (resource: string) => ({ group: '', version: 'v1', resource })

/** Records every request that is authorized; those of members of system:masters are not. */
function witness() {
  const seen = new Map<string, Set<string>>()
  const plugin = definePlugin({
    name: 'witness',
    register: to =>
      to.authorizer(
        defineAuthorizer({
          mode: 'Witness',
          authorize: ({ user, verb, ...access }) => {
            const what = `${verb} ${'resource' in access ? access.resource : access.path}`
            seen.set(user.name, (seen.get(user.name) ?? new Set()).add(what))
            return { decision: 'noOpinion' }
          },
        }),
      ),
  })
  return { seen, plugin }
}

/** The version that still creates token Secrets has one more loop. */
for (const vendor of [orchProfile, profileAtVersion(kubernetesProfile, '1.23')!])
  accounts(`the loops of ${vendor.name} use their own service accounts, and their roles are sufficient`, async () => {
    const { seen, plugin } = witness()
    const plugins = [plugin, namespaces, configuration, authentication, authorization, nodes, workloads, storage]
    const server = await startServer({ plugins: [...plugins, quotas, garbageCollection], vendor, tls: true })
    const { client } = server
    try {
      await client.resource(core('namespaces')).create({ metadata: { name: 'town' } })
      const inTown = (resource: string) => client.resource<ApiObject>(core(resource)).in('town')
      const account = await inTown('serviceaccounts').waitFor('default', found => Array.isArray(found['secrets']))
      assert.ok(account)
      await inTown('configmaps').waitFor(`${vendor.objectPrefix}-root-ca.crt`, () => true)
      await inTown('resourcequotas').create({
        metadata: { name: 'q' },
        spec: { hard: { configmaps: '9' } },
      } as ApiObject)
      await inTown('resourcequotas').waitFor('q', ({ status }) => (status as { used?: object })?.used !== undefined)
      const owner = await inTown('configmaps').create({ metadata: { name: 'owner' } })
      const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid ?? '' }]
      await inTown('configmaps').create({ metadata: { name: 'owned', ownerReferences } })
      await inTown('configmaps').delete('owner')
      await eventually('what it owned to be gone', async () => !(await inTown('configmaps').find('owned')))
      await client.resource(core('namespaces')).delete('town')
      await eventually(
        'the namespace to be gone',
        async () => !(await client.resource(core('namespaces')).find('town')),
      )
      const acted = (name: string) => [...(seen.get(`system:serviceaccount:${vendor.namespaces.system}:${name}`) ?? [])]
      assert.ok(acted('service-account-controller').includes('create serviceaccounts'))
      assert.ok(acted('serviceaccount-token').includes('create secrets'))
      assert.ok(acted('root-ca-cert-publisher').includes('create configmaps'))
      assert.ok(acted('resourcequota-controller').includes('update resourcequotas'))
      assert.ok(acted('generic-garbage-collector').includes('delete configmaps'))
      assert.ok(acted('namespace-controller').includes('update namespaces'))
      // Informers are shared by all loops.
      assert.ok(seen.get(vendor.users.controllerManager)?.has('watch namespaces'))
    } finally {
      await server.stop()
    }
  })

/** Labels every ConfigMap of a namespace, or records the status of the failure. */
function marker(rules: readonly ControllerRule[] | undefined, refusals: number[]) {
  const configMaps = core('configmaps')
  const loop = defineController({
    name: 'marker',
    ...(rules ? { rules } : {}),
    needs: { client: services.client, clock: services.clock, logger: services.logger, metrics: services.metrics },
    start: runtime =>
      startControlLoop({
        ...runtime,
        name: 'marker',
        sources: [{ resource: configMaps, fieldSelector: 'metadata.name=a' }],
        async reconcile(key) {
          const { namespace, name } = splitKey(key)
          const patch = { metadata: { labels: { marked: 'yes' } } }
          const marking = runtime.client.resource(configMaps).in(namespace).patch(name, patch)
          await marking.catch(error => void refusals.push(error.code))
        },
      }),
  })
  return definePlugin({ name: 'marker', requires: ['configuration'], register: to => to.controller(loop) })
}

const rule = { verbs: ['patch'], apiGroups: [''], resources: ['configmaps'] }
const cases: Record<string, [ControllerRule[] | undefined, allowed: boolean]> = {
  'with the rule for it': [[rule], true],
  'with the rule for it in this namespace': [[{ ...rule, namespace: 'default' }], true],
  'with a rule for another namespace': [[{ ...rule, namespace: orchProfile.namespaces.public }], false],
  'with rules for something else': [[{ ...rule, resources: ['secrets'] }], false],
  'without rules': [undefined, false],
}
for (const [title, [rules, isAllowed]] of Object.entries(cases))
  accounts(`a third-party loop ${title} ${isAllowed ? 'may' : 'may not'} do it`, async () => {
    const refusals: number[] = []
    const plugins = [namespaces, configuration, authorization, marker(rules, refusals)]
    const server = await startServer({ plugins })
    try {
      const configMaps = server.client.resource<ApiObject>(core('configmaps')).in('default')
      await configMaps.create({ metadata: { name: 'a' } })
      if (isAllowed) await configMaps.waitFor('a', ({ metadata }) => metadata.labels?.['marked'] === 'yes')
      else await eventually('the refusal', async () => refusals.includes(403))
    } finally {
      await server.stop()
    }
  })

accounts('where nothing authorizes requests, or all are allowed, loops need no rules', async () => {
  for (const more of [[], [authorization]]) {
    const options = more.length > 0 ? { authorizationMode: ['AlwaysAllow'] } : {}
    const server = await startServer({ plugins: [namespaces, configuration, ...more, marker(undefined, [])], options })
    try {
      const configMaps = server.client.resource<ApiObject>(core('configmaps')).in('default')
      await configMaps.create({ metadata: { name: 'a' } })
      await configMaps.waitFor('a', ({ metadata }) => metadata.labels?.['marked'] === 'yes')
    } finally {
      await server.stop()
    }
  }
})

accounts.run()
