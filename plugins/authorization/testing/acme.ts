import { orchProfile, type UserInfo, Vendor } from 'orch/sdk'
import { authorizationNames } from '../names.js'
import type { PolicyRule } from '../rules/schema.js'

/** A vendor of the tests, so that hard-coded names fail them. */
export const acme = new Vendor({ ...orchProfile, name: 'acme', domain: 'acme.test', groupDomain: 'api.acme.test' })
export const acmeNames = authorizationNames(acme)

export const aUser = (name: string, ...groups: string[]): UserInfo => ({ name, groups })

/** A request about a resource; only what matters to the case is stated. */
export const access = (
  user: UserInfo,
  verb: string,
  resource: string,
  rest: { group?: string; namespace?: string; name?: string } = {},
) => {
  const [type = '', subresource = ''] = resource.split('/')
  const { group = '', namespace = '', name = '' } = rest
  return { user, verb, group, version: 'v1', resource: type, subresource, namespace, name }
}

/** A rule about resources: `rule('get,list', 'pods')`, in the core group unless another is given. */
export const rule = (verbs: string, resources: string, group = '', ...resourceNames: string[]): PolicyRule => ({
  verbs: verbs.split(','),
  apiGroups: [group],
  resources: resources.split(','),
  ...(resourceNames.length === 0 ? {} : { resourceNames }),
})

export const aRole = (name: string, rules: PolicyRule[], namespace?: string) => ({
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
  rules,
})
export const aBinding = (
  name: string,
  roleName: string,
  subjects: { kind: string; name: string; namespace?: string }[],
  namespace?: string,
  kind = namespace === undefined ? 'ClusterRole' : 'Role',
) => ({
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
  roleRef: { apiGroup: acmeNames.rbacGroup, kind, name: roleName },
  subjects,
})
