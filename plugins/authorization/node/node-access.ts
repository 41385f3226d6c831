import { serviceToken } from 'orch/sdk'
import { type AccessAttributes, type AccessDecision, nodeNameOf, type ResourceAccess } from 'orch/sdk/identity'
import type { AuthorizationNames } from '../names.js'
import { RuleMatcher, readyRules } from '../rules/rule-matcher.js'
import type { PolicyRule } from '../rules/schema.js'
import type { NodeGraph } from './node-graph.js'
import type { Reference } from './reference.js'

const noOpinion = (reason?: string): AccessDecision => ({ decision: 'noOpinion', ...(reason ? { reason } : {}) })
const allow: AccessDecision = { decision: 'allow' }

/** Decides access of a node to objects of one type. */
type Narrowing = (access: ResourceAccess, nodeName: string) => AccessDecision

/** Which rules of later versions apply. */
export interface NodeAccessGates {
  /** A node reads only itself and its own Pods, and must select them when it lists. */
  readonly selects?: boolean
  /** Agents may read the accounts of their Pods. */
  readonly readsAccounts?: boolean
}

export const nodeAccess = serviceToken<NodeAccess>('authorization.node-access')

/** Decides requests of node agents: some types object by object, the others by the rules every node has. */
export class NodeAccess {
  readonly #graph: NodeGraph
  readonly #rules = new RuleMatcher<string>()
  readonly #narrowings: ReadonlyMap<string, Narrowing>

  constructor(
    names: AuthorizationNames,
    rules: readonly PolicyRule[],
    graph: NodeGraph,
    { selects = false, readsAccounts = false }: NodeAccessGates = {},
  ) {
    this.#graph = graph
    this.#rules.add(readyRules(rules), 'every node')
    this.#narrowings = new Map<string, Narrowing>([
      ['/secrets', this.#reading('secrets')],
      ['/configmaps', this.#reading('configmaps')],
      ['/persistentvolumeclaims', this.#claims],
      ['/persistentvolumes', this.#getting(this.#neededAs('persistentvolumes'))],
      [`${names.storageGroup}/volumeattachments`, this.#getting(this.#attached)],
      ['/serviceaccounts', readsAccounts ? this.#accounts : this.#tokens],
      [`${names.coordinationGroup}/leases`, ownLease(names.namespaces.nodeLease)],
      [`${names.storageGroup}/csinodes`, ownCsiNode],
      ...(selects
        ? ([
            ['/nodes', ownNode],
            ['/pods', this.#ownPods],
          ] satisfies [string, Narrowing][])
        : []),
    ])
  }

  decide(access: AccessAttributes): AccessDecision | Promise<AccessDecision> {
    const nodeName = nodeNameOf(access.user)
    if (nodeName === undefined) return noOpinion()
    if (this.#graph.isReady) return this.#decideFor(nodeName, access)
    return this.#graph.ready().then(() => this.#decideFor(nodeName, access))
  }

  #decideFor(nodeName: string, access: AccessAttributes): AccessDecision {
    if (nodeName === '') return noOpinion(`unknown node for user ${JSON.stringify(access.user.name)}`)
    if (access.path === undefined) {
      const narrowing = this.#narrowings.get(`${access.group}/${access.resource}`)
      if (narrowing !== undefined) return narrowing(access, nodeName)
    }
    return this.#rules.find(access) ? allow : noOpinion()
  }

  readonly #neededAs =
    (resource: Reference['resource']): Narrowing =>
    ({ namespace, name }, nodeName) => {
      if (name === '') return noOpinion('No Object name found')
      return this.#graph.isNeededOn(nodeName, { resource, namespace, name }) ? allow : unrelated(nodeName)
    }

  readonly #attached: Narrowing = ({ name }, nodeName) => {
    if (name === '') return noOpinion('No Object name found')
    return this.#graph.isAttachedTo(nodeName, name) ? allow : unrelated(nodeName)
  }

  /** Single objects may be read, listed and watched: an agent follows the ones it uses. */
  readonly #reading = (resource: Reference['resource']): Narrowing => {
    const needed = this.#neededAs(resource)
    return (access, nodeName) => {
      if (!['get', 'list', 'watch'].includes(access.verb)) return noOpinion('can only read resources of this type')
      if (access.subresource !== '') return noOpinion('cannot read subresource')
      if (access.namespace === '') return noOpinion('can only read namespaced object of this type')
      return needed(access, nodeName)
    }
  }

  readonly #getting = (related: Narrowing): Narrowing => {
    return (access, nodeName) => {
      if (access.verb !== 'get') return noOpinion('can only get individual resources of this type')
      if (access.subresource !== '') return noOpinion('cannot get subresource')
      return related(access, nodeName)
    }
  }

  readonly #claims: Narrowing = (access, nodeName) => {
    const needed = this.#neededAs('persistentvolumeclaims')
    if (access.subresource !== 'status') return this.#getting(needed)(access, nodeName)
    if (access.verb !== 'update' && access.verb !== 'patch') return noOpinion('can only get/update/patch this type')
    return needed(access, nodeName)
  }

  readonly #accounts: Narrowing = (access, nodeName) =>
    access.verb === 'get' && access.subresource === ''
      ? this.#reading('serviceaccounts')(access, nodeName)
      : this.#tokens(access, nodeName)

  /** The admission control NodeRestriction, which sees the Pod, checks its contents. */
  readonly #ownPods: Narrowing = ({ verb, subresource, namespace, name, fieldSelector = [] }, nodeName) => {
    const isWrite = podWrites.has(`${verb} ${subresource}`)
    if (isWrite) return allow
    if (subresource !== '' || !['get', 'list', 'watch'].includes(verb)) return noOpinion()
    const isSelected = fieldSelector.some(
      ({ field, operator, value }) => field === 'spec.nodeName' && operator === '=' && value === nodeName,
    )
    if (verb !== 'get' && isSelected) return allow
    if (name !== '') return this.#graph.runsOn(nodeName, namespace, name) ? allow : unrelated(nodeName)
    return noOpinion(
      verb === 'get' ? 'No Object name found' : 'can only list/watch pods with spec.nodeName field selector',
    )
  }

