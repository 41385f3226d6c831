import { randomUUID } from 'node:crypto'
import { Client, credentials, type ServiceError, status } from '@grpc/grpc-js'
import type { Histogram, Metrics } from 'orch/sdk'
import { KeyUnavailable } from '../value-key.js'
import { type EncryptedObject, type EncryptResponse, type KmsMethod, kmsMethods } from './messages.js'

/** The limits of the reference: these are part of every stored value. */
const maxKeyIdBytes = 1024
const maxCiphertextBytes = 1024
const maxAnnotationBytes = 32 * 1024
/** Codes of permanent failures. After others, a retry may succeed. */
const finalCodes: readonly status[] = [
  status.INVALID_ARGUMENT,
  status.NOT_FOUND,
  status.FAILED_PRECONDITION,
  status.OUT_OF_RANGE,
  status.DATA_LOSS,
]
/** From a tenth of a millisecond, doubling, to about a minute. */
const latencyBuckets = Array.from({ length: 20 }, (_, power) => 1e-4 * 2 ** power)

/** Calls a KMS plugin on a Unix socket. Its errors name the plugin and the reason; KeyUnavailable if a retry may succeed. */
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
      'Latency of KMS plugins, in seconds.',
      ['provider_name', 'method_name', 'grpc_status_code'],
      latencyBuckets,
    )
    this.#client = new Client(endpoint, credentials.createInsecure(), {
      'grpc.initial_reconnect_backoff_ms': 200,
      'grpc.max_reconnect_backoff_ms': 2000,
    })
  }

  /** The id of the key that the plugin currently encrypts with. */
  async keyId(): Promise<string> {
    const { version, healthz, keyId } = await this.#ask(kmsMethods.status, {})
    if (version !== 'v2' && version !== 'v2beta1') throw this.#failure(`has version "${version}", not v2`)
    if (healthz !== 'ok') throw this.#failure(`reports that it is unhealthy: ${healthz}`)
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
    throw this.#failure(`has a key id of ${length} bytes; 1 to ${maxKeyIdBytes} are allowed`)
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
        // gRPC appends an empty resolution note.
        const details = error?.details.split('Resolution note:', 1)[0]?.trim()
        const { message } = this.#failure(`does not answer: ${details || error?.message || 'no answer'}`)
        reject(finalCodes.includes(error?.code ?? status.UNKNOWN) ? new Error(message) : new KeyUnavailable(message))
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
