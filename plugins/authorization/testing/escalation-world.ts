import {
  ApiError,
  type ApiObject,
  type Authorizer,
  type PermissionRequest,
  type StoreReader,
  type UserInfo,
} from 'orch/sdk'
import { LiveRoleIndex } from '../live-role-index.js'
import type { PolicyRule } from '../rules/schema.js'
import { aBinding, access, acmeNames, aRole, aUser } from './acme.js'
import { MemoryCaches } from './memory-caches.js'

const { roles, clusterRoles, roleBindings, clusterRoleBindings } = acmeNames

/** The attacker of the escalation tests. */
export const eve = aUser('eve', 'dev', 'system:authenticated')

/** A world of roles and bindings in which eve holds `rules` in the namespace farm, or everywhere. */
export function world({
  inFarm = [],
  everywhere = [],
  stored = [],
}: {
  inFarm?: PolicyRule[]
  everywhere?: PolicyRule[]
  stored?: ReturnType<typeof aRole>[]
}) {
  const caches = new MemoryCaches()
  const put = (object: ReturnType<typeof aRole>) =>
    caches.memory(object.metadata.namespace ? roles : clusterRoles).put(object as ApiObject)
  const index = new LiveRoleIndex(caches, acmeNames)
  for (const role of stored) put(role)
  put(aRole('eves', everywhere))
  put(aRole('eves', inFarm, 'farm'))
  caches.memory(clusterRoleBindings).put(aBinding('eves', 'eves', [{ kind: 'User', name: 'eve' }]) as ApiObject)
  caches.memory(roleBindings).put(aBinding('eves', 'eves', [{ kind: 'User', name: 'eve' }], 'farm') as ApiObject)
  caches.markReady()
  const authorizer = {
    allows: async (user: UserInfo, verb: string, target: Record<string, string>) =>
      index.decide({ ...access(user, verb, target.resource ?? ''), ...target }).decision === 'allow',
  } as Authorizer
  const reader = {
    get: async (collection: { group: string; resource: string }, namespace: string, name: string) =>
      caches.memory(collection).get(namespace, name),
  } as StoreReader
  return { index, authorizer, reader }
}

/** The error of a refused write, or undefined when it passed. */
export async function refusal(work: unknown): Promise<ApiError | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}
/** A write by eve; a create unless the rest says otherwise. */
export const request = <T extends { metadata: { namespace?: string } }>(
  object: T,
  rest: Partial<PermissionRequest<never>> = {},
) =>
  ({
    user: eve,
    verb: 'create',
    operation: 'create',
    namespace: object.metadata.namespace ?? '',
    pathName: '',
    object,
    stored: undefined,
    ...rest,
  }) as PermissionRequest<never>

export type World = ReturnType<typeof world>
