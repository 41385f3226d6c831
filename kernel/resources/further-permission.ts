import { refusal } from '../contracts/access-refusal.js'
import type { VerbRequest } from './verb.js'

/** Some requests need the permission for another verb besides their own. Throws unless the user has it. */
export async function confirmAllowed(
  { services, context, type, version }: VerbRequest,
  verb: string,
  subresource = '',
): Promise<void> {
  const { user, info } = context
  const access = {
    user,
    verb,
    group: type.group,
    version: version.name,
    resource: type.resource,
    subresource,
    namespace: info.namespace,
    name: info.name,
  }
  const decided = await services.authorizer.authorize(access)
  if (decided.decision !== 'allow') throw refusal(access, decided)
}
