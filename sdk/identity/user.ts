import { nameIsDnsLabel, nameIsDnsSubdomain } from '../validation/object-names.js'

/** The user of a request. All values are opaque to the kernel. */
export interface UserInfo {
  readonly name: string
  readonly uid?: string
  readonly groups: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

/** The group of all authenticated users. */
export const allAuthenticated = 'system:authenticated'
/** The group of all anonymous users. */
export const allUnauthenticated = 'system:unauthenticated'
/** The group that may do anything, whatever the rules say. */
export const mastersGroup = 'system:masters'
/** The user of a request without credentials. */
export const anonymousUser: UserInfo = { name: 'system:anonymous', groups: [allUnauthenticated] }

const accountPrefix = 'system:serviceaccount:'
const accountGroups = (namespace: string) => ['system:serviceaccounts', `system:serviceaccounts:${namespace}`]

/** The user of a service account. */
export const serviceAccountUser = (namespace: string, name: string): UserInfo => ({
  name: `${accountPrefix}${namespace}:${name}`,
  groups: [...accountGroups(namespace), allAuthenticated],
})

/** What a user name refers to when it is impersonated: a service account, or just a user. */
export interface UserSubject {
  readonly resource: string
  readonly namespace: string
  readonly name: string
  /** Groups that the name implies. */
  readonly groups: readonly string[]
}
/** Reads a user name. One that no service account can have is just a user. */
export function userSubject(userName: string): UserSubject {
  const user = { resource: 'users', namespace: '', name: userName, groups: [] }
  if (!userName.startsWith(accountPrefix)) return user
  const [namespace = '', name = '', ...rest] = userName.slice(accountPrefix.length).split(':')
  const problems = [...nameIsDnsLabel(namespace, false), ...nameIsDnsSubdomain(name, false), ...rest]
  return problems.length === 0
    ? { resource: 'serviceaccounts', namespace, name, groups: accountGroups(namespace) }
    : user
}

/** The group of all agents of nodes. */
export const nodesGroup = 'system:nodes'
const nodeUserPrefix = 'system:node:'

/** The node a user is the agent of; undefined for everybody else. Both the name and the group must say so. */
export function nodeNameOf({ name, groups }: UserInfo): string | undefined {
  return name.startsWith(nodeUserPrefix) && groups.includes(nodesGroup) ? name.slice(nodeUserPrefix.length) : undefined
}

/** As `userSubject`, but agents of nodes are a kind of their own. */
export function constrainedSubject(userName: string): UserSubject & { readonly kind: 'account' | 'node' | 'user' } {
  const node = nodeNameOf({ name: userName, groups: [nodesGroup] })
  if (node !== undefined && nameIsDnsSubdomain(node, false).length === 0)
    return { kind: 'node', resource: 'nodes', namespace: '', name: node, groups: [nodesGroup] }
  const subject = userSubject(userName)
  return { ...subject, kind: subject.resource === 'users' ? 'user' : 'account' }
}
