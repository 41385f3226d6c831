import { type Clock, type ControllerDefinition, type ResourceCatalogue, services, type UserInfo } from 'orch/sdk'
import type { Client, Transport } from 'orch/sdk/client'
import { duringTerm } from 'orch/sdk/controllers'
import { allAuthenticated, mastersGroup, serviceAccountUser } from 'orch/sdk/identity'
import type { BootedPlugins } from '../boot/boot-plugins.js'
import type { StartRequest } from '../boot/start-plugins.js'
import type { Replacements } from '../container/plugin-scope.js'
import { BootError, problem } from '../contracts/boot-errors.js'
import { ControlLoops } from '../loops/control-loops.js'
import { accountOf } from '../loops/declared-controllers.js'
import { type ElectionSettings, electionSettings } from '../loops/election-settings.js'
import { kernelName } from '../options/kernel-options.js'
import type { Assembly } from './assemble.js'
import { serverClient } from './kernel-services.js'

/** The control loops inside a server. They call it in process, with leader election if the store is shared. */
export function serverLoops(
  starting: StartRequest,
  booted: BootedPlugins,
  { root, transportAs }: Pick<Assembly, 'root' | 'transportAs'>,
  clock: Clock,
  types: ResourceCatalogue,
): ControlLoops {
  const clientsOver = (limit: (transport: Transport) => Transport) => {
    const { vendor, registry } = booted
    const { users, namespaces } = vendor.profile
    const clientAs = (user: UserInfo, follower?: Client) => {
      // Authorizers may be loaded and unloaded while loops run.
      const [own, everything] = [transportAs(user), transportAs(withEveryRight(user))]
      const transport: Transport = request => (haveRoles(registry) ? own : everything)(request)
      return serverClient(limit(transport), clock, vendor, 'controller-manager', follower)
    }
    // Loops share caches, so a user who may list and watch everything fills them.
    const follower = clientAs({ name: users.controllerManager, groups: [allAuthenticated] })
    const clients = new Map<string, Client>()
    return (loop: ControllerDefinition): Replacements => {
      const account = accountOf(loop)
      const client = clients.get(account) ?? clientAs(serviceAccountUser(namespaces.system, account), follower)
      clients.set(account, client)
      return new Map<symbol, unknown>([
        [services.client, client],
        [services.resources, types],
      ])
    }
  }
  return new ControlLoops({
    ...starting,
    clock,
    instead: clientsOver(transport => transport),
    client: root.resolve(services.client),
    election: electionOf(starting, booted),
    async forTerm(term) {
      return { instead: clientsOver(transport => duringTerm(transport, term)) }
    },
  })
}

/** The user that a plugin in a process of its own acts as now. */
export function loopUser({ vendor, registry }: Pick<BootedPlugins, 'vendor' | 'registry'>, account: string): UserInfo {
  const user = serviceAccountUser(vendor.profile.namespaces.system, account)
  return haveRoles(registry) ? user : withEveryRight(user)
}

const haveRoles = ({ authorizers }: BootedPlugins['registry']): boolean =>
  authorizers.some(({ definition }) => definition.knowsLoopRoles)

/** Without an authorization plugin nothing could grant a loop its permissions. */
export const withEveryRight = (user: UserInfo): UserInfo => ({ ...user, groups: [...user.groups, mastersGroup] })

/** Whether to elect a leader: by default if the store is shared. Without the type of the lease it is an error only if requested. */
function electionOf({ root, logger }: StartRequest, booted: BootedPlugins): ElectionSettings | undefined {
  const { kernelOptions: options, registry, vendor } = booted
  const engine = registry.storages.find(({ definition }) => definition.name === options.storageEngine)
  if (!(options.leaderElect ?? engine?.definition.isShared ?? false)) return undefined
  const settings = electionSettings(options, vendor)
  const { group, version, resource } = settings.leaseRef
  const isServed = root.resolve(services.resources).find(group, resource)?.servedVersions.includes(version)
  if (isServed) return settings
  const type = `${resource}.${group}/${version}`
  if (options.leaderElect) {
    const why = `it needs the type ${type}, which no enabled plugin serves: enable one that does, or set it to false`
    throw new BootError([problem('ORCH_OPTION_INVALID', { plugin: kernelName, path: 'leaderElect', why })])
  }
  const remedy = `enable a plugin that serves ${type}, or run a single server`
  logger.warn('control loops run in every server of this store, because leader election is not possible', { remedy })
  return undefined
}
