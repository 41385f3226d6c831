/** The part of etcd's gRPC API (v3) that the engine uses, as in etcd's rpc.proto and kv.proto. */
import { parse } from 'protobufjs'

const definitions = `
syntax = "proto3";
package etcdserverpb;
message ResponseHeader { uint64 cluster_id = 1; int64 revision = 3; }
message KeyValue {
  bytes key = 1; int64 create_revision = 2; int64 mod_revision = 3; int64 version = 4; bytes value = 5;
}
message Event { int32 type = 1; KeyValue kv = 2; KeyValue prev_kv = 3; }
message RangeRequest {
  bytes key = 1; bytes range_end = 2; int64 limit = 3; int64 revision = 4; bool count_only = 9;
}
message RangeResponse { ResponseHeader header = 1; repeated KeyValue kvs = 2; bool more = 3; int64 count = 4; }
message PutRequest { bytes key = 1; bytes value = 2; }
message PutResponse { ResponseHeader header = 1; }
message DeleteRangeRequest { bytes key = 1; bytes range_end = 2; }
message DeleteRangeResponse { ResponseHeader header = 1; int64 deleted = 2; }
message RequestOp {
  oneof request {
    RangeRequest request_range = 1; PutRequest request_put = 2; DeleteRangeRequest request_delete_range = 3;
  }
}
message ResponseOp { oneof response { RangeResponse response_range = 1; } }
message Compare {
  int32 result = 1; int32 target = 2; bytes key = 3;
  oneof target_union { int64 version = 4; int64 create_revision = 5; int64 mod_revision = 6; }
}
message TxnRequest { repeated Compare compare = 1; repeated RequestOp success = 2; repeated RequestOp failure = 3; }
message TxnResponse { ResponseHeader header = 1; bool succeeded = 2; repeated ResponseOp responses = 3; }
message CompactionRequest { int64 revision = 1; }
message CompactionResponse { ResponseHeader header = 1; }
message WatchRequest { oneof request_union { WatchCreateRequest create_request = 1; } }
message WatchCreateRequest {
  bytes key = 1; bytes range_end = 2; int64 start_revision = 3; bool progress_notify = 4; bool prev_kv = 6; bool fragment = 8;
}
message WatchResponse {
  ResponseHeader header = 1; int64 watch_id = 2; bool created = 3; bool canceled = 4; int64 compact_revision = 5;
  string cancel_reason = 6; bool fragment = 7; repeated Event events = 11;
}
message StatusRequest {}
message StatusResponse {
  ResponseHeader header = 1; string version = 2; int64 db_size = 3; uint64 leader = 4; int64 db_size_in_use = 9;
}
message AlarmRequest { int32 action = 1; uint64 member_id = 2; int32 alarm = 3; }
message AlarmMember { uint64 member_id = 1; int32 alarm = 2; }
message AlarmResponse { ResponseHeader header = 1; repeated AlarmMember alarms = 2; }
`

/** protobufjs reads 64-bit numbers as objects; revisions are safe integers. */
type Int64 = number | { toNumber(): number }
export const toNumber = (value: Int64): number => (typeof value === 'number' ? value : value.toNumber())

interface ResponseHeader {
  readonly clusterId: Int64
  readonly revision: Int64
}
export interface WithHeader {
  readonly header: ResponseHeader
}
/** Assigned when the cluster is created; one that is restored from a backup usually has another id. Rounded, as it is only compared. */
export const clusterOf = ({ header }: WithHeader): number => toNumber(header.clusterId)
export const headerRevision = ({ header }: WithHeader): number => toNumber(header.revision)

export interface KeyValue {
  readonly key: Buffer
  readonly createRevision: Int64
  readonly modRevision: Int64
  readonly version: Int64
  readonly value: Buffer
}
export interface EtcdEvent {
  readonly type: number
  readonly kv: KeyValue
  readonly prevKv: KeyValue | null
}
/** `Event.type` of a delete; 0 is a put. */
export const deleteEvent = 1

export interface RangeRequest {
  readonly key: Buffer
  readonly rangeEnd?: Buffer
  readonly limit?: number
  readonly revision?: number
  readonly countOnly?: boolean
}
export interface RangeResponse extends WithHeader {
  readonly kvs: readonly KeyValue[]
  readonly more: boolean
  readonly count: Int64
}
export type RequestOp =
  | { readonly requestRange: RangeRequest }
  | { readonly requestPut: { readonly key: Buffer; readonly value: Buffer } }
  | { readonly requestDeleteRange: { readonly key: Buffer; readonly rangeEnd?: Buffer } }

export const compareResult = { equal: 0, greater: 1 } as const
export const compareTarget = { version: 0, create: 1, mod: 2 } as const
export interface Compare {
  readonly result: number
  readonly target: number
  readonly key: Buffer
  readonly version?: number
  readonly createRevision?: number
  readonly modRevision?: number
}
export interface TxnRequest {
  readonly compare: readonly Compare[]
  readonly success: readonly RequestOp[]
  readonly failure: readonly RequestOp[]
}
export interface TxnResponse extends WithHeader {
  readonly succeeded: boolean
  readonly responses: readonly { readonly responseRange?: RangeResponse }[]
}
export interface WatchRequest {
  readonly createRequest: {
    readonly key: Buffer
    readonly rangeEnd: Buffer
    readonly startRevision: number
    readonly progressNotify: boolean
    readonly prevKv: boolean
    readonly fragment: boolean
  }
}
export interface WatchResponse extends WithHeader {
  readonly created: boolean
  readonly canceled: boolean
  readonly compactRevision: Int64
  readonly cancelReason: string
  readonly fragment: boolean
  readonly events: readonly EtcdEvent[]
}
export interface StatusResponse extends WithHeader {
  readonly version: string
  readonly dbSize: Int64
  /** 0 while the member knows none. */
  readonly leader: Int64
  readonly dbSizeInUse: Int64
}
export interface AlarmResponse extends WithHeader {
  /** `alarm` 1 means that the quota is exceeded, 2 that data is corrupt. */
  readonly alarms: readonly { readonly alarm: number }[]
}

/** A method of etcd: its path and the codecs of its messages. */
export interface Method<Request, Response> {
  readonly path: string
  serialize(request: Request): Buffer
  deserialize(bytes: Buffer): Response
}

const { root } = parse(definitions)

function method<Request, Response>(path: string, request: string, response: string): Method<Request, Response> {
  const requestType = root.lookupType(`etcdserverpb.${request}`)
  const responseType = root.lookupType(`etcdserverpb.${response}`)
  return {
    path: `/etcdserverpb.${path}`,
    serialize: message => requestType.encode(message as object).finish() as Buffer,
    deserialize: bytes => responseType.decode(bytes) as Response,
  }
}

export const methods = {
  range: method<RangeRequest, RangeResponse>('KV/Range', 'RangeRequest', 'RangeResponse'),
  put: method<{ key: Buffer; value: Buffer }, WithHeader>('KV/Put', 'PutRequest', 'PutResponse'),
  txn: method<TxnRequest, TxnResponse>('KV/Txn', 'TxnRequest', 'TxnResponse'),
  compact: method<{ revision: number }, WithHeader>('KV/Compact', 'CompactionRequest', 'CompactionResponse'),
  watch: method<WatchRequest, WatchResponse>('Watch/Watch', 'WatchRequest', 'WatchResponse'),
  status: method<object, StatusResponse>('Maintenance/Status', 'StatusRequest', 'StatusResponse'),
  alarm: method<{ action: number }, AlarmResponse>('Maintenance/Alarm', 'AlarmRequest', 'AlarmResponse'),
}
