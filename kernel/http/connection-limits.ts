import { readdirSync, readFileSync } from 'node:fs'
import { parseDuration } from 'orch/sdk'

/** Resource limits and time-outs for clients. 0 means no limit. */
export interface ConnectionLimits {
  readonly connections: number
  readonly connectionsPerAddress: number
  /** Header fields of a request. */
  readonly headers: number
  /** Bytes of its first line and all header fields. */
  readonly headBytes: number
  /** The same, in total for all requests whose heads are not complete. */
  readonly unfinishedHeadBytes: number
  readonly handshakeMs: number
  readonly headersMs: number
  /** How long a request may take to arrive completely. */
  readonly requestMs: number
  /** How long a connection stays open without a request. */
  readonly idleMs: number
  readonly minBytesPerSecond: number
  /** How long a transfer may be slower than that. */
  readonly slowMs: number
  /** How long a client may take to read a response, except watches. */
  readonly responseMs: number
  /** Bytes of responses that wait in memory to be read, in total. */
  readonly unsentBytes: number
  /** Responses of at least this size are compressed, if the client accepts that; 0 turns it off. */
  readonly compressedFromBytes: number
  readonly maxCompressed: number
  /** Concurrent requests on an HTTP/2 connection; 0 offers HTTP/1.1 only. */
  readonly streams: number
  /** Requests on such a connection that its client may cancel per minute. */
  readonly resetsPerMinute: number
}

/** The kernel options that concern connections. */
export interface ConnectionOptions {
  readonly maxConnections: number
  readonly maxConnectionsPerAddress: number
  readonly maxRequestHeaders: number
  readonly maxRequestHeadBytes: number
  readonly maxUnfinishedHeadBytes: number
  readonly maxUnsentResponseBytes: number
  readonly tlsHandshakeTimeout: string
  readonly headerTimeout: string
  readonly requestTimeout: string
  readonly idleTimeout: string
  readonly minTransferRate: number
  readonly slowClientTimeout: string
  readonly responseTimeout: string
  readonly compressResponseBytes: number
  readonly maxCompressedResponses: number
  readonly disableHttp2Serving: boolean
  readonly http2MaxStreamsPerConnection: number
  readonly http2MaxResetsPerMinute: number
}

const usualStreams = 1000

/** The limits of one of several serving processes: each gets its share of the totals. */
export function connectionLimits(options: ConnectionOptions, processes: number): ConnectionLimits {
  const share = (limit: number) => Math.ceil(limit / processes)
  return {
    connections: share(options.maxConnections),
    connectionsPerAddress: share(options.maxConnectionsPerAddress),
    unsentBytes: share(options.maxUnsentResponseBytes),
    headers: options.maxRequestHeaders,
    headBytes: options.maxRequestHeadBytes,
    unfinishedHeadBytes: share(options.maxUnfinishedHeadBytes),
    handshakeMs: parseDuration(options.tlsHandshakeTimeout),
    headersMs: parseDuration(options.headerTimeout),
    requestMs: parseDuration(options.requestTimeout),
    idleMs: parseDuration(options.idleTimeout),
    minBytesPerSecond: options.minTransferRate,
    slowMs: parseDuration(options.slowClientTimeout),
    responseMs: parseDuration(options.responseTimeout),
    compressedFromBytes: options.compressResponseBytes,
    maxCompressed: share(options.maxCompressedResponses),
    streams: options.disableHttp2Serving ? 0 : options.http2MaxStreamsPerConnection || usualStreams,
    resetsPerMinute: options.http2MaxResetsPerMinute,
  }
}

/** For a port that only shows health and metrics. */
export const statusLimits: ConnectionLimits = {
  connections: 200,
  connectionsPerAddress: 100,
  unsentBytes: 16 * 1024 * 1024,
  headers: 100,
  headBytes: 16 * 1024,
  unfinishedHeadBytes: 1024 * 1024,
  handshakeMs: 10_000,
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 60_000,
  minBytesPerSecond: 1024,
  slowMs: 20_000,
  responseMs: 60_000,
  compressedFromBytes: 0,
  maxCompressed: 0,
  streams: 0,
  resetsPerMinute: 0,
}

/** Descriptors reserved for files and for outgoing connections of the server. */
const keptDescriptors = 64
const fewestConnections = 16

/** How many more connections the system allows this process to open. Unlimited if unknown. */
export function affordableConnections(): number {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    if (limit === undefined) return Number.POSITIVE_INFINITY
    return Math.max(fewestConnections, Number(limit) - readdirSync('/proc/self/fd').length - keptDescriptors)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
