import { randomUUID } from 'node:crypto'
import { Client, credentials, type ServiceError, status } from '@grpc/grpc-js'
import type { Histogram, Metrics } from 'orch/sdk'
import { KeyAway } from '../value-key.js'
import { type EncryptedObject, type EncryptResponse, type KmsMethod, kmsMethods } from './messages.js'

/** As the reference: more would make every stored value large. */
const maxKeyIdBytes = 1024
const maxCiphertextBytes = 1024
const maxAnnotationBytes = 32 * 1024
/** With these a plugin says that it will never decrypt this. With others it is away, or busy, or answers nonsense. */
const finalCodes: readonly status[] = [
  status.INVALID_ARGUMENT,
  status.NOT_FOUND,
  status.FAILED_PRECONDITION,
  status.OUT_OF_RANGE,
  status.DATA_LOSS,
]
/** From a tenth of a millisecond, by doubling, to about a minute. */
const latencyBuckets = Array.from({ length: 20 }, (_, power) => 1e-4 * 2 ** power)

/** Talks to a KMS plugin on a Unix socket. What it throws says which plugin failed, and how; KeyAway if it may succeed later. */
export class KmsClient {
  readonly #name: string
  readonly #timeoutMs: number
  readonly #client: Client
  readonly #latency: Histogram | undefined

  constructor(name: string, endpoint: string, timeoutMs: number, metrics?: Metrics) {
    this.#name = name
    this.#timeoutMs = timeoutMs
    this.#latency = metrics?.histogram(
      'apiserver_envelope_encryption_kms_operations_latency_seconds',
      'How long KMS plugins took to answer, in seconds.',
      ['provider_name', 'method_name', 'grpc_status_code'],
      latencyBuckets,
    )
    this.#client = new Client(endpoint, credentials.createInsecure(), {
      'grpc.initial_reconnect_backoff_ms': 200,
      'grpc.max_reconnect_backoff_ms': 2000,
    })
  }

  /** The key that the plugin encrypts with now. */
  async keyId(): Promise<string> {
    const { version, healthz, keyId } = await this.#ask(kmsMethods.status, {})
    if (version !== 'v2' && version !== 'v2beta1') throw this.#failure(`speaks version "${version}", not v2`)
    if (healthz !== 'ok') throw this.#failure(`says that it is not well: ${healthz}`)
    return this.#checkedKeyId(keyId)
  }
  async encrypt(plaintext: Buffer): Promise<EncryptResponse> {
    const answer = await this.#ask(kmsMethods.encrypt, { plaintext, uid: randomUUID() })
    this.#checkedKeyId(answer.keyId)
    if (answer.ciphertext.length === 0 || answer.ciphertext.length > maxCiphertextBytes)
      throw this.#failure(
        `encrypted a key to ${answer.ciphertext.length} bytes; 1 to ${maxCiphertextBytes} are allowed`,
      )
    const bytes = Object.entries(answer.annotations).reduce((sum, [name, value]) => sum + name.length + value.length, 0)
    if (bytes > maxAnnotationBytes)
      throw this.#failure(`sent annotations of ${bytes} bytes; ${maxAnnotationBytes} are allowed`)
    return answer
  }
  async decrypt(value: EncryptedObject): Promise<Buffer> {
    const { encryptedDekSource: ciphertext, keyId, annotations } = value
    return (await this.#ask(kmsMethods.decrypt, { ciphertext, keyId, annotations, uid: randomUUID() })).plaintext
  }
  close(): void {
    this.#client.close()
  }

  #checkedKeyId(keyId: string): string {
    const length = Buffer.byteLength(keyId)
    if (length > 0 && length <= maxKeyIdBytes) return keyId
    throw this.#failure(`names its key with ${length} bytes; 1 to ${maxKeyIdBytes} are allowed`)
  }
  #failure(why: string): Error {
    return new Error(`the KMS plugin "${this.#name}" ${why}`)
  }
  #ask<Request, Response>(method: KmsMethod<Request, Response>, request: Request): Promise<Response> {
    const startedAt = performance.now()
    return new Promise((resolve, reject) => {
      const answered = (error: ServiceError | null, response?: Response) => {
        this.#latency?.observe((performance.now() - startedAt) / 1000, {
          provider_name: this.#name,
          method_name: method.path,
          grpc_status_code: status[error?.code ?? status.OK],
        })
        if (response !== undefined && error === null) return resolve(response)
        // gRPC leaves the beginning of a note at the end, where there is nothing to note.
        const details = error?.details.split('Resolution note:', 1)[0]?.trim()
        const { message } = this.#failure(`does not answer: ${details || error?.message || 'no answer'}`)
        reject(finalCodes.includes(error?.code ?? status.UNKNOWN) ? new Error(message) : new KeyAway(message))
      }
      this.#client.makeUnaryRequest<Request, Response>(
        method.path,
        message => method.request.encode(message),
        bytes => method.response.decode(bytes),
        request,
        { deadline: Date.now() + this.#timeoutMs },
        answered,
      )
    })
  }
}
