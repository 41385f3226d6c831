import { type Clock, duringTerm, services, type Transport } from 'orch/sdk'
import type { Assembly } from '../assemble.js'
import { BootError, problem } from '../boot/boot-errors.js'
import type { BootedPlugins } from '../boot/boot-plugins.js'
import { kernelName } from '../boot/kernel-options.js'
import type { StartRequest } from '../boot/start-plugins.js'
import { serverClient } from '../container/kernel-services.js'
import { ControlLoops } from './control-loops.js'
import { type ElectionSettings, electionSettings } from './election-settings.js'

/** The control loops inside a server: they talk to it without a connection, under a lease where the store is shared. */
export function serverLoops(
  starting: StartRequest,
  booted: BootedPlugins,
  { root, transport }: Pick<Assembly, 'root' | 'transport'>,
  clock: Clock,
): ControlLoops {
  const clientOver = (way: Transport) =>
    new Map([[services.client, serverClient(way, clock, booted.vendor, 'controller-manager')]])
  return new ControlLoops({
    ...starting,
    clock,
    instead: clientOver(transport),
    client: root.resolve(services.client),
    election: electionOf(starting, booted),
    async forTerm(term) {
      return { instead: clientOver(duringTerm(transport, term)) }
    },
  })
}

/** Elect by default where others may use the same store. Without the type of the lease, only who asks for it is refused. */
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
  logger.warn('control loops run in every server of this store: nothing to elect a leader by', { remedy })
  return undefined
}
