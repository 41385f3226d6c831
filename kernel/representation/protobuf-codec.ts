import type { ApiObject } from 'orch/sdk'
import type { StatusBody } from '../http/write-status.js'
import type { CompiledVersion, ResourceType } from '../resources/resource-type.js'

/** The Protobuf form of objects, as the verbs need it. */
export interface ProtobufCodec {
  canEncode(version: CompiledVersion): boolean
  encodeObject(kind: string, version: CompiledVersion, object: ApiObject): Buffer
  decodeObject(body: Buffer, type: ResourceType, version: CompiledVersion): ApiObject
  decodeDeleteOptions(body: Buffer): Record<string, unknown>
  encodeStatus(status: StatusBody): Buffer
  listEncoder(type: ResourceType, version: CompiledVersion): ListEncoder
  /** A frame of a watch stream. */
  encodeWatchEvent(eventType: string, kind: string, version: CompiledVersion, object: ApiObject): Buffer
  encodeErrorEvent(status: StatusBody): Buffer
}

export interface ListEncoder {
  add(object: ApiObject): void
  finish(metadata: object): Buffer[]
}
