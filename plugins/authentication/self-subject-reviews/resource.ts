import { defineResource, defineVirtual, timestampOf } from 'orch/sdk'
import type { AuthenticationNames } from '../names.js'
import { userFields } from '../user-fields.js'
import { AlphaSelfSubjectReview, BetaSelfSubjectReview, SelfSubjectReview } from './schema.js'

/** Returns the user of the caller, after impersonation. Nothing is stored. */
export const selfSubjectReviews = ({ group }: AuthenticationNames) =>
  defineResource({
    group,
    kind: 'SelfSubjectReview',
    resource: 'selfsubjectreviews',
    singular: 'selfsubjectreview',
    namespaced: false,
    versions: [
      { name: 'v1', schema: SelfSubjectReview, storage: true, since: '1.28' },
      { name: 'v1beta1', schema: BetaSelfSubjectReview, served: false, since: '1.27', until: '1.32' },
      { name: 'v1alpha1', schema: AlphaSelfSubjectReview, served: false, since: '1.26', until: '1.31' },
    ],
    verbs: ['create'],
    virtual: defineVirtual({
      needs: {},
      create({ user, now }) {
        // Nothing that was sent is returned: only the server determines the user.
        const status = { userInfo: userFields(user) }
        return { object: { metadata: { creationTimestamp: timestampOf(now) }, status } }
      },
    }),
  })
