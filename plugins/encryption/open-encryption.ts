import { readFileSync } from 'node:fs'
import { FollowedFiles } from 'orch/sdk'
import { StorageError, type Store, type StoreLayerContext } from 'orch/sdk/host'
import { type ResourceConfiguration, readEncryptionConfiguration } from './configuration/encryption-configuration.js'
import { EncryptedStore } from './encrypted-store.js'
import { nameOfKey } from './envelope.js'
import { KeyRing, makeKeyRing } from './key-ring.js'
import type { EncryptionNames } from './names.js'
import { type Noted, NotedKeys } from './noted-keys.js'
import type { EncryptionOptions } from './options.js'
import type { KmsKey } from './providers/kms/kms-key.js'

export interface EncryptionParts extends StoreLayerContext {
  readonly options: EncryptionOptions
  readonly names: EncryptionNames
  readonly noted: Noted
  /** Told which keys count whenever they change. */
  readonly use: (ring: KeyRing) => void
}

/** Puts encryption before a store, as the configuration says, and follows what becomes of that. */
export async function openEncryption(store: Store, parts: EncryptionParts): Promise<Store> {
  const keys = new CurrentKeys(parts)
  await keys.open()
  const notes = new NotedKeys(store, parts.noted)
  return new EncryptedStore(store, { ring: () => keys.ring, notes, onClose: () => keys.close() })
}

/** The keys of the configuration, and of the next one once all its keys can be used. */
class CurrentKeys {
  readonly #parts: EncryptionParts
  #files: FollowedFiles<readonly ResourceConfiguration[]> | undefined
  #ring = new KeyRing([], [], new Set())
  #isOpen = false
  #isClosed = false

  constructor(parts: EncryptionParts) {
    this.#parts = parts
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
   * Takes a configuration when all its KMS plugins answer; the old one counts until then. A server whose plugin is not there yet
   * starts anyway: it is asked on, and until then says why it cannot write.
   */
  async #use(configuration: readonly ResourceConfiguration[]): Promise<void> {
    const before = this.#ring
    const ring = await this.#make(configuration)
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
    const { clock, logger, metrics, names, noted } = this.#parts
    const collections = new Set(noted.keys())
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
    const missing = missingKeys(ring, this.#parts.noted)
    for (const [prefix, collections] of missing) {
      this.#parts.logger.error('objects that were encrypted with a key that is missing cannot be read', {
        missing: nameOfKey(prefix),
        resources: collections.join(', '),
        remedy: 'bring the key back into --encryption-provider-config; nothing is lost until then',
      })
    }
  }
}

/** Keys that objects may be encrypted with, as the store says, and that are not there; and for which resources. */
function missingKeys(ring: KeyRing, noted: Noted): Map<string, string[]> {
  const missing = new Map<string, string[]>()
  for (const [collection, prefixes] of noted) {
    const [group = '', resource = ''] = collection.split('/')
    for (const prefix of prefixes) {
      if (ring.of(`${collection}/`)?.find(prefix)) continue
      missing.set(prefix, [...(missing.get(prefix) ?? []), group === '' ? resource : `${resource}.${group}`])
    }
  }
  return missing
}
