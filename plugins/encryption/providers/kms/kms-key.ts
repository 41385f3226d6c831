import { createHash, createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { type Clock, ExpiringCache, isPromise, type Logger, type Metrics } from 'orch/sdk'
import { StorageError } from 'orch/sdk/host'
import { openWithAesGcm, sealWithAesGcm } from '../aes-gcm.js'
import { KeyAway, type ValueKey } from '../value-key.js'
import { KmsClient } from './kms-client.js'
import { type EncryptedObject, encryptedObjects, sourceTypes } from './messages.js'

const seedBytes = 32
const infoBytes = 32
/** How often the plugin is asked for its health and its key; sooner when that failed. */
const askEveryMs = 60_000
const askAgainMs = 10_000
/** So long a plugin that does not answer may be gone before nothing is written any more. */
const trustedMs = 180_000
/** How long a seed is remembered that the plugin decrypted, and how many. */
const rememberedMs = 3_600_000
const maxRemembered = 1000
/** How long it is remembered that the plugin did not answer: a list of a thousand values does not wait for it a thousand times. */
const awayMs = 1000

/** What this process encrypts with: a seed of its own, and what the plugin made of it. */
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
 * Envelope encryption: values are sealed with keys derived from a seed that only the KMS plugin can decrypt, and that is stored
 * beside each value as the plugin encrypted it. So the plugin is asked once for each seed, not for each value.
 */
export class KmsKey implements ValueKey {
  readonly prefix: string
  readonly #options: KmsKeyOptions
  readonly #client: KmsClient
  readonly #opened: ExpiringCache<Buffer>
  readonly #away: ExpiringCache<KeyAway>
  readonly #opening = new Map<string, Promise<Buffer>>()
  #own: OwnSeed | undefined
  #problem: Error | undefined
  #isClosed = false
  #cancel = () => {}

  constructor(options: KmsKeyOptions) {
    this.prefix = options.prefix
    this.#options = options
    this.#client = new KmsClient(options.name, options.endpoint, options.timeoutMs, options.metrics)
    this.#opened = new ExpiringCache(options.clock, maxRemembered)
    this.#away = new ExpiringCache(options.clock, maxRemembered)
  }

  /** Asks the plugin for the first time, and then again and again. Rejects when it does not answer; it is asked on. */
  async start(): Promise<void> {
    await this.#refresh()
    if (this.#problem) throw this.#problem
  }
  /** What went wrong when the plugin was last asked. */
  get problem(): Error | undefined {
    return this.#problem
  }
  /** Is this the plugin that these options describe? */
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
      const why = this.#problem?.message ?? `the KMS plugin "${this.#options.name}" has not answered yet`
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
      this.#opened.set(idOf(value), later, rememberedMs)
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
    const away = this.#away.get(id)
    if (away) throw away
    let asked = this.#opening.get(id)
    if (asked === undefined) {
      asked = this.#client.decrypt(value).finally(() => this.#opening.delete(id))
      this.#opening.set(id, asked)
      asked.catch((error: unknown) => {
        if (error instanceof KeyAway) this.#away.set(id, error, awayMs)
      })
    }
    return asked
  }

  /** When the plugin last named which key; the name itself may reveal more than metrics should. */
  #tellKey(keyId: string): void {
    const { metrics, clock, name } = this.#options
    const key_id_hash = `sha256:${createHash('sha256').update(keyId).digest('hex')}`
    metrics
      ?.gauge(
        'apiserver_envelope_encryption_key_id_hash_status_last_timestamp_seconds',
        'When a KMS plugin last said that it encrypts with this key.',
        ['provider_name', 'key_id_hash'],
      )
      .set(clock.now() / 1000, { provider_name: name, key_id_hash })
  }

  /** A new key of the plugin means a new seed; otherwise the one that is there goes on. */
  async #refresh(): Promise<void> {
    const { clock, logger, name } = this.#options
    try {
      const keyId = await this.#client.keyId()
      this.#tellKey(keyId)
      if (this.#own?.stored.keyId !== keyId) {
        const seed = randomBytes(seedBytes)
        const { ciphertext: encryptedDekSource, keyId: usedKey, annotations } = await this.#client.encrypt(seed)
        const stored = { keyId: usedKey, encryptedDekSource, annotations, encryptedDekSourceType: sourceTypes.seed }
        this.#own = { seed, stored, trustedUntil: 0 }
      }
      this.#own.trustedUntil = clock.now() + trustedMs
      if (this.#problem) logger.info('the KMS plugin answers again', { plugin: name })
      this.#problem = undefined
    } catch (error) {
      if (!this.#problem && !this.#isClosed) logger.error('the KMS plugin is asked again soon', { plugin: name, error })
      this.#problem = error as Error
    }
    if (!this.#isClosed) this.#cancel = clock.after(this.#problem ? askAgainMs : askEveryMs, () => void this.#refresh())
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
