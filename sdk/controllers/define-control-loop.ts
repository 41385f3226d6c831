import { type ControllerDefinition, defineController } from '../plugin/controller.js'
import type { Needs, Resolved } from '../plugin/service-token.js'
import { services } from '../plugin/services.js'
import type { ControlLoopOptions, LoopCaches } from './control-loop.js'
import { startControlLoop } from './start-control-loop.js'

/** What every control loop needs: a controller that starts its loops itself spreads this into its own `needs`. */
export const loopNeeds = {
  client: services.client,
  clock: services.clock,
  logger: services.logger,
  metrics: services.metrics,
  vendor: services.vendor,
} as const

/** The services of a loop: those that it needs, and those that every loop has (`loopNeeds`). */
type LoopServices<N extends Needs> = Resolved<N> & Resolved<typeof loopNeeds>

/** A controller with one control loop: its sources, and how it reconciles a key. */
export interface ControlLoopDefinition<N extends Needs = Record<never, never>>
  extends Omit<ControllerDefinition<N>, 'start'>,
    Pick<ControlLoopOptions, 'sources' | 'workers' | 'resyncMs'> {
  /** See `ControlLoopOptions.reconcile`. */
  reconcile(key: string, caches: LoopCaches, services: LoopServices<N>): ReturnType<ControlLoopOptions['reconcile']>
}

/** The result of `setUp`: the loop, and what else stops with it. */
export interface ControlLoopParts extends Pick<ControlLoopOptions, 'sources' | 'workers' | 'resyncMs' | 'reconcile'> {
  /** Called when the loop stops, before its work in progress has ended. */
  stop?(): void | Promise<void>
}

/** The same for a loop with state between its runs, such as clients or an event recorder. */
export interface StatefulControlLoopDefinition<N extends Needs = Record<never, never>>
  extends Omit<ControllerDefinition<N>, 'start'> {
  /** Called whenever the loop starts; undefined when there is nothing to do here. */
  setUp(services: LoopServices<N>): ControlLoopParts | undefined | Promise<ControlLoopParts | undefined>
}

/** Declares a control loop, to be passed to `to.controller`. */
export function defineControlLoop<const N extends Needs = Record<never, never>>(
  definition: ControlLoopDefinition<N> | StatefulControlLoopDefinition<N>,
): ControllerDefinition<N & typeof loopNeeds> {
  const { needs, ...controller } = definition
  return defineController({
    ...controller,
    needs: { ...loopNeeds, ...needs } as N & typeof loopNeeds,
    async start(given) {
      const runtime = given as LoopServices<N>
      const parts = 'setUp' in definition ? await definition.setUp(runtime) : fixedParts(definition, runtime)
      if (!parts) return async () => {}
      const { stop, ...options } = parts
      const stopLoop = await startControlLoop({ ...runtime, ...options, name: controller.name })
      return async () => {
        await Promise.all([stop?.(), stopLoop()])
      }
    },
  })
}

function fixedParts<N extends Needs>(definition: ControlLoopDefinition<N>, runtime: LoopServices<N>): ControlLoopParts {
  const { sources, workers, resyncMs } = definition
  return {
    sources,
    ...(workers === undefined ? {} : { workers }),
    ...(resyncMs === undefined ? {} : { resyncMs }),
    reconcile: (key, caches) => definition.reconcile(key, caches, runtime),
  }
}
