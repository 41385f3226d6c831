import { createHash, createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { type Clock, ExpiringCache, isPromise, type Logger, type Metrics } from 'orch/sdk'
import { StorageError } from 'orch/sdk/host'
import { openWithAesGcm, sealWithAesGcm } from '../aes-gcm.js'
import { KeyUnavailable, type ValueKey } from '../value-key.js'
import { KmsClient } from './kms-client.js'
import { type EncryptedObject, encryptedObjects, sourceTypes } from './messages.js'

const seedBytes = 32
const infoBytes = 32
/** How often the plugin is polled for its health and its key; more often after a failure. */
const pollEveryMs = 60_000
const retryMs = 10_000
/** How long the seed may be used for writes while the plugin does not respond. */
const trustedMs = 180_000
/** How long decrypted seeds are cached, and how many. */
const seedCacheMs = 3_600_000
const maxCachedSeeds = 1000
/** How long a failure is cached, so that a list of a thousand values does not wait for the plugin a thousand times. */
const unavailableCacheMs = 1000

/** The seed that this process encrypts with, plain and encrypted by the plugin. */
interface OwnSeed {
  readonly seed: Buffer
  readonly stored: Omit<EncryptedObject, 'encryptedData'>
  trustedUntil: number
}

export interface KmsKeyOptions {
  readonly prefix: string
  readonly name: string
  readonly endpoint: string
  readonly timeoutMs: number
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics?: Metrics
}

/**
 * Envelope encryption: values are encrypted with keys derived from a seed. The seed is stored with each value, encrypted by the
 * KMS plugin, which alone can decrypt it. So the plugin is called once for each seed, not for each value.
 */
export class KmsKey implements ValueKey {
  readonly prefix: string
  readonly #options: KmsKeyOptions
  readonly #client: KmsClient
  readonly #opened: ExpiringCache<Buffer>
  readonly #unavailable: ExpiringCache<KeyUnavailable>
  readonly #opening = new Map<string, Promise<Buffer>>()
  #own: OwnSeed | undefined
  #problem: Error | undefined
  #isClosed = false
  #cancel = () => {}

  constructor(options: KmsKeyOptions) {
    this.prefix = options.prefix
    this.#options = options
    this.#client = new KmsClient(options.name, options.endpoint, options.timeoutMs, options.metrics)
    this.#opened = new ExpiringCache(options.clock, maxCachedSeeds)
    this.#unavailable = new ExpiringCache(options.clock, maxCachedSeeds)
  }

  /** Starts polling the plugin. Rejects if the first call fails; polling continues in any case. */
  async start(): Promise<void> {
    await this.#refresh()
    if (this.#problem) throw this.#problem
  }
  /** The error of the last call, if it failed. */
  get problem(): Error | undefined {
    return this.#problem
  }
  /** Whether this is the plugin that these options describe. */
  isOf({ prefix, endpoint, timeoutMs }: KmsKeyOptions): boolean {
    return this.prefix === prefix && this.#options.endpoint === endpoint && this.#options.timeoutMs === timeoutMs
  }
  close(): void {
    this.#isClosed = true
    this.#cancel()
    this.#client.close()
    this.#own = undefined
  }

  seal(plain: Buffer, context: Buffer): Buffer {
    const own = this.#own
    if (this.#isClosed) throw new StorageError('unavailable', 'the store is closed')
    if (own === undefined || own.trustedUntil < this.#options.clock.now()) {
      const why = this.#problem?.message ?? `the KMS plugin "${this.#options.name}" has not responded yet`
      throw new StorageError('sealed', `nothing can be encrypted: ${why}`)
    }
    const info = randomBytes(infoBytes)
    const encryptedData = Buffer.concat([info, sealWithAesGcm(derivedKey(own.seed, info), plain, context)])
    return encryptedObjects.encode({ ...own.stored, encryptedData })
  }

  open(sealed: Buffer, context: Buffer): Buffer | Promise<Buffer> {
    const value = encryptedObjects.decode(Buffer.from(sealed))
    const source = this.#sourceOf(value)
    if (!isPromise(source)) return openValue(value, source, context)
    return source.then(later => {
      const opened = openValue(value, later, context)
      // Cached only now: a wrong response of the plugin would otherwise stay until it expires.
      this.#opened.set(idOf(value), later, seedCacheMs)
      return opened
    })
  }

  isOutdated(sealed: Buffer): boolean {
    return this.#own !== undefined && encryptedObjects.decode(sealed).keyId !== this.#own.stored.keyId
  }

  #sourceOf(value: EncryptedObject): Buffer | Promise<Buffer> {
    const own = this.#own
    if (own?.stored.encryptedDekSource.equals(value.encryptedDekSource)) return own.seed
    const id = idOf(value)
    const known = this.#opened.get(id)
    if (known) return known
    const unavailable = this.#unavailable.get(id)
    if (unavailable) throw unavailable
    let asked = this.#opening.get(id)
    if (asked === undefined) {
      asked = this.#client.decrypt(value).finally(() => this.#opening.delete(id))
      this.#opening.set(id, asked)
      asked.catch((error: unknown) => {
        if (error instanceof KeyUnavailable) this.#unavailable.set(id, error, unavailableCacheMs)
      })
    }
    return asked
  }

  /** Records when the plugin last reported this key. The id is hashed, because it may be confidential. */
  #recordKeyId(keyId: string): void {
    const { metrics, clock, name } = this.#options
    const key_id_hash = `sha256:${createHash('sha256').update(keyId).digest('hex')}`
    metrics
      ?.gauge(
        'apiserver_envelope_encryption_key_id_hash_status_last_timestamp_seconds',
        'When a KMS plugin last reported this key.',
        ['provider_name', 'key_id_hash'],
      )
      .set(clock.now() / 1000, { provider_name: name, key_id_hash })
  }

  /** A new key of the plugin requires a new seed; otherwise the current one is kept. */
  async #refresh(): Promise<void> {
    const { clock, logger, name } = this.#options
    try {
      const keyId = await this.#client.keyId()
      this.#recordKeyId(keyId)
      if (this.#own?.stored.keyId !== keyId) {
        const seed = randomBytes(seedBytes)
        const { ciphertext: encryptedDekSource, keyId: usedKey, annotations } = await this.#client.encrypt(seed)
        const stored = { keyId: usedKey, encryptedDekSource, annotations, encryptedDekSourceType: sourceTypes.seed }
        this.#own = { seed, stored, trustedUntil: 0 }
      }
      this.#own.trustedUntil = clock.now() + trustedMs
      if (this.#problem) logger.info('the KMS plugin responds again', { plugin: name })
      this.#problem = undefined
    } catch (error) {
      if (!this.#problem && !this.#isClosed)
        logger.error('the KMS plugin failed and is retried', { plugin: name, error })
      this.#problem = error as Error
    }
    if (!this.#isClosed) this.#cancel = clock.after(this.#problem ? retryMs : pollEveryMs, () => void this.#refresh())
  }
}

const idOf = ({ encryptedDekSource, keyId }: EncryptedObject): string =>
  `${encryptedDekSource.toString('latin1')} ${keyId}`

/** HKDF-Expand of RFC 5869 with SHA-256: the first block is the key. */
const derivedKey = (seed: Buffer, info: Buffer): KeyObject =>
  createSecretKey(createHmac('sha256', seed).update(info).update('\x01').digest())

function openValue(value: EncryptedObject, source: Buffer, context: Buffer): Buffer {
  const { encryptedData, encryptedDekSourceType } = value
  const data = Buffer.from(encryptedData)
  if (encryptedDekSourceType === sourceTypes.key) return openWithAesGcm(createSecretKey(source), data, context)
  return openWithAesGcm(derivedKey(source, data.subarray(0, infoBytes)), data.subarray(infoBytes), context)
}
