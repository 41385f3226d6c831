import { createHmac } from 'node:crypto'
import type { ProviderConfiguration, ResourceConfiguration } from './configuration/encryption-configuration.js'
import { isMatch } from './configuration/resource-patterns.js'
import { measuredKey } from './measured-key.js'
import { aesCbcKey } from './providers/aes-cbc.js'
import { aesGcmKey } from './providers/aes-gcm.js'
import type { KmsKey, KmsKeyOptions } from './providers/kms/kms-key.js'
import { secretboxKey } from './providers/secretbox.js'
import type { ValueKey } from './providers/value-key.js'

/** The encryption keys of a collection. */
export interface CollectionKeys {
  /** The key for writes; undefined for no encryption. */
  readonly write: ValueKey | undefined
  /** Whether unencrypted objects are allowed. */
  readonly readsPlain: boolean
  find(prefix: string): ValueKey | undefined
}

/** The keys of a configuration, by collection. */
export class KeyRing {
  /** For collections that have, or may have, encrypted objects and that the configuration does not name. */
  static readonly noKeys: CollectionKeys = { write: undefined, readsPlain: true, find: () => undefined }
  readonly #entries: readonly { readonly patterns: ResourceConfiguration['resources']; readonly keys: CollectionKeys }[]
  readonly #noted: ReadonlySet<string>
  readonly #known = new Map<string, CollectionKeys | undefined>()
  /** Keys that plugins outside of this process hold. */
  readonly kmsKeys: readonly KmsKey[]

  constructor(
    entries: readonly { patterns: ResourceConfiguration['resources']; keys: CollectionKeys }[],
    kmsKeys: readonly KmsKey[],
    noted: ReadonlySet<string>,
  ) {
    this.#entries = entries
    this.kmsKeys = kmsKeys
    this.#noted = noted
  }

  /** Undefined where nothing is encrypted. */
  of(key: string): CollectionKeys | undefined {
    const collection = collectionOf(key)
    if (collection === undefined) return undefined
    if (this.#known.has(collection)) return this.#known.get(collection)
    const found = this.#find(collection)
    // A key without a collection is not that of an object; there may be any number of them.
    if (collection !== key) this.#known.set(collection, found)
    return found
  }
  /** Whether there may be encrypted objects under this prefix. */
  isConcerned(prefix: string): boolean {
    return prefix.split('/').length < 3 || this.of(prefix) !== undefined
  }

  #find(collection: string): CollectionKeys | undefined {
    const entry = this.#entries.find(({ patterns }) => patterns.some(pattern => isMatch(pattern, collection)))
    return entry?.keys ?? (this.#noted.has(collection) ? KeyRing.noKeys : undefined)
  }
}

/** `group/resource` of a key. Internal records of the store have none. */
export function collectionOf(key: string): string | undefined {
  if (key.startsWith('.')) return undefined
  const end = key.indexOf('/', key.indexOf('/') + 1)
  return end < 0 ? key : key.slice(0, end)
}

export interface RingOptions extends Pick<KmsKeyOptions, 'clock' | 'logger' | 'metrics'> {
  /** The prefix of every encrypted value: `k8s:enc:`. */
  readonly mark: string
  /** Collections that hold encrypted objects, or did. */
  readonly noted: ReadonlySet<string>
  /** KMS plugins that are already in use are kept. */
  readonly before?: KeyRing | undefined
}

/** Creates the keys of a configuration. KMS plugins have to be started. */
export async function makeKeyRing(
  configuration: readonly ResourceConfiguration[],
  options: RingOptions,
): Promise<KeyRing> {
  const kmsKeys = new Map<string, KmsKey>()
  const entries = []
  for (const { resources, providers } of configuration) {
    const keys = new Map<string, ValueKey>()
    const [first] = providers
    for (const provider of providers)
      for (const key of await keysOf(provider, options, kmsKeys))
        keys.set(key.prefix, measuredKey(key, options.metrics))
    const [write] = first?.kind === 'identity' ? [] : keys.values()
    const readsPlain = providers.some(({ kind }) => kind === 'identity')
    entries.push({ patterns: resources, keys: { write, readsPlain, find: (prefix: string) => keys.get(prefix) } })
  }
  return new KeyRing(entries, [...kmsKeys.values()], options.noted)
}

async function keysOf(
  provider: ProviderConfiguration,
  { mark, clock, logger, metrics, before }: RingOptions,
  kmsKeys: Map<string, KmsKey>,
): Promise<readonly ValueKey[]> {
  if (provider.kind === 'identity') return []
  if (provider.kind === 'kms') {
    const { KmsKey } = await import('./providers/kms/kms-key.js')
    const { name, endpoint, timeoutMs } = provider
    const options = { prefix: `${mark}kms:v2:${name}:`, name, endpoint, timeoutMs, clock, logger, metrics }
    const id = JSON.stringify(provider)
    const key = kmsKeys.get(id) ?? before?.kmsKeys.find(each => each.isOf(options)) ?? new KmsKey(options)
    kmsKeys.set(id, key)
    return [key]
  }
  const make = { aesgcm: aesGcmKey, aescbc: aesCbcKey, secretbox: secretboxKey }[provider.kind]
  return provider.keys.map(({ name, secret }) => {
    const prefix = `${mark}${provider.kind}:v1:${name}:`
    return { ...make(prefix, secret), check: checkOf(prefix, secret) }
  })
}

/** A one-way hash, which is stored unencrypted. */
const checkOf = (prefix: string, secret: Buffer): string =>
  createHmac('sha256', secret).update(`check of the key ${prefix}`).digest('hex').slice(0, 32)
