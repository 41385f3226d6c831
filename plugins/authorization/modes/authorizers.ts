import { type AuthorizerDefinition, defineAuthorizer } from 'orch/sdk/identity'
import { nodeAccess } from '../node/node-access.js'
import type { AuthorizationMode } from '../options.js'
import { everything } from '../rules/describe-rule.js'
import { authorizationWebhook } from '../webhook/authorization-webhook.js'
import { rbac } from './rbac.js'
import { webhookRules } from './webhook-rules.js'

/** Allows every request. For tests and for servers that something else protects. */
export const alwaysAllow = defineAuthorizer({
  mode: 'AlwaysAllow',
  authorize: () => ({ decision: 'allow' }),
  rulesFor: () => ({
    resourceRules: [{ verbs: [everything], apiGroups: [everything], resources: [everything] }],
    nonResourceRules: [{ verbs: [everything], nonResourceURLs: [everything] }],
    incomplete: false,
  }),
})

/** Allows nothing. It has no opinion rather than a veto, so that another listed mode may still allow. */
export const alwaysDeny = defineAuthorizer({
  mode: 'AlwaysDeny',
  authorize: () => ({ decision: 'noOpinion', reason: 'Everything is forbidden.' }),
  rulesFor: () => ({ resourceRules: [], nonResourceRules: [], incomplete: false }),
})

/** Leaves the decision to another server. */
const webhook = defineAuthorizer({
  mode: 'Webhook',
  needs: { webhook: authorizationWebhook },
  authorize: (access, services) => services.webhook.decide(access),
  rulesFor: webhookRules,
})

/** Lets each node agent reach what runs on its node, and nothing of other nodes. */
const node = defineAuthorizer({
  mode: 'Node',
  needs: { nodeAccess },
  authorize: (access, services) => services.nodeAccess.decide(access),
  rulesFor: () => ({
    resourceRules: [],
    nonResourceRules: [],
    incomplete: true,
    evaluationError: 'node authorizer does not support user rule resolution',
  }),
})

/** The authorizer of a mode. */
// biome-ignore lint/suspicious/noExplicitAny: modes with different needs stand in one table
const authorizers: Readonly<Record<AuthorizationMode, AuthorizerDefinition<any>>> = {
  AlwaysAllow: alwaysAllow,
  AlwaysDeny: alwaysDeny,
  RBAC: rbac,
  Node: node,
  Webhook: webhook,
}
// biome-ignore lint/suspicious/noExplicitAny: as above
export const authorizerOf = (mode: AuthorizationMode): AuthorizerDefinition<any> => authorizers[mode]
