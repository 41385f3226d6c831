import { badRequest, defineResource, defineVirtual, services } from 'orch/sdk'
import type { AuthorizationNames } from '../names.js'
import { SelfSubjectRulesReview, type SelfSubjectRulesReviewSpec, type SubjectRulesReviewStatus } from './schema.js'

/** Everything the requester may do in a namespace, as far as the modes can enumerate it. */
export const rulesReviews = ({ reviewGroup }: AuthorizationNames) =>
  defineResource({
    group: reviewGroup,
    kind: 'SelfSubjectRulesReview',
    resource: 'selfsubjectrulesreviews',
    namespaced: false,
    versions: [{ name: 'v1', schema: SelfSubjectRulesReview }],
    verbs: ['create'],
    virtual: defineVirtual({
      needs: { authorizer: services.authorizer },
      async create({ body, user }, { authorizer }) {
        const { namespace } = (body?.spec ?? {}) as SelfSubjectRulesReviewSpec
        if (!namespace) throw badRequest('no namespace on request')
        const { resourceRules, nonResourceRules, incomplete, evaluationError } = await authorizer.rulesFor(
          user,
          namespace,
        )
        const status = {
          resourceRules: resourceRules as SubjectRulesReviewStatus['resourceRules'],
          nonResourceRules: nonResourceRules as SubjectRulesReviewStatus['nonResourceRules'],
          incomplete,
          ...(evaluationError ? { evaluationError } : {}),
        }
        // The question is not repeated in the answer.
        return { object: { metadata: {}, spec: {}, status } }
      },
    }),
  })
