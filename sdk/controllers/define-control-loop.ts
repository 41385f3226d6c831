import { type ControllerDefinition, defineController } from '../controller.js'
import type { Needs, Resolved } from '../service-token.js'
import { services } from '../services.js'
import type { ControlLoopOptions, LoopCaches } from './control-loop.js'
import { startControlLoop } from './start-control-loop.js'

/** What every control loop needs: a controller that starts its loops itself spreads it over its own `needs`. */
export const loopNeeds = {
  client: services.client,
  clock: services.clock,
  logger: services.logger,
  metrics: services.metrics,
} as const

/** A controller that is one control loop: what it follows, and what it does about one key. */
export interface ControlLoopDefinition<N extends Needs = Record<never, never>>
  extends Omit<ControllerDefinition<N>, 'start'>,
    Pick<ControlLoopOptions, 'sources' | 'workers' | 'resyncMs'> {
  /** See `ControlLoopOptions.reconcile`. The services are those it needs, and those that every loop has (`loopNeeds`). */
  reconcile(
    key: string,
    caches: LoopCaches,
    services: Resolved<N> & Resolved<typeof loopNeeds>,
  ): ReturnType<ControlLoopOptions['reconcile']>
}

/** Declares a control loop in one call; hand it to `to.controller`. */
export function defineControlLoop<const N extends Needs = Record<never, never>>(
  definition: ControlLoopDefinition<N>,
): ControllerDefinition<N & typeof loopNeeds> {
  const { sources, workers, resyncMs, reconcile, needs, ...controller } = definition
  return defineController({
    ...controller,
    needs: { ...loopNeeds, ...needs } as N & typeof loopNeeds,
    start(given) {
      const runtime = given as unknown as Resolved<N> & Resolved<typeof loopNeeds>
      return startControlLoop({
        ...runtime,
        name: controller.name,
        sources,
        ...(workers === undefined ? {} : { workers }),
        ...(resyncMs === undefined ? {} : { resyncMs }),
        reconcile: (key, caches) => reconcile.call(definition, key, caches, runtime),
      })
    },
  })
}
