import { defineAdmission, reject } from 'orch/sdk'

/** The server itself: without the objects it makes at its start, it would not serve even reads. */
const serverUser = 'system:apiserver'

/** Refuses every change. Deprecated: of use in tests only. */
export const alwaysDeny = defineAdmission()({
  name: 'AlwaysDeny',
  stage: 'accounting',
  after: ['ResourceQuota'],
  phase: 'mutate',
  sideEffects: 'none',
  enabledByDefault: false,
  review: ({ user }) =>
    user.name === serverUser ? undefined : reject('admission control is denying all modifications'),
})
