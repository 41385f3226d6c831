import { readdirSync, readFileSync } from 'node:fs'
import { parseDuration } from 'orch/sdk'

/** What clients may hold of the server, and for how long. 0 means no limit. */
export interface ConnectionLimits {
  readonly connections: number
  readonly connectionsPerAddress: number
  /** Header fields of a request. */
  readonly headers: number
  /** Bytes of its first line and all header fields. */
  readonly headBytes: number
  /** The same of requests whose heads are not complete, all together. */
  readonly unfinishedHeadBytes: number
  readonly handshakeMs: number
  readonly headersMs: number
  /** How long a request may take to arrive whole. */
  readonly requestMs: number
  /** How long a connection stays open without a request. */
  readonly idleMs: number
  readonly minBytesPerSecond: number
  /** A transfer may be slower than that for so long. */
  readonly slowMs: number
  /** How long a client may take to read an answer, watches apart. */
  readonly responseMs: number
  /** Answers that wait in memory to be read, all together. */
  readonly unsentBytes: number
  /** Answers of so many bytes and more are compressed, if the client takes that; 0 compresses none. */
  readonly compressedFromBytes: number
  readonly compressedAtOnce: number
  /** Requests at once on a connection that speaks HTTP/2; 0 offers HTTP/1.1 only. */
  readonly streams: number
  /** Requests on such a connection that its client may give up unanswered in a minute. */
  readonly resetsPerMinute: number
}

/** The options of the kernel that are about connections. */
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

/** The limits of one of several processes that serve: each has its part of what is counted. */
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
    compressedAtOnce: share(options.maxCompressedResponses),
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
  compressedAtOnce: 0,
  streams: 0,
  resetsPerMinute: 0,
}

/** Descriptors that connections leave free: for files, and for connections that the server itself opens. */
const keptDescriptors = 64
const fewestConnections = 16

/** So many connections the system lets this process have, beside what it has open now. Unlimited where it does not say. */
export function affordableConnections(): number {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    if (limit === undefined) return Number.POSITIVE_INFINITY
    return Math.max(fewestConnections, Number(limit) - readdirSync('/proc/self/fd').length - keptDescriptors)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
