import { type Cache, type Caches, defineService, services, serviceToken } from 'orch/sdk'
import type { AuthorizationNames } from './names.js'
import type { Binding } from './rules/grants.js'
import { RoleIndex, type RoleObject } from './rules/role-index.js'

/** The role index of this process, shared by the RBAC mode and the checks on written roles and bindings. */
export const liveRoleIndex = serviceToken<LiveRoleIndex>('authorization.live-role-index')

/** A role index that follows the stored roles and bindings by watch. */
export class LiveRoleIndex extends RoleIndex {
  readonly #caches: readonly Cache<never>[]
  #isReady = false

  constructor(caches: Caches, names: AuthorizationNames) {
    super(names.rbacGroup)
    const roles = [names.roles, names.clusterRoles].map(collection => caches.of<RoleObject>(collection))
    const bindings = [names.roleBindings, names.clusterRoleBindings].map(collection => caches.of<Binding>(collection))
    this.#caches = [...roles, ...bindings] as Cache<never>[]
    for (const cache of roles)
      cache.onChange(({ type, object }) => (type === 'deleted' ? this.removeRole(object) : this.setRole(object)))
    for (const cache of bindings)
      cache.onChange(({ type, object }) => (type === 'deleted' ? this.removeBinding(object) : this.setBinding(object)))
  }

  /** True once every stored role and binding is in the index; until then decisions must wait. */
  get isReady(): boolean {
    this.#isReady ||= this.#caches.every(cache => cache.isReady)
    return this.#isReady
  }
  async ready(): Promise<void> {
    await Promise.all(this.#caches.map(cache => cache.ready()))
  }
}

export const roleIndexService = (names: AuthorizationNames) =>
  defineService({
    token: liveRoleIndex,
    needs: { caches: services.caches },
    create: ({ caches }) => new LiveRoleIndex(caches, names),
  })
