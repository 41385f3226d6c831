import { badRequest, defineResource, defineVirtual, services } from 'orch/sdk'
import type { AuthorizationNames } from '../names.js'
import { SelfSubjectRulesReview, type SelfSubjectRulesReviewSpec, type SubjectRulesReviewStatus } from './schema.js'

/** The rules of the requester in a namespace, as far as the modes can enumerate them. */
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
        // The answer does not repeat the spec.
        return { object: { metadata: {}, spec: {}, status } }
      },
    }),
  })
