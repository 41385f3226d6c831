import type { AccessAttributes } from 'orch/sdk'

export type WebhookVersion = 'v1' | 'v1beta1'

/** The question as the webhook gets it. What is empty is left out; v1beta1 calls the groups `group`. */
export function reviewSpec(access: AccessAttributes, version: WebhookVersion): Record<string, unknown> {
  const { user } = access
  const attributes =
    access.path === undefined
      ? {
          resourceAttributes: filled({
            namespace: access.namespace,
            verb: access.verb,
            group: access.group,
            version: access.version,
            resource: access.resource,
            subresource: access.subresource,
            name: access.name,
          }),
        }
      : { nonResourceAttributes: filled({ path: access.path, verb: access.verb }) }
  return {
    ...attributes,
    ...filled({ user: user.name, uid: user.uid }),
    ...(user.groups.length === 0 ? {} : { [version === 'v1' ? 'groups' : 'group']: user.groups }),
    ...(user.extra && Object.keys(user.extra).length > 0 ? { extra: user.extra } : {}),
  }
}

const filled = (fields: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter((pair): pair is [string, string] => Boolean(pair[1])))

/** Characters of a request that its sender chooses. */
export const chosenLength = (access: AccessAttributes): number =>
  access.path === undefined
    ? [access.namespace, access.verb, access.group, access.version, access.resource, access.subresource, access.name]
        .map(part => part.length)
        .reduce((sum, length) => sum + length)
    : access.path.length + access.verb.length
