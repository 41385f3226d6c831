import { timingSafeEqual } from 'node:crypto'
import type { ApiObject, Cache, Caches, Clock, Stored } from 'orch/sdk'
import type { Secret } from 'orch/sdk/core'
import type { AuthenticationNames } from '../names.js'
import type { StoredServiceAccount } from '../service-accounts/schema.js'
import type { BoundClaims, BoundTo } from './bound-claims.js'
import type { LegacyClaims } from './legacy-claims.js'

/** An object that is being deleted still counts for this long, so that a terminating Pod can finish its requests. */
const deletionLeewayMs = 60_000

/**
 * Looks up whether the objects that tokens depend on still exist: in caches, which include every write of this server.
 */
export class TokenLookup {
  readonly #accounts: Cache<StoredServiceAccount & ApiObject>
  readonly #secrets: Cache<Stored<Secret>>
  readonly #pods: () => Cache
  readonly #nodes: () => Cache
  readonly #clock: Clock

  constructor(caches: Caches, clock: Clock, { accounts, secrets, pods, nodes }: AuthenticationNames) {
    this.#accounts = caches.of<StoredServiceAccount & ApiObject>(accounts)
    this.#secrets = caches.of<Stored<Secret>>(secrets)
    // There may be very many Pods; they are cached from the first token that is bound to one.
    this.#pods = () => caches.of(pods)
    this.#nodes = () => caches.of(nodes)
    this.#clock = clock
  }

  async ready(): Promise<void> {
    await Promise.all([this.#accounts.ready(), this.#secrets.ready()])
  }
  async readyFor({ pod, node }: BoundClaims): Promise<void> {
    await this.ready()
    if (pod) await this.#pods().ready()
    else if (node) await this.#nodes().ready()
  }

  /** Why a bound token is no longer valid; undefined when it is. */
  problemWithBound({ namespace, account, secret, pod, node }: BoundClaims): string | undefined {
    return (
      this.#problemWith('service account', this.#accounts.get(namespace, account.name), account) ??
      (secret && this.#problemWith('Secret', this.#secrets.get(namespace, secret.name), secret)) ??
      (pod && this.#problemWith('Pod', this.#pods().get(namespace, pod.name), pod)) ??
      // For a token bound to a Pod, the node is only informative.
      (node && !pod ? this.#problemWith('Node', this.#nodes().get('', node.name), node) : undefined)
    )
  }

  /** The same for the token of a Secret, which must be the one that the Secret holds. */
  problemWithLegacy(
    { namespace, accountName, accountUid, secretName }: LegacyClaims,
    token: Buffer,
  ): string | undefined {
    const secret = this.#secrets.get(namespace, secretName)
    if (!secret || secret.metadata.deletionTimestamp) return 'the token has been invalidated'
    const held = Buffer.from(secret.data?.['token'] ?? '', 'base64')
    if (held.length !== token.length || !timingSafeEqual(held, token)) return 'the token is not the one in its Secret'
    const account = this.#accounts.get(namespace, accountName)
    if (!account || account.metadata.deletionTimestamp) return 'the service account has been deleted'
    return account.metadata.uid === accountUid ? undefined : 'the service account has been deleted and recreated'
  }

  secret(namespace: string, name: string): Stored<Secret> | undefined {
    return this.#secrets.get(namespace, name)
  }
  /** Whether the account lists the Secret, as it does if the Secret was created automatically. */
  listsSecret({ namespace, accountName, secretName }: LegacyClaims): boolean {
    const { secrets = [] } = this.#accounts.get(namespace, accountName) ?? {}
    return secrets.some(({ name }) => name === secretName)
  }

  #problemWith(what: string, object: ApiObject | undefined, { uid }: Partial<BoundTo>): string | undefined {
    if (!object) return `the ${what} of the token does not exist`
    const { deletionTimestamp } = object.metadata
    if (deletionTimestamp && Date.parse(deletionTimestamp) < this.#clock.now() - deletionLeewayMs)
      return `the ${what} of the token has been deleted`
    return object.metadata.uid === uid ? undefined : `the ${what} of the token has been deleted and recreated`
  }
}