  readonly #tokens: Narrowing = (access, nodeName) => {
    if (access.verb !== 'create' || access.name === '')
      return noOpinion('can only create tokens for individual service accounts')
    if (access.subresource !== 'token') return noOpinion('can only create token subresource of service account')
    return this.#neededAs('serviceaccounts')(access, nodeName)
  }
}

const unrelated = (nodeName: string) => noOpinion(`no relationship found between node '${nodeName}' and this object`)

const podWrites: ReadonlySet<string> = new Set([
  'create ',
  'delete ',
  'update status',
  'patch status',
  'create eviction',
])

const ownVerbs = ['get', 'create', 'update', 'patch', 'delete']

// The name is unknown at creation; the admission control NodeRestriction checks it then.
const isForeign = ({ verb, name }: ResourceAccess, nodeName: string) => verb !== 'create' && name !== nodeName

const ownLease =
  (leaseNamespace: string): Narrowing =>
  (access, nodeName) => {
    if (!ownVerbs.includes(access.verb)) return noOpinion('can only get, create, update, patch, or delete a node lease')
    if (access.namespace !== leaseNamespace)
      return noOpinion(`can only access leases in the ${JSON.stringify(leaseNamespace)} system namespace`)
    if (isForeign(access, nodeName))
      return noOpinion('can only access node lease with the same name as the requesting node')
    return allow
  }

const ownCsiNode: Narrowing = (access, nodeName) => {
  if (!ownVerbs.includes(access.verb)) return noOpinion('can only get, create, update, patch, or delete a CSINode')
  if (access.subresource !== '') return noOpinion('cannot authorize CSINode subresources')
  if (isForeign(access, nodeName)) return noOpinion('can only access CSINode with the same name as the requesting node')
  return allow
}

/** By name rather than by the graph: an agent reads its Node before it exists. */
const ownNode: Narrowing = ({ verb, subresource, name }, nodeName) => {
  const isUpdate = verb === 'update' || verb === 'patch'
  if (subresource === 'status') return isUpdate ? allow : noOpinion()
  if (subresource !== '') return noOpinion()
  if (isUpdate || verb === 'create') return allow
  if (!['get', 'list', 'watch'].includes(verb)) return noOpinion()
  if (name === nodeName) return allow
  const what = name === '' ? 'all nodes' : `'${name}'`
  return noOpinion(`node '${nodeName}' cannot read ${what}, only its own Node object`)
}
