import { readFileSync } from 'node:fs'
import { FollowedFiles } from 'orch/sdk/files'
import { StorageError, type Store, type StoreLayerContext } from 'orch/sdk/host'
import { type ResourceConfiguration, readEncryptionConfiguration } from './configuration/encryption-configuration.js'
import { EncryptedStore } from './encrypted-store.js'
import { nameOfKey } from './envelope.js'
import { KeyRing, makeKeyRing } from './key-ring.js'
import type { EncryptionNames } from './names.js'
import { differentSecret, hasDifferentSecret, type Noted, NotedKeys, resourceOf } from './noted-keys.js'
import type { EncryptionOptions } from './options.js'
import type { KmsKey } from './providers/kms/kms-key.js'

export interface EncryptionParts extends StoreLayerContext {
  readonly options: EncryptionOptions
  readonly names: EncryptionNames
  readonly noted: Noted
  /** Called with the current keys whenever they change. */
  readonly use: (ring: KeyRing) => void
}

/** Wraps a store with encryption as configured, and watches the configuration. */
export async function openEncryption(store: Store, parts: EncryptionParts): Promise<Store> {
  const notes = new NotedKeys(store, parts.noted)
  const keys = new CurrentKeys(parts, notes)
  await keys.open()
  return new EncryptedStore(store, { ring: () => keys.ring, notes, onClose: () => keys.close() })
}

/** The keys of the current configuration. A new one replaces it once all its keys can be used. */
class CurrentKeys {
  readonly #parts: EncryptionParts
  readonly #notes: NotedKeys
  #files: FollowedFiles<readonly ResourceConfiguration[]> | undefined
  #ring = new KeyRing([], [], new Set())
  #isOpen = false
  #isClosed = false

  constructor(parts: EncryptionParts, notes: NotedKeys) {
    this.#parts = parts
    this.#notes = notes
  }
  get ring(): KeyRing {
    return this.#ring
  }

  async open(): Promise<void> {
    const { options, names } = this.#parts
    const path = options.encryptionProviderConfig
    const parse = ([text = '']: readonly string[]) => readEncryptionConfiguration(text, names.kinds)
    try {
      if (path === undefined) await this.#use([])
      else if (options.encryptionProviderConfigAutomaticReload) {
        const apply = (configuration: readonly ResourceConfiguration[]) => this.#use(configuration)
        const what = 'the encryption configuration'
        this.#files = new FollowedFiles({ ...this.#parts, what, paths: [path], parse, apply })
        await this.#files.start()
      } else await this.#use(parse([readFileSync(path, 'utf8')]))
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      throw new StorageError('unavailable', `--encryption-provider-config ${path}: ${why}`, { cause })
    }
    this.#isOpen = true
  }

  close(): void {
    this.#isClosed = true
    void this.#files?.stop()
    for (const key of this.#ring.kmsKeys) key.close()
  }

  /**
   * Uses a configuration once all its KMS plugins respond; the old one applies until then. At startup a server does not wait for
   * its plugins: they are polled, and until they respond, writes fail with the reason.
   */
  async #use(configuration: readonly ResourceConfiguration[]): Promise<void> {
    const before = this.#ring
    if (this.#isOpen) await this.#notes.reload()
    const ring = await this.#make(configuration)
    const [another] = differentSecrets(ring, this.#notes.noted)
    // New objects could not be distinguished from existing ones, and no configuration could have both keys.
    if (another !== undefined) throw new Error(`${another}: restore that one, and give a new key another name`)
    const isNew = (key: KmsKey) => !before.kmsKeys.includes(key)
    try {
      await Promise.all(
        ring.kmsKeys.filter(isNew).map(key => (this.#isOpen ? key.start() : key.start().catch(() => {}))),
      )
      if (this.#isClosed) throw new Error('the store is closed')
    } catch (error) {
      for (const key of ring.kmsKeys.filter(isNew)) key.close()
      throw error
    }
    this.#take(ring)
    for (const key of before.kmsKeys) if (!ring.kmsKeys.includes(key)) key.close()
  }

  #make(configuration: readonly ResourceConfiguration[]): Promise<KeyRing> {
    const { clock, logger, metrics, names } = this.#parts
    const collections = new Set(this.#notes.noted.keys())
    return makeKeyRing(configuration, {
      clock,
      logger,
      metrics,
      mark: names.mark,
      noted: collections,
      before: this.#ring,
    })
  }

  #take(ring: KeyRing): void {
    this.#ring = ring
    this.#parts.use(ring)
    const missing = missingKeys(ring, this.#notes.noted)
    for (const [prefix, collections] of missing) {
      this.#parts.logger.error('objects that were encrypted with a key that is missing cannot be read', {
        missing: nameOfKey(prefix),
        resources: collections.join(', '),
        remedy: 'restore the key in --encryption-provider-config; no data is lost',
      })
    }
  }
}

/** The recorded keys that the configuration does not have, with their resources. */
export function missingKeys(ring: KeyRing, noted: Noted): Map<string, string[]> {
  const missing = new Map<string, string[]>()
  for (const [collection, prefixes] of noted) {
    for (const prefix of prefixes.keys()) {
      if (ring.of(`${collection}/`)?.find(prefix)) continue
      missing.set(prefix, [...(missing.get(prefix) ?? []), resourceOf(collection)])
    }
  }
  return missing
}

/** An error message for each key whose secret differs from the recorded one. */
export function differentSecrets(ring: KeyRing, noted: Noted): string[] {
  return [...noted].flatMap(([collection, prefixes]) =>
    [...prefixes.keys()].flatMap(prefix => {
      const key = ring.of(`${collection}/`)?.find(prefix)
      return key && hasDifferentSecret(noted, collection, key) ? [differentSecret(collection, prefix)] : []
    }),
  )
}
