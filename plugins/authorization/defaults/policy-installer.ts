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

/** Something refused a default (a webhook that is down, say): the server starts all the same and tries again. */
const retryMs = 5000

/** Brings the default roles and bindings to their wanted state once, at start. */
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

  /** One attempt; what fails is tried again later, until `stop`. */
  async run(): Promise<void> {
    const failures = await this.#attempt()
    this.#isDone = failures.length === 0
    if (this.#isDone || this.#isStopped) return
    for (const { what, error } of failures)
      this.#given.logger.error(`could not reconcile the default ${what}; trying again`, { error })
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
    const roles = await asListed(client.resource<StoredRole>(this.#names.clusterRoles))
    const bindings = await asListed(client.resource<StoredBinding>(this.#names.clusterRoleBindings))
    const tasks = [
      ...clusterRoles.map(role => attempt(`cluster role ${role.name}`, () => this.#installRole(roles, role))),
      ...clusterRoleBindings.map(binding =>
        attempt(`cluster role binding ${binding.name}`, () => this.#installBinding(bindings, binding)),
      ),
    ]
    await Promise.all(tasks)
    for (const { namespace, ...policy } of namespaces) {
      await attempt(`namespace ${namespace}`, () => this.#ensureNamespace(namespace))
      const rolesInside = await asListed(client.resource<StoredRole>(this.#names.roles).in(namespace))
      const bindingsInside = await asListed(client.resource<StoredBinding>(this.#names.roleBindings).in(namespace))
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

  async #installRole({ objects: roles, find }: Listed<StoredRole>, wanted: DefaultRole): Promise<void> {
    const stored = await find(wanted.name)
    if (stored === undefined) {
      await roles.create(newRole(wanted, this.#names))
      return
    }
    const repaired = repairedRole(stored, wanted, this.#names)
    if (repaired !== undefined) await roles.update(repaired)
  }

  async #installBinding({ objects: bindings, find }: Listed<StoredBinding>, wanted: DefaultBinding): Promise<void> {
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

  /** Namespaces may be the business of a plugin that is not there, or that has not come to it yet. */
  async #ensureNamespace(name: string): Promise<void> {
    const type = this.#given.resources.find('', 'namespaces')
    if (type === undefined) return
    const namespaces = this.#given.client.resource<ApiObject>({ ...type, version: type.version })
    if ((await namespaces.find(name)) === undefined) await namespaces.create({ metadata: { name } })
  }
}

interface Listed<T extends ApiObject> {
  readonly objects: ResourceClient<T>
  /** As listed the first time; a second lookup of a name reads the current state. */
  find(name: string): Promise<T | undefined> | T | undefined
}

/** Objects that are read by one request instead of one each. Where that fails, each fails or succeeds by itself. */
async function asListed<T extends ApiObject>(objects: ResourceClient<T>): Promise<Listed<T>> {
  const listed = await allByName(objects).catch(() => undefined)
  const asked = new Set<string>()
  return {
    objects,
    find(name) {
      if (!listed || asked.has(name)) return objects.find(name)
      asked.add(name)
      return listed.get(name)
    },
  }
}
async function allByName<T extends ApiObject>(objects: ResourceClient<T>): Promise<Map<string, T>> {
  const listed = new Map<string, T>()
  for await (const object of objects.each()) listed.set(object.metadata.name ?? '', object)
  return listed
}

/** Other processes may start at the same moment: the slower one reads again. */
async function retryingConflicts(work: () => Promise<void>, attempts = 3): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (attempts <= 1 || !(error instanceof ApiError) || error.code !== 409) throw error
    await retryingConflicts(work, attempts - 1)
  }
}
