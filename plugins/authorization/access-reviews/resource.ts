import {
  badRequest,
  defineResource,
  defineVirtual,
  type FieldError,
  invalid,
  type ResourceDefinition,
  services,
  type TSchema,
  type UserInfo,
} from 'orch/sdk'
import type { AuthorizationNames } from '../names.js'
import { answerReview, subjectOf } from './answer-review.js'
import {
  LocalSubjectAccessReview,
  SelfSubjectAccessReview,
  type SelfSubjectAccessReviewSpec,
  SubjectAccessReview,
} from './schema.js'
import { validateLocalReview, validateSelfReview, validateSubjectReview } from './validation.js'

/** One of the three kinds of review, which differ only in these parts. */
interface ReviewKind<T> {
  readonly kind: string
  readonly resource: string
  readonly namespaced: boolean
  readonly schema: TSchema
  validate(review: T): FieldError[]
  /** The user whose access is reviewed. */
  subject(review: T, requester: UserInfo): UserInfo
}

type Review = { spec: SelfSubjectAccessReviewSpec; metadata?: { namespace?: string } }

const accessReview = <T extends Review>(
  group: string,
  hasSelectors: boolean,
  { kind, resource, namespaced, schema, validate, subject }: ReviewKind<T>,
): ResourceDefinition =>
  defineResource({
    group,
    kind,
    resource,
    namespaced,
    versions: [{ name: 'v1', schema }],
    verbs: ['create'],
    virtual: defineVirtual({
      needs: { authorizer: services.authorizer },
      async create({ body, user, namespace }, { authorizer }) {
        const sent = body as T
        const review = hasSelectors ? sent : withoutSelectors(sent)
        const errors = validate(review)
        // The recorded answer names the group only: no object of this kind is ever stored.
        if (errors.length > 0) throw invalid({ group, kind: '' }, '', errors)
        if (namespaced && namespace !== review.metadata?.namespace)
          throw badRequest(`spec.resourceAttributes.namespace must match namespace: ${namespace}`)
        const status = await answerReview(authorizer, subject(review, user), review.spec)
        return { object: { ...review, status } }
      },
    }),
  })

/** Selectors are dropped while their gate is off: the kernel only does that for objects that are stored. */
function withoutSelectors<T extends Review>(review: T): T {
  const { resourceAttributes } = review.spec
  if (!resourceAttributes) return review
  const { fieldSelector: _fields, labelSelector: _labels, ...others } = resourceAttributes
  return { ...review, spec: { ...review.spec, resourceAttributes: others } }
}

/** Access reviews: for any user, for any user within a namespace, or for the caller. */
export const accessReviews = (
  { reviewGroup }: AuthorizationNames,
  { hasSelectors }: { readonly hasSelectors: boolean } = { hasSelectors: true },
): ResourceDefinition[] => [
  accessReview<SubjectAccessReview>(reviewGroup, hasSelectors, {
    kind: 'SubjectAccessReview',
    resource: 'subjectaccessreviews',
    namespaced: false,
    schema: SubjectAccessReview,
    validate: validateSubjectReview,
    subject: review => subjectOf(review.spec),
  }),
  accessReview<LocalSubjectAccessReview>(reviewGroup, hasSelectors, {
    kind: 'LocalSubjectAccessReview',
    resource: 'localsubjectaccessreviews',
    namespaced: true,
    schema: LocalSubjectAccessReview,
    validate: validateLocalReview,
    subject: review => subjectOf(review.spec),
  }),
  accessReview<SelfSubjectAccessReview>(reviewGroup, hasSelectors, {
    kind: 'SelfSubjectAccessReview',
    resource: 'selfsubjectaccessreviews',
    namespaced: false,
    schema: SelfSubjectAccessReview,
    validate: validateSelfReview,
    subject: (_review, requester) => requester,
  }),
]
