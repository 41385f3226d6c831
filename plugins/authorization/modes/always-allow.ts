import { defineAuthorizer } from 'orch/sdk'
import { everything } from '../rules/describe-rule.js'

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
