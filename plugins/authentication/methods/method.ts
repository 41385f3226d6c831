import type { Needs, StartTask } from 'orch/sdk'
import type { AuthenticatorDefinition } from 'orch/sdk/identity'

/** One way to authenticate. */
export interface Method<N extends Needs = Needs> {
  readonly authenticator: AuthenticatorDefinition<N>
  /** Reads what the method depends on before requests come; a failure stops the start. */
  readonly check?: StartTask<N>
}
