import type { AccessAttributes, Authorizer, UserInfo } from 'orch/sdk'
import type { SelfSubjectAccessReviewSpec, SubjectAccessReviewSpec, SubjectAccessReviewStatus } from './schema.js'

/** The identity a review asks about: exactly what it says, no group is added. */
export const subjectOf = ({ user = '', uid, groups = [], extra }: SubjectAccessReviewSpec): UserInfo => ({
  name: user,
  groups,
  ...(uid === undefined ? {} : { uid }),
  ...(extra === undefined ? {} : { extra }),
})

/** Asks the whole chain whether `user` may do what the review describes. */
export async function answerReview(
  authorizer: Authorizer,
  user: UserInfo,
  spec: SelfSubjectAccessReviewSpec,
): Promise<SubjectAccessReviewStatus> {
  const { decision, reason, evaluationError } = await authorizer.authorize(accessOf(user, spec))
  return {
    allowed: decision === 'allow',
    ...(decision === 'deny' ? { denied: true } : {}),
    ...(reason ? { reason } : {}),
    ...(evaluationError ? { evaluationError } : {}),
  }
}

function accessOf(user: UserInfo, { resourceAttributes, nonResourceAttributes }: SelfSubjectAccessReviewSpec) {
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
