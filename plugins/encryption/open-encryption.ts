import { ChangingFiles } from 'orch/sdk'
import { StorageError, type Store, type StoreLayerContext } from 'orch/sdk/host'
import { type ResourceConfiguration, readEncryptionConfiguration } from './configuration/encryption-configuration.js'
import { EncryptedStore } from './encrypted-store.js'
import { nameOfKey } from './envelope.js'
import { KeyRing, makeKeyRing } from './key-ring.js'
import type { EncryptionNames } from './names.js'
import { type Noted, NotedKeys } from './noted-keys.js'
import type { EncryptionOptions } from './options.js'
import type { KmsKey } from './providers/kms/kms-key.js'

/** How often the file is looked at. */
const lookEveryMs = 1000

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
  #file: ChangingFiles<readonly ResourceConfiguration[]> | undefined
  #used: readonly ResourceConfiguration[] = []
  #ring = new KeyRing([], [], new Set())
  #isChanging = false
  #isClosed = false
  #cancel = () => {}

  constructor(parts: EncryptionParts) {
    this.#parts = parts
  }
  get ring(): KeyRing {
    return this.#ring
  }

  async open(): Promise<void> {
    const { options, clock, logger } = this.#parts
    const path = options.encryptionProviderConfig
    if (path !== undefined) {
      const parse = ([text = '']: readonly string[]) => readEncryptionConfiguration(text, this.#parts.names.kinds)
      try {
        this.#file = new ChangingFiles({ what: 'the encryption configuration', paths: [path], parse, clock, logger })
      } catch (cause) {
        const why = cause instanceof Error ? cause.message : String(cause)
        throw new StorageError('unavailable', `--encryption-provider-config ${path}: ${why}`, { cause })
      }
    }
    this.#used = this.#file?.current() ?? []
    const ring = await this.#make(this.#used)
    // A server whose KMS plugin is not there yet starts anyway: it is asked on, and until then says why it cannot write.
    await Promise.all(ring.kmsKeys.map(key => key.start().catch(() => {})))
    this.#take(ring)
    if (this.#file && options.encryptionProviderConfigAutomaticReload) this.#lookAgain()
  }

  close(): void {
    this.#isClosed = true
    this.#cancel()
    for (const key of this.#ring.kmsKeys) key.close()
  }

  #lookAgain(): void {
    const next = this.#file!.current()
    if (next !== this.#used && !this.#isChanging) {
      this.#isChanging = true
      void this.#change(next).finally(() => {
        this.#isChanging = false
      })
    }
    this.#cancel = this.#parts.clock.after(lookEveryMs, () => this.#lookAgain())
  }

  /** Takes a new configuration when all its KMS plugins answer; the old one counts until then. */
  async #change(configuration: readonly ResourceConfiguration[]): Promise<void> {
    const { logger } = this.#parts
    const before = this.#ring
    const ring = await this.#make(configuration)
    const isNew = (key: KmsKey) => !before.kmsKeys.includes(key)
    try {
      await Promise.all(ring.kmsKeys.filter(isNew).map(key => key.start()))
      if (this.#isClosed) throw new Error('the store is closed')
    } catch (error) {
      for (const key of ring.kmsKeys.filter(isNew)) key.close()
      if (!this.#isClosed) logger.warn('the new encryption configuration is not used yet', { error })
      return
    }
    this.#used = configuration
    this.#take(ring)
    for (const key of before.kmsKeys) if (!ring.kmsKeys.includes(key)) key.close()
  }

  #make(configuration: readonly ResourceConfiguration[]): Promise<KeyRing> {
    const { clock, logger, names, noted } = this.#parts
    const collections = new Set(noted.keys())
    return makeKeyRing(configuration, { clock, logger, mark: names.mark, noted: collections, before: this.#ring })
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
