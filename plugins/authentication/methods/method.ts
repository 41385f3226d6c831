import type { Needs, StartTask } from 'orch/sdk'
import type { AuthenticatorDefinition } from 'orch/sdk/identity'

/** One way to authenticate. */
export interface Method<N extends Needs = Needs> {
  readonly authenticator: AuthenticatorDefinition<N>
  /** Loads the dependencies of the method before requests arrive; a failure stops the start. */
  readonly check?: StartTask<N>
}
