import { ApiError, type ApiObject, defineController, type Stored } from 'orch/sdk'
import { type Client, unlessLost } from 'orch/sdk/client'
import { type LoopCaches, loopNeeds, splitKey, startControlLoop } from 'orch/sdk/controllers'
import type { Secret } from 'orch/sdk/core'
import { dnsSubdomainMaxLength } from 'orch/sdk/validation'
import { accountKeys } from '../account-tokens/account-keys.js'
import { legacyPayload } from '../account-tokens/legacy-claims.js'
import { signToken } from '../account-tokens/sign-token.js'
import type { AuthenticationNames } from '../names.js'
import { randomSuffix, suffixLength } from '../random-suffix.js'
import type { StoredServiceAccount } from '../service-accounts/schema.js'
import { rootCa } from './root-ca.js'
import { completed, isTokenOf, type TokenContents } from './token-secret.js'

const name = 'serviceaccount-token'
const workers = 4

/**
 * Fills token Secrets of service accounts, and deletes orphaned ones. With `createsSecrets` every account gets such a
 * Secret.
 */
export const accountTokensLoop = (names: AuthenticationNames, createsSecrets: boolean) =>
  defineController({
    name,
    rules: [
      { verbs: ['create', 'delete', 'get', 'update'], apiGroups: [''], resources: ['secrets'] },
      { verbs: ['get', 'update'], apiGroups: [''], resources: ['serviceaccounts'] },
    ],
    needs: {
      ...loopNeeds,
      keys: accountKeys,
      rootCa,
    },
    async start({ keys, rootCa: readRootCa, ...runtime }) {
      const { legacySigning } = keys()
      const contents: TokenContents = {
        rootCaPem: readRootCa(),
        sign: claims => signToken(legacyPayload(claims, names), legacySigning),
      }
      const tokens = new AccountTokens(runtime.client, names, contents, createsSecrets)
      const accountSource = { resource: names.accounts }
      const secretSource = { resource: names.secrets, fieldSelector: `type=${names.tokenSecretType}` }
      const cacheOnly = { keys: () => [] }
      const stops = [
        await startControlLoop({
          ...runtime,
          name,
          workers,
          sources: [accountSource, { ...secretSource, ...cacheOnly }],
          reconcile: (key, caches) => tokens.ensureToken(key, caches),
        }),
        await startControlLoop({
          ...runtime,
          name: `${name}-secret`,
          workers,
          sources: [secretSource, { ...accountSource, ...cacheOnly }],
          reconcile: (key, caches) => tokens.reconcileSecret(key, caches),
        }),
      ]
      return async () => void (await Promise.all(stops.map(stop => stop())))
    },
  })

class AccountTokens {
  readonly #client: Client
  readonly #names: AuthenticationNames
  readonly #contents: TokenContents
  readonly #createsSecrets: boolean

  constructor(client: Client, names: AuthenticationNames, contents: TokenContents, createsSecrets: boolean) {
    this.#client = client
    this.#names = names
    this.#contents = contents
    this.#createsSecrets = createsSecrets
  }

