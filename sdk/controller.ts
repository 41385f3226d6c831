import type { Needs, Resolved } from './services.js'

/** A control loop. It talks to the API through services.client only, so it can run in this process or another. */
export interface ControllerDefinition<N extends Needs = Needs> {
  /** The name used in --controllers. */
  readonly name: string
  readonly needs?: N
  /** Off unless named in --controllers? Default true means on. */
  readonly enabledByDefault?: boolean
  /** Starts the loop; resolves when it is running. What it returns stops it and waits for work in progress. */
  start(services: Resolved<N>): Promise<() => Promise<void>> | (() => Promise<void>)
}

/** Declares a control loop. */
export const defineController = <const N extends Needs = Record<never, never>>(
  definition: ControllerDefinition<N>,
): ControllerDefinition<N> => definition
