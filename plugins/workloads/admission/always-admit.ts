import { defineAdmission } from 'orch/sdk'

/** Lets everything pass. Deprecated: it does nothing, and is here so that its name is known. */
export const alwaysAdmit = defineAdmission()({
  name: 'AlwaysAdmit',
  stage: 'existence',
  phase: 'mutate',
  sideEffects: 'none',
  enabledByDefault: false,
  review() {},
})
