import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData, status } from '@grpc/grpc-js'
import { aesGcmKey } from '../providers/aes-gcm.js'
import type {
  DecryptRequest,
  DecryptResponse,
  EncryptRequest,
  EncryptResponse,
  StatusResponse,
} from '../providers/kms/messages.js'
import { type KmsMethod, kmsMethods } from '../providers/kms/messages.js'

/** A KMS plugin on a Unix socket, as operators run one. */
export interface KmsPlugin {
  readonly endpoint: string
  /** How often each method was called. */
  readonly calls: { status: number; encrypt: number; decrypt: number }
  /** Encrypts with a new key from now on; older ones still decrypt. */
  rotate(): void
  /** While it is set, decryption returns wrong data. */
  answersWrong: boolean
  /** Stops responding until it is started again. */
  stop(): Promise<void>
  start(): Promise<void>
  remove(): Promise<void>
}

export async function startKmsPlugin(): Promise<KmsPlugin> {
  const folder = mkdtempSync(join(tmpdir(), 'kms-'))
  const endpoint = `unix://${join(folder, 'kms.sock')}`
  const keys = [randomBytes(32)]
  const keyId = () => `key-${keys.length}`
  const calls = { status: 0, encrypt: 0, decrypt: 0 }
  const context = Buffer.from('kms')
  const asKey = (id: string) => aesGcmKey('', keys[Number(id.slice('key-'.length)) - 1] ?? Buffer.alloc(32))
  let server: Server | undefined

  const annotations = { 'plugin.example.com': Buffer.from('kept') }
  const methods = {
    status: (): StatusResponse => ({ version: 'v2', healthz: 'ok', keyId: keyId() }),
    encrypt: ({ plaintext }: EncryptRequest): EncryptResponse => ({
      ciphertext: asKey(keyId()).seal(Buffer.from(plaintext), context),
      keyId: keyId(),
      annotations,
    }),
    decrypt: (request: DecryptRequest): DecryptResponse => {
      if (String(request.annotations['plugin.example.com']) !== 'kept') throw new Error('the annotations are lost')
      if (plugin.answersWrong) return { plaintext: randomBytes(32) }
      return { plaintext: asKey(request.keyId).open(Buffer.from(request.ciphertext), context) as Buffer }
    },
  }
  const handler =
    <Request, Response>(name: keyof typeof calls, answer: (request: Request) => Response) =>
    ({ request }: ServerUnaryCall<Request, Response>, callback: sendUnaryData<Response>) => {
      calls[name]++
      try {
        callback(null, answer(request))
      } catch (error) {
        callback({ code: status.INVALID_ARGUMENT, details: (error as Error).message })
      }
    }
  const definition = <Request, Response>({ path, request, response }: KmsMethod<Request, Response>) => ({
    path,
    requestStream: false,
    responseStream: false,
    requestSerialize: request.encode,
    requestDeserialize: request.decode,
    responseSerialize: response.encode,
    responseDeserialize: response.decode,
  })

  const start = async () => {
    server = new Server()
    server.addService(
      {
        status: definition(kmsMethods.status),
        encrypt: definition(kmsMethods.encrypt),
        decrypt: definition(kmsMethods.decrypt),
      },
      {
        status: handler('status', methods.status),
        encrypt: handler('encrypt', methods.encrypt),
        decrypt: handler('decrypt', methods.decrypt),
      },
    )
    await new Promise<void>((resolve, reject) =>
      server!.bindAsync(endpoint, ServerCredentials.createInsecure(), error => (error ? reject(error) : resolve())),
    )
  }
  const stop = async () => {
    server?.forceShutdown()
    server = undefined
  }
  const plugin: KmsPlugin = {
    answersWrong: false,
    endpoint,
    calls,
    rotate: () => void keys.push(randomBytes(32)),
    stop,
    start,
    async remove() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await start()
  return plugin
}
