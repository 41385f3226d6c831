import { defineAdmission, reject } from 'orch/sdk'

/** The server itself: it cannot serve even reads without the objects that it creates when it starts. */
const serverUser = 'system:apiserver'

/** Rejects every change. Deprecated; useful only in tests. */
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
