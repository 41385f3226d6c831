import { ApiError, type ApiObject, type Clock, type Logger, type ResourceCatalogue, serviceToken } from 'orch/sdk'
import type { Client, ResourceClient } from 'orch/sdk/client'
import type { AuthorizationNames } from '../names.js'
import type { DefaultPolicy } from './default-policy.js'
import type { DefaultBinding, DefaultRole } from './default-role.js'
import { newBinding, newRole, repairedBinding, repairedRole, type StoredBinding, type StoredRole } from './reconcile.js'

export const policyInstaller = serviceToken<PolicyInstaller>('authorization.policy-installer')

interface Dependencies {
  readonly client: Client
  readonly clock: Clock
  readonly logger: Logger
  readonly resources: ResourceCatalogue
}

/** If a default is refused (by a webhook that is down, say), the server starts nevertheless and retries. */
const retryMs = 5000

/** Reconciles the default roles and bindings once, at start. */
export class PolicyInstaller {
  readonly #policy: DefaultPolicy
  readonly #names: AuthorizationNames
  readonly #given: Dependencies
  #cancelRetry: () => void = () => {}
  #isDone = false
  #isStopped = false

  constructor(policy: DefaultPolicy, names: AuthorizationNames, given: Dependencies) {
    this.#policy = policy
    this.#names = names
    this.#given = given
  }

  get isDone(): boolean {
    return this.#isDone
  }

  /** One attempt; failures are retried later, until `stop`. */
  async run(): Promise<void> {
    const failures = await this.#attempt()
    this.#isDone = failures.length === 0
    if (this.#isDone || this.#isStopped) return
    for (const { what, error } of failures)
      this.#given.logger.error(`could not reconcile the default ${what}; will retry`, { error })
    this.#cancelRetry = this.#given.clock.after(retryMs, () => void this.run())
  }

  stop(): void {
    this.#isStopped = true
    this.#cancelRetry()
  }

  async #attempt(): Promise<{ what: string; error: unknown }[]> {
    const { clusterRoles, clusterRoleBindings, namespaces } = this.#policy
    const { client } = this.#given
    const failures: { what: string; error: unknown }[] = []
    const attempt = (what: string, work: () => Promise<void>) =>
      retryingConflicts(work).catch(error => failures.push({ what, error }))
    const roles = await prefetch(client.resource<StoredRole>(this.#names.clusterRoles))
    const bindings = await prefetch(client.resource<StoredBinding>(this.#names.clusterRoleBindings))
    const tasks = [
      ...clusterRoles.map(role => attempt(`cluster role ${role.name}`, () => this.#installRole(roles, role))),
      ...clusterRoleBindings.map(binding =>
        attempt(`cluster role binding ${binding.name}`, () => this.#installBinding(bindings, binding)),
      ),
    ]
    await Promise.all(tasks)
    for (const { namespace, ...policy } of namespaces) {
      await attempt(`namespace ${namespace}`, () => this.#ensureNamespace(namespace))
      const rolesInside = await prefetch(client.resource<StoredRole>(this.#names.roles).in(namespace))
      const bindingsInside = await prefetch(client.resource<StoredBinding>(this.#names.roleBindings).in(namespace))
      await Promise.all([
        ...policy.roles.map(role =>
          attempt(`role ${namespace}/${role.name}`, () => this.#installRole(rolesInside, role)),
        ),
        ...policy.bindings.map(binding =>
          attempt(`role binding ${namespace}/${binding.name}`, () => this.#installBinding(bindingsInside, binding)),
        ),
      ])
    }
    return failures
  }

  async #installRole({ objects: roles, find }: Prefetched<StoredRole>, wanted: DefaultRole): Promise<void> {
    const stored = await find(wanted.name)
    if (stored === undefined) {
      await roles.create(newRole(wanted, this.#names))
      return
    }
    const repaired = repairedRole(stored, wanted, this.#names)
    if (repaired !== undefined) await roles.update(repaired)
  }

  async #installBinding({ objects: bindings, find }: Prefetched<StoredBinding>, wanted: DefaultBinding): Promise<void> {
    const stored = await find(wanted.name)
    if (stored === undefined) {
      await bindings.create(newBinding(wanted, this.#names))
      return
    }
    const repair = repairedBinding(stored, wanted, this.#names)
    if (repair === undefined) return
    if (!repair.recreate) {
      await bindings.update(repair.binding)
      return
    }
    const { uid, resourceVersion } = stored.metadata
    await bindings.delete(wanted.name, { preconditions: { uid, resourceVersion } })
    await bindings.create(repair.binding)
  }

  /** The plugin that serves namespaces may be absent, or may not have created this one yet. */
  async #ensureNamespace(name: string): Promise<void> {
    const type = this.#given.resources.find('', 'namespaces')
    if (type === undefined) return
    const namespaces = this.#given.client.resource<ApiObject>({ ...type, version: type.version })
    if ((await namespaces.find(name)) === undefined) await namespaces.create({ metadata: { name } })
  }
}

interface Prefetched<T extends ApiObject> {
  readonly objects: ResourceClient<T>
  /** From the list the first time; a second lookup of a name, after a conflict, reads the current state. */
  find(name: string): Promise<T | undefined> | T | undefined
}

/** Reads all objects by one list instead of one get each. If the list fails, each object is read by itself. */
async function prefetch<T extends ApiObject>(objects: ResourceClient<T>): Promise<Prefetched<T>> {
  const listed = await allByName(objects).catch(() => undefined)
  const lookedUp = new Set<string>()
  return {
    objects,
    find(name) {
      if (!listed || lookedUp.has(name)) return objects.find(name)
      lookedUp.add(name)
      return listed.get(name)
    },
  }
}
async function allByName<T extends ApiObject>(objects: ResourceClient<T>): Promise<Map<string, T>> {
  const listed = new Map<string, T>()
  for await (const object of objects.each()) listed.set(object.metadata.name ?? '', object)
  return listed
}

/** Other processes may start at the same moment; the one that loses a conflict reads again. */
async function retryingConflicts(work: () => Promise<void>, attempts = 3): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (attempts <= 1 || !(error instanceof ApiError) || error.code !== 409) throw error
    await retryingConflicts(work, attempts - 1)
  }
}
