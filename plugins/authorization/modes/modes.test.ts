import type { ApiObject, Registrar } from 'orch/sdk'
import type { AccessDecision, AuthorizerDefinition } from 'orch/sdk/identity'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { LiveRoleIndex } from '../live-role-index.js'
import type { AuthorizationOptions } from '../options.js'
import { authorization } from '../plugin.js'
import { aBinding, access, acme, acmeNames, aRole, aUser, rule } from '../testing/acme.js'
import { MemoryCaches } from '../testing/memory-caches.js'
import { alwaysAllow, alwaysDeny } from './authorizers.js'
import { rbac } from './rbac.js'

const modes = suite('authorization modes')
const getPods = access(aUser('ann'), 'get', 'pods', { name: 'p' })

/** What the plugin registers, by extension point. */
function registered(options: Partial<AuthorizationOptions>) {
  const lists: Record<string, { name?: string; mode?: string; resource?: string }[]> = {}
  const to = new Proxy({} as Registrar, {
    get:
      (_target, point: string) =>
      (...definitions: object[]) => {
        lists[point] = [...(lists[point] ?? []), ...definitions]
      },
  })
  const defaults: AuthorizationOptions = {
    authorizationMode: ['RBAC'],
    authorizationWebhookVersion: 'v1beta1',
    authorizationWebhookCacheAuthorizedTtl: '5m',
    authorizationWebhookCacheUnauthorizedTtl: '30s',
  }
  authorization.definition.register(to, { vendor: acme, options: { ...defaults, ...options }, isEnabled: () => false })
  return lists
}

modes('are registered in the order they are listed, and no others', () => {
  const listed = (options: Partial<AuthorizationOptions>) => registered(options)['authorizer']?.map(({ mode }) => mode)
  assert.equal(listed({}), ['RBAC'])
  assert.equal(listed({ authorizationMode: ['Node', 'RBAC', 'AlwaysDeny'] }), ['Node', 'RBAC', 'AlwaysDeny'])
  const authorizationWebhookConfigFile = 'webhook.yaml'
  assert.equal(listed({ authorizationMode: ['Webhook', 'AlwaysAllow'], authorizationWebhookConfigFile }), [
    'Webhook',
    'AlwaysAllow',
  ])
})

modes('do not change which types are served', () => {
  const types = registered({ authorizationMode: ['AlwaysAllow'] })['resource']?.map(({ resource }) => resource)
  assert.equal(types, [
    'roles',
    'clusterroles',
    'rolebindings',
    'clusterrolebindings',
    'subjectaccessreviews',
    'localsubjectaccessreviews',
    'selfsubjectaccessreviews',
    'selfsubjectrulesreviews',
  ])
})

const decide = (mode: AuthorizerDefinition, services = {}) => mode.authorize(getPods, services) as AccessDecision

modes('AlwaysAllow allows, AlwaysDeny only has no opinion, so that a later mode may allow', () => {
  assert.is(decide(alwaysAllow as AuthorizerDefinition).decision, 'allow')
  assert.is(decide(alwaysDeny as AuthorizerDefinition).decision, 'noOpinion')
})

function liveIndex() {
  const caches = new MemoryCaches()
  const index = new LiveRoleIndex(caches, acmeNames)
  caches
    .memory(acmeNames.clusterRoles)
    .put(aRole('r', [rule('get', 'pods', '', 'p'), { verbs: ['get'], nonResourceURLs: ['/metrics'] }]) as ApiObject)
  caches.memory(acmeNames.clusterRoleBindings).put(aBinding('b', 'r', [{ kind: 'User', name: 'ann' }]) as ApiObject)
  return { caches, index }
}

modes('RBAC waits until the caches are synced, and then decides synchronously', async () => {
  const { caches, index } = liveIndex()
  const early = rbac.authorize(getPods, { index })
  assert.instance(early, Promise)
  caches.markReady()
  assert.is((await early).decision, 'allow')
  assert.is((rbac.authorize(getPods, { index }) as AccessDecision).decision, 'allow')
})

modes('RBAC follows removed bindings', () => {
  const { caches, index } = liveIndex()
  caches.markReady()
  caches.memory(acmeNames.clusterRoleBindings).remove('', 'b')
  assert.is((rbac.authorize(getPods, { index }) as AccessDecision).decision, 'noOpinion')
})

modes('RBAC lists the rules of a user, separately for resources and paths', async () => {
  const { caches, index } = liveIndex()
  caches
    .memory(acmeNames.clusterRoleBindings)
    .put(aBinding('broken', 'gone', [{ kind: 'User', name: 'ann' }]) as ApiObject)
  caches.markReady()
  assert.equal(await rbac.rulesFor?.(aUser('ann'), 'farm', { index }), {
    resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: ['p'] }],
    nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/metrics'] }],
    incomplete: false,
    evaluationError: `clusterrole.${acmeNames.rbacGroup} "gone" not found`,
  })
})

modes.run()
