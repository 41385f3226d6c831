import { defineAuthorizer } from 'orch/sdk'

/** Allows nothing. It has no opinion rather than a veto, so that another listed mode may still allow. */
export const alwaysDeny = defineAuthorizer({
  mode: 'AlwaysDeny',
  authorize: () => ({ decision: 'noOpinion', reason: 'Everything is forbidden.' }),
  rulesFor: () => ({ resourceRules: [], nonResourceRules: [], incomplete: false }),
})
