import type { Authorizer, Clock, Vendor } from 'orch/sdk'
import { apiAudiences, type TokenAuthentication } from 'orch/sdk/identity'
import type { RootContainer } from '../container/root-container.js'
import { withServices } from '../container/with-services.js'
import type { Registry } from '../registry/registry.js'
import { AuthenticatorChain } from '../request/authenticate.js'
import { AuthorizerChain } from '../request/authorize.js'

/** The authenticators and authorizers of one set of plugins. Immutable. */
export interface AccessChains {
  readonly authenticators: AuthenticatorChain
  readonly authorizer: AuthorizerChain
}

/** The inputs of a chain: the same registrations with the same services make the same chain. */
interface Made<C> {
  readonly chain: C
  readonly parts: readonly unknown[]
}

/**
 * The chains that new requests use. Plugins that hold the authorizer or the token authentication as a service use the
 * current chain at every call.
 */
export class LiveAccess {
  readonly #clock: Clock
  readonly #vendor: Vendor
  #authenticators: Made<AuthenticatorChain> | undefined
  #authorizer: Made<AuthorizerChain> | undefined
  #now: AccessChains | undefined

  constructor(clock: Clock, vendor: Vendor) {
    this.#clock = clock
    this.#vendor = vendor
  }

  /**
   * The chains of these plugins. If plugins and services are unchanged, the chain and its cached results are kept; a
   * new chain has an empty cache, so no decision outlives the plugin that made it.
   */
  chainsOf(registry: Registry, root: RootContainer): AccessChains {
    const audiences = root.has(apiAudiences) ? root.resolve(apiAudiences) : []
    const { groupDomain } = this.#vendor.profile
    const methods = registry.authenticators.map(withServices(root))
    this.#authenticators = sameOr(
      this.#authenticators,
      methods,
      () => new AuthenticatorChain(methods, this.#clock, audiences, groupDomain),
    )
    const modes = registry.authorizers.map(withServices(root))
    this.#authorizer = sameOr(this.#authorizer, modes, () => new AuthorizerChain(modes))
    return { authenticators: this.#authenticators.chain, authorizer: this.#authorizer.chain }
  }

  use(chains: AccessChains): void {
    this.#now = chains
  }

  /** An authorizer that always uses the current chain. */
  authorizer(): Authorizer {
    const current = () => this.#current().authorizer
    return {
      get modes() {
        return current().modes
      },
      authorize: access => current().authorize(access),
      rulesFor: (user, namespace) => current().rulesFor(user, namespace),
      allows: (user, verb, target) => current().allows(user, verb, target),
    }
  }

  /** Token authentication that always uses the current chain. */
  tokens(): TokenAuthentication {
    const current = () => this.#current().authenticators
    return {
      get serverAudiences() {
        return current().serverAudiences
      },
      authenticateToken: (token, audiences) => current().authenticateToken(token, audiences),
    }
  }

  #current(): AccessChains {
    if (!this.#now) throw new Error('authenticators and authorizers are available once all services are built')
    return this.#now
  }
}

type Equipped = ReturnType<ReturnType<typeof withServices>>

function sameOr<C>(before: Made<C> | undefined, equipped: readonly Equipped[], make: () => C): Made<C> {
  const parts = equipped.flatMap(({ definition, services }) => [definition, ...Object.values(services)])
  const isSame = before?.parts.length === parts.length && before.parts.every((part, index) => part === parts[index])
  return isSame ? before : { chain: make(), parts }
}
