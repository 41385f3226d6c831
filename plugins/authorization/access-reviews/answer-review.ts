import type { Authorizer, UserInfo } from 'orch/sdk'
import type { AccessAttributes } from 'orch/sdk/identity'
import type { SelfSubjectAccessReviewSpec, SubjectAccessReviewSpec, SubjectAccessReviewStatus } from './schema.js'
import { readSelectors } from './selectors.js'

/** The user a review is about, as it is given: no group is added. */
export const subjectOf = ({ user = '', uid, groups = [], extra }: SubjectAccessReviewSpec): UserInfo => ({
  name: user,
  groups,
  ...(uid === undefined ? {} : { uid }),
  ...(extra === undefined ? {} : { extra }),
})

/** Lets the whole chain decide whether `user` may do what the review describes. */
export async function answerReview(
  authorizer: Authorizer,
  user: UserInfo,
  spec: SelfSubjectAccessReviewSpec,
): Promise<SubjectAccessReviewStatus> {
  const { selectors, problems } = readSelectors(spec.resourceAttributes ?? {})
  const access = accessOf(user, spec)
  const decided = await authorizer.authorize(access.path === undefined ? { ...access, ...selectors } : access)
  const { decision, reason } = decided
  const evaluationError = [decided.evaluationError ?? '', ...problems].filter(text => text !== '').join('; ')
  return {
    allowed: decision === 'allow',
    ...(decision === 'deny' ? { denied: true } : {}),
    ...(reason ? { reason } : {}),
    ...(evaluationError ? { evaluationError } : {}),
  }
}

function accessOf(
  user: UserInfo,
  { resourceAttributes, nonResourceAttributes }: SelfSubjectAccessReviewSpec,
): AccessAttributes {
  if (!resourceAttributes)
    return {
      user,
      verb: nonResourceAttributes?.verb ?? '',
      path: nonResourceAttributes?.path ?? '',
    } satisfies AccessAttributes
  const {
    verb = '',
    group = '',
    version = '',
    resource = '',
    subresource = '',
    namespace = '',
    name = '',
  } = resourceAttributes
  return { user, verb, group, version, resource, subresource, namespace, name } satisfies AccessAttributes
}