  /** Adds a token Secret to an account that has none, and deletes those of a deleted account. */
  async ensureToken(key: string, caches: LoopCaches): Promise<void> {
    const { namespace, name: accountName } = splitKey(key)
    const { accounts, secrets } = this.#names
    const cached = caches.of<StoredServiceAccount>(accounts).get(namespace, accountName)
    const known = caches.of<Stored<Secret>>(secrets).list(namespace)
    const named = known.filter(({ metadata }) => metadata.annotations?.[this.#names.accountName] === accountName)
    // The account may have been recreated: tokens of its predecessor are orphans.
    const orphans = cached ? named.filter(secret => !isTokenOf(secret, cached, this.#names)) : named
    for (const secret of orphans) await this.#deleteUnlessOwned(secret)
    if (!this.#createsSecrets || !cached || hasToken(cached, known, this.#names)) return
    // The caches may lag behind the last write of this loop, so the API decides.
    const account = await this.#accounts(namespace).find(accountName)
    if (!account || account.metadata.deletionTimestamp) return
    const referenced = await Promise.all(
      (account.secrets ?? []).map(one => this.#secrets(namespace).find(one.name ?? '')),
    )
    const live = referenced.filter(secret => secret !== undefined)
    if (!hasToken(account, live, this.#names)) await this.#addToken(account)
  }

  /**
   * Fills a token Secret, or deletes it when it has no account; a deleted one is removed from the list of its account.
   */
  async reconcileSecret(key: string, caches: LoopCaches): Promise<void> {
    const { namespace, name: secretName } = splitKey(key)
    const secret = caches.of<Stored<Secret>>(this.#names.secrets).get(namespace, secretName)
    if (!secret) {
      const holders = caches.of<StoredServiceAccount>(this.#names.accounts).list(namespace).filter(refersTo(secretName))
      for (const { metadata } of holders) await this.#removeReference(namespace, metadata.name ?? '', secretName)
      return
    }
    const account = await this.#deleteUnlessOwned(secret)
    if (!account) return
    const filled = await completed(secret, account, this.#names, this.#contents)
    if (filled) await unlessLost(this.#secrets(namespace).update(filled))
  }

  async #addToken(account: StoredServiceAccount): Promise<void> {
    const { namespace = '', name: accountName = '', uid = '' } = account.metadata
    const { accountName: nameKey, accountUid: uidKey, tokenSecretType } = this.#names
    const empty: Stored<Secret> = {
      metadata: { name: generatedName(accountName), namespace, annotations: { [nameKey]: accountName, [uidKey]: uid } },
      type: tokenSecretType,
    }
    const filled = await completed(empty, account, this.#names, this.#contents)
    const created = await unlessLost(this.#secrets(namespace).create(filled ?? empty))
    if (!created) return
    const secrets = [...(account.secrets ?? []), { name: created.metadata.name ?? '' }]
    try {
      await this.#accounts(namespace).update({ ...account, secrets })
    } catch (error) {
      // No account lists the new Secret, so it must be deleted; a conflict is retried with the current account.
      await unlessLost(this.#delete(created))
      if (!(error instanceof ApiError && error.code === 404)) throw error
    }
  }

  /** The account of a token Secret; a Secret without one is deleted. */
  async #deleteUnlessOwned(secret: Stored<Secret>): Promise<StoredServiceAccount | undefined> {
    const { namespace = '', annotations = {} } = secret.metadata
    const account = await this.#accounts(namespace).find(annotations[this.#names.accountName] ?? '')
    if (account && isTokenOf(secret, account, this.#names)) return account
    await unlessLost(this.#delete(secret))
    return undefined
  }
  async #removeReference(namespace: string, accountName: string, secretName: string): Promise<void> {
    if (await this.#secrets(namespace).find(secretName)) return
    const account = await this.#accounts(namespace).find(accountName)
    if (!account || !refersTo(secretName)(account)) return
    const secrets = (account.secrets ?? []).filter(one => one.name !== secretName)
    await unlessLost(this.#accounts(namespace).update({ ...account, secrets }))
  }
  #delete({ metadata }: Stored<Secret>): Promise<unknown> {
    const { namespace = '', name: secretName = '', uid } = metadata
    return this.#secrets(namespace).delete(secretName, uid ? { preconditions: { uid } } : {})
  }
  #accounts(namespace: string) {
    return this.#client.resource<StoredServiceAccount & ApiObject>(this.#names.accounts).in(namespace)
  }
  #secrets(namespace: string) {
    return this.#client.resource<Stored<Secret>>(this.#names.secrets).in(namespace)
  }
}

const refersTo =
  (secretName: string) =>
  ({ secrets = [] }: StoredServiceAccount): boolean =>
    secrets.some(one => one.name === secretName)

const hasToken = (
  account: StoredServiceAccount,
  secrets: readonly Stored<Secret>[],
  names: AuthenticationNames,
): boolean => secrets.some(secret => refersTo(secret.metadata.name ?? '')(account) && isTokenOf(secret, account, names))

const generatedName = (accountName: string): string =>
  `${accountName}-token-`.slice(0, dnsSubdomainMaxLength - suffixLength) + randomSuffix()
