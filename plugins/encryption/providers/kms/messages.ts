/** Version 2 of the KMS plugin API, and the stored message, as in the reference's api.proto. */
import { parse } from 'protobufjs'

const definitions = `
syntax = "proto3";
package v2;
message StatusRequest {}
message StatusResponse { string version = 1; string healthz = 2; string key_id = 3; }
message DecryptRequest { bytes ciphertext = 1; string uid = 2; string key_id = 3; map<string, bytes> annotations = 4; }
message DecryptResponse { bytes plaintext = 1; }
message EncryptRequest { bytes plaintext = 1; string uid = 2; }
message EncryptResponse { bytes ciphertext = 1; string key_id = 2; map<string, bytes> annotations = 3; }
message EncryptedObject {
  bytes encrypted_data = 1; string key_id = 2; bytes encrypted_dek_source = 3; map<string, bytes> annotations = 4;
  int32 encrypted_dek_source_type = 5;
}
`
const { root } = parse(definitions)

export interface StatusResponse {
  readonly version: string
  readonly healthz: string
  readonly keyId: string
}
export type Annotations = Readonly<Record<string, Buffer>>
export interface DecryptRequest {
  readonly ciphertext: Buffer
  readonly uid: string
  readonly keyId: string
  readonly annotations: Annotations
}
export interface DecryptResponse {
  readonly plaintext: Buffer
}
export interface EncryptRequest {
  readonly plaintext: Buffer
  readonly uid: string
}
export interface EncryptResponse {
  readonly ciphertext: Buffer
  readonly keyId: string
  readonly annotations: Annotations
}

interface Codec<T> {
  encode(message: T): Buffer
  decode(bytes: Buffer): T
}
function codec<T>(name: string): Codec<T> {
  const type = root.lookupType(`v2.${name}`)
  return {
    encode: message => Buffer.from(type.encode(message as object).finish()),
    decode: bytes => type.decode(bytes) as T,
  }
}

/** A method of a KMS plugin. */
export interface KmsMethod<Request, Response> {
  readonly path: string
  readonly request: Codec<Request>
  readonly response: Codec<Response>
}
const method = <Request, Response>(name: string): KmsMethod<Request, Response> => ({
  path: `/v2.KeyManagementService/${name}`,
  request: codec(`${name}Request`),
  response: codec(`${name}Response`),
})
export const kmsMethods = {
  status: method<object, StatusResponse>('Status'),
  encrypt: method<EncryptRequest, EncryptResponse>('Encrypt'),
  decrypt: method<DecryptRequest, DecryptResponse>('Decrypt'),
}

/** The content of encryptedDekSource: the key itself, or a seed from which a key is derived for each value. */
export const sourceTypes = { key: 0, seed: 1 } as const

/** An encrypted value, with the data encryption key, which the plugin encrypted. */
export interface EncryptedObject {
  readonly encryptedData: Buffer
  readonly keyId: string
  readonly encryptedDekSource: Buffer
  readonly annotations: Annotations
  readonly encryptedDekSourceType: number
}
export const encryptedObjects = codec<EncryptedObject>('EncryptedObject')
