import { forbidden, internalError } from 'orch/sdk'
import type { AccessAttributes, AccessDecision } from 'orch/sdk/identity'

/** The error for a request that is not allowed. */
export function refusal(access: AccessAttributes, { reason, evaluationError }: AccessDecision): Error {
  // Clients treat a 403 as final; this request may be allowed once the failing mode works again. The cause is kept for the log.
  if (evaluationError !== undefined)
    return internalError('it could not be determined whether this is allowed', { cause: evaluationError })
  const { user, verb } = access
  const why = reason ? `: ${reason}` : ''
  if (access.path !== undefined)
    return forbidden({ group: '', resource: '' }, `User "${user.name}" cannot ${verb} path "${access.path}"${why}`)
  const { group, resource, subresource, namespace, name } = access
  const what = subresource ? `${resource}/${subresource}` : resource
  const where = namespace ? `in the namespace "${namespace}"` : 'at the cluster scope'
  return forbidden(
    { group, resource, name },
    `User "${user.name}" cannot ${verb} resource "${what}" in API group "${group}" ${where}${why}`,
  )
}
