import { isDeepStrictEqual } from 'node:util'
import { type Needs, type ServiceToken, services } from 'orch/sdk'
import { serviceNameOf } from 'orch/sdk/host'
import type { Definitions } from '../boot/start-plugins.js'
import { type BootProblem, problem } from '../contracts/boot-errors.js'
import { declaredControllers } from '../loops/declared-controllers.js'
import type { Contribution, Registry, ResourceContribution } from '../registry/registry.js'

type Token = ServiceToken<unknown>

/** The steps from one set of plugins to another. */
export interface PluginDifference {
  /** Types that are removed, and those that are added. A type that changes is in both. */
  readonly goneTypes: readonly ResourceContribution[]
  readonly newTypes: readonly ResourceContribution[]
  /** Services that are rebuilt or removed. */
  readonly services: ReadonlySet<Token>
  readonly stoppedTasks: Definitions
  readonly startedTasks: Definitions
  readonly stoppedLoops: Definitions
  readonly startedLoops: Definitions
}

/** Contributions are compared by identity: those of a plugin that was not registered again are the same objects. */
export function differenceBetween(before: Registry, after: Registry): PluginDifference {
  const renewed = renewedServices(before, after)
  const tasks = [before.startTasks, after.startTasks] as const
  const loops = [before.controllers, after.controllers] as const
  return {
    goneTypes: missingIn(after.resources, before.resources),
    newTypes: missingIn(before.resources, after.resources),
    services: renewed,
    stoppedTasks: toRestart(tasks[0], tasks[1], renewed),
    startedTasks: toRestart(tasks[1], tasks[0], renewed),
    stoppedLoops: toRestart(loops[0], loops[1], renewed),
    startedLoops: toRestart(loops[1], loops[0], renewed),
  }
}

/** Contributions that hold a service which would be rebuilt, and that cannot be passed the new one. */
export function heldServices(
  { services: renewed }: PluginDifference,
  plugin: string,
  { typeSources }: Registry,
): BootProblem[] {
  const held = typeSources.flatMap(holder =>
    needsOf(holder.definition)
      .filter(token => renewed.has(token))
      .map(token => `the service "${serviceNameOf(token)}" that plugin "${holder.plugin}" was started with`),
  )
  return held.map(what => problem('ORCH_PLUGIN_NOT_LIVE', { plugin, what }))
}

const missingIn = <T>(there: readonly T[], some: readonly T[]): T[] => {
  const known = new Set(there)
  return some.filter(each => !known.has(each))
}

/** Contributions that the other side does not have, and those that need a rebuilt service. */
function toRestart<D extends { readonly needs?: Needs }>(
  some: readonly Contribution<D>[],
  others: readonly Contribution<D>[],
  renewed: ReadonlySet<Token>,
): Definitions {
  const known = new Set(others)
  const isAffected = (each: Contribution<D>) =>
    !known.has(each) || needsOf(each.definition).some(token => renewed.has(token))
  return new Set(some.filter(isAffected).map(({ definition }) => definition))
}

const needsOf = ({ needs }: { readonly needs?: Needs }): readonly Token[] => Object.values(needs ?? {})

/** Services of plugins that changed, the kernel's services about all plugins, and every service that needs one of these. */
function renewedServices(before: Registry, after: Registry): Set<Token> {
  const renewed = new Set<Token>([services.consolePages, services.inventory])
  if (!isDeepStrictEqual(declaredControllers(before), declaredControllers(after))) renewed.add(services.controllers)
  const changed = [...missingIn(after.services, before.services), ...missingIn(before.services, after.services)]
  for (const { definition } of changed) renewed.add(definition.token)
  for (let size = 0; size < renewed.size; ) {
    size = renewed.size
    for (const { definition } of after.services)
      if (needsOf(definition).some(token => renewed.has(token))) renewed.add(definition.token)
  }
  return renewed
}
