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

/**
 * Thrown by `start` when something is missing in this process that the loop cannot do without, such as a key. The loop is
 * left out with a warning; only one that --controllers names fails the start. The message says what to do about it.
 */
export class UnavailableHere extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UnavailableHere'
  }
}

/** Declares a control loop. */
export const defineController = <const N extends Needs = Record<never, never>>(
  definition: ControllerDefinition<N>,
): ControllerDefinition<N> => definition
