import { defineAdmission } from 'orch/sdk'

/** Admits everything. Deprecated; exists only so that its name is accepted in the list of admission controls. */
export const alwaysAdmit = defineAdmission()({
  name: 'AlwaysAdmit',
  stage: 'existence',
  phase: 'mutate',
  sideEffects: 'none',
  enabledByDefault: false,
  review() {},
})
