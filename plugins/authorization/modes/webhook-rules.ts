import type { RulesOfUser } from 'orch/sdk/identity'

/** A webhook answers questions; it cannot list what it would allow. */
export const webhookRules = (): RulesOfUser => ({
  resourceRules: [],
  nonResourceRules: [],
  incomplete: true,
  evaluationError: 'webhook authorizer does not support user rule resolution',
})
