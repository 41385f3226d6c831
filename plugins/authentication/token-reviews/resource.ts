import { badRequest, defineResource, defineVirtual, services } from 'orch/sdk'
import type { AuthenticationNames } from '../names.js'
import { userFields } from '../user-fields.js'
import { TokenReview, type TokenReviewStatus } from './schema.js'

/** Authenticates a token. Nothing is stored. */
export const tokenReviews = ({ group }: AuthenticationNames) =>
  defineResource({
    group,
    kind: 'TokenReview',
    resource: 'tokenreviews',
    namespaced: false,
    versions: [{ name: 'v1', schema: TokenReview }],
    verbs: ['create'],
    sensitive: true,
    virtual: defineVirtual({
      needs: { tokens: services.tokens },
      async create({ body }, { tokens }) {
        const review = body as TokenReview
        const { token = '', audiences = [] } = review.spec
        if (token === '') throw badRequest('token is required for TokenReview in authentication')
        const answer = await tokens.authenticateToken(token, audiences)
        const status: TokenReviewStatus =
          'error' in answer
            ? { user: {}, error: answer.error }
            : {
                authenticated: true,
                user: userFields(answer.success.user),
                audiences: [...(answer.success.audiences ?? [])],
              }
        return { object: { ...review, status } }
      },
    }),
  })
