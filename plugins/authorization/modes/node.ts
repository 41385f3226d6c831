import { defineAuthorizer } from 'orch/sdk'
import { nodeAccess } from '../node/node-access.js'

/** Lets each node agent reach what runs on its node, and nothing of other nodes. */
export const node = defineAuthorizer({
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
