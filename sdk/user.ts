/** Who makes a request. All of it is opaque until an authorizer reads it. */
export interface UserInfo {
  readonly name: string
  readonly uid?: string
  readonly groups: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

/** The group of everybody who is known. */
export const allAuthenticated = 'system:authenticated'
/** The group of everybody who is not. */
export const allUnauthenticated = 'system:unauthenticated'
/** The group that may do anything, whatever the rules say. */
export const mastersGroup = 'system:masters'
/** Who a request comes from when it carries no credentials. */
export const anonymousUser: UserInfo = { name: 'system:anonymous', groups: [allUnauthenticated] }

/** Every agent of a node is in it. */
export const nodesGroup = 'system:nodes'
const nodeUserPrefix = 'system:node:'

/** The node a user is the agent of; undefined for everybody else. Both the name and the group must say so. */
export function nodeNameOf({ name, groups }: UserInfo): string | undefined {
  return name.startsWith(nodeUserPrefix) && groups.includes(nodesGroup) ? name.slice(nodeUserPrefix.length) : undefined
}
