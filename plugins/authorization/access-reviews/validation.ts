import { type FieldError, invalidValue, type ObjectMeta } from 'orch/sdk'
import type { LocalSubjectAccessReview, SelfSubjectAccessReviewSpec, SubjectAccessReview } from './schema.js'
import { validateSelectors } from './selectors.js'

/** A review is about a resource or about a path, not both. */
function validateAttributes(spec: SelfSubjectAccessReviewSpec): FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = spec
  if (resourceAttributes && nonResourceAttributes)
    return [
      invalidValue(
        'spec.nonResourceAttributes',
        nonResourceAttributes,
        'cannot be specified in combination with resourceAttributes',
      ),
    ]
  if (!resourceAttributes && !nonResourceAttributes)
    return [
      invalidValue(
        'spec.resourceAttributes',
        null,
        'exactly one of nonResourceAttributes or resourceAttributes must be specified',
      ),
    ]
  return []
}

const validateAttributeSelectors = ({ resourceAttributes }: SelfSubjectAccessReviewSpec): FieldError[] =>
  resourceAttributes ? validateSelectors(resourceAttributes) : []

function validateSubjectSpec({ spec }: SubjectAccessReview): FieldError[] {
  const { user = '', groups = [] } = spec
  return [
    ...validateAttributes(spec),
    ...(user === '' && groups.length === 0
      ? [invalidValue('spec.user', user, 'at least one of user or group must be specified')]
      : []),
    ...validateAttributeSelectors(spec),
  ]
}

export const validateSubjectReview = (review: SubjectAccessReview): FieldError[] => [
  ...validateSubjectSpec(review),
  ...validateMetadata(review.metadata, [], 'must be empty'),
]

export const validateSelfReview = (review: { metadata?: ObjectMeta; spec: SelfSubjectAccessReviewSpec }) => [
  ...validateAttributes(review.spec),
  ...validateAttributeSelectors(review.spec),
  ...validateMetadata(review.metadata, [], 'must be empty'),
]

export function validateLocalReview(review: LocalSubjectAccessReview): FieldError[] {
  const errors = [
    ...validateSubjectSpec(review),
    ...validateMetadata(review.metadata, ['namespace'], 'must be empty except for namespace'),
  ]
  const { resourceAttributes, nonResourceAttributes } = review.spec
  const namespace = resourceAttributes?.namespace ?? ''
  if (resourceAttributes && namespace !== (review.metadata?.namespace ?? ''))
    errors.push(invalidValue('spec.resourceAttributes.namespace', namespace, 'must match metadata.namespace'))
  if (nonResourceAttributes)
    errors.push(invalidValue('spec.nonResourceAttributes', nonResourceAttributes, 'disallowed on this kind of request'))
  return errors
}

/** Nothing is stored, so nothing can be named or labelled. Fields that the server itself fills in are exempt. */
function validateMetadata(metadata: ObjectMeta | undefined, allowed: readonly string[], why: string): FieldError[] {
  const isSet = Object.entries(metadata ?? {}).some(
    ([key, value]) => value !== null && value !== undefined && key !== 'managedFields' && !allowed.includes(key),
  )
  return isSet ? [invalidValue('metadata', metadata, why)] : []
}
