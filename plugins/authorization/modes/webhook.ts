import { defineAuthorizer } from 'orch/sdk'
import { authorizationWebhook } from '../webhook/authorization-webhook.js'

/** Leaves the decision to another server. */
export const webhook = defineAuthorizer({
  mode: 'Webhook',
  needs: { webhook: authorizationWebhook },
  authorize: (access, services) => services.webhook.decide(access),
  rulesFor: () => ({
    resourceRules: [],
    nonResourceRules: [],
    incomplete: true,
    evaluationError: 'webhook authorizer does not support user rule resolution',
  }),
})
