import { embedded, Kind, type Static, Struct } from 'orch/sdk'
import { UserInfo } from '../token-reviews/schema.js'

/** A type of each version: they differ only in name. */
const reviewOf = (version: string) =>
  Kind(
    `authentication.${version}.SelfSubjectReview`,
    {
      status: embedded(
        2,
        Struct(
          `authentication.${version}.SelfSubjectReviewStatus`,
          { userInfo: embedded(1, UserInfo, 'Who makes the request.') },
          { description: 'Who makes the request.' },
        ),
        'Observed state. Written by the system.',
      ),
    },
    { description: 'Returns the user that the server recognises the caller as. Nothing is stored.' },
  )

export const SelfSubjectReview = reviewOf('v1')
export type SelfSubjectReview = Static<typeof SelfSubjectReview>
export const BetaSelfSubjectReview = reviewOf('v1beta1')
export const AlphaSelfSubjectReview = reviewOf('v1alpha1')
