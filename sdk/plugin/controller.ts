import type { ResourceRule } from '../identity/authorization.js'
import { recognizedAcrossCopies } from './across-copies.js'
import type { Lifespan } from './level.js'
import type { Needs, Resolved } from './service-token.js'

/** A permission of a control loop: everywhere, or in one namespace. */
export interface ControllerRule extends ResourceRule, Lifespan {
  readonly namespace?: string
}

/** The declared permissions of a control loop. See `services.controllers`. */
export interface DeclaredController {
  readonly plugin: string
  readonly name: string
  readonly account: string
  readonly rules: readonly ControllerRule[]
  /** Whether it makes requests at all. */
  readonly usesClient: boolean
}

/** A control loop. It talks to the API through services.client only, so it can run in this process or another. */
export interface ControllerDefinition<N extends Needs = Needs> extends Lifespan {
  /** The name used in --controllers. */
  readonly name: string
  readonly needs?: N
  /** The service account of the system namespace that the loop acts as; its name by default. Several loops may share one. */
  readonly account?: string
  /**
   * The permissions of that account, as the rules of a role. The plugin that authorizes requests grants them. Sources
   * of the loop, and collections read by `shareInformer`, need no rules: they are cached once for all loops.
   */
  readonly rules?: readonly ControllerRule[]
  /** Whether it is enabled without being named in --controllers. Default true. */
  readonly enabledByDefault?: boolean
  /** Starts the loop; resolves when it is running. The result stops it and waits for work in progress. */
  start(services: Resolved<N>): Promise<() => Promise<void>> | (() => Promise<void>)
}

/**
 * Thrown by `start` when this process lacks something that the loop needs, such as a key. The loop is skipped with a
 * warning; the start fails only if --controllers names the loop. The message says what to do about it.
 */
export class UnavailableHere extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UnavailableHere'
  }
}
recognizedAcrossCopies(UnavailableHere, 'UnavailableHere')

/** Declares a control loop. */
export const defineController = <const N extends Needs = Record<never, never>>(
  definition: ControllerDefinition<N>,
): ControllerDefinition<N> => definition
