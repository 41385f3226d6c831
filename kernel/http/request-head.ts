import { type IncomingHttpHeaders, type IncomingMessage, METHODS, type ServerResponse, STATUS_CODES } from 'node:http'

/**
 * If one of these is repeated, Node uses the first and a proxy perhaps the last, so such requests are rejected as
 * ambiguous.
 */
const singleHeaders = new Set(['authorization', 'content-type', 'host', 'impersonate-uid', 'impersonate-user'])

export interface Refusal {
  readonly code: number
  readonly reason: string
  readonly message: string
}
const refusal = (code: number, reason: string, message: string): Refusal => ({ code, reason, message })

export const badMethod = refusal(405, 'MethodNotAllowed', 'the server does not allow this method')
const tooManyHeaders = (limit: number) =>
  refusal(431, 'RequestHeaderFieldsTooLarge', `a request may have at most ${limit} header fields`)
const unknownCoding = refusal(501, 'NotImplemented', 'the only transfer coding that is understood is chunked')
const oldCoding = refusal(400, 'BadRequest', 'HTTP/1.0 has no transfer codings')
const noHost = refusal(400, 'BadRequest', 'the request has no Host header')
const twoHosts = refusal(400, 'BadRequest', 'the request names two hosts')
export const tooLargeHead = refusal(431, 'RequestHeaderFieldsTooLarge', 'the head of the request is too large')
export const unknownExpectation = refusal(
  417,
  'ExpectationFailed',
  'the only expectation that is understood is 100-continue',
)

/** Why the head of a request is rejected; undefined if it is valid. */
export function headProblem(request: IncomingMessage, maxHeaders: number): Refusal | undefined {
  const { headers, rawHeaders, httpVersion } = request
  if (rawHeaders.length > 2 * maxHeaders) return tooManyHeaders(maxHeaders)
  const coding = headers['transfer-encoding']
  if (coding !== undefined) {
    if (httpVersion === '1.0') return oldCoding
    // Proxies read a list of codings differently: where the request ends would be ambiguous (request smuggling).
    if (coding.toLowerCase() !== 'chunked') return unknownCoding
  }
  if (headers.host === undefined && httpVersion !== '1.0') return noHost
  return repeatedHeadersProblem(headers, rawHeaders)
}

const methods = new Set(METHODS)
/** Bytes around the name and value of a header in HTTP/1.1, counted in the size of a head. */
const fieldBytes = ': \r\n'.length

/** The same for a request over HTTP/2, including pseudo-headers. */
export function streamHeadProblem(
  headers: IncomingHttpHeaders & { ':method'?: string; ':authority'?: string },
  rawHeaders: readonly string[],
  limits: { readonly headers: number; readonly headBytes: number },
): Refusal | undefined {
  let bytes = 0
  let fields = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    bytes += rawHeaders[at]!.length + rawHeaders[at + 1]!.length + fieldBytes
    if (!rawHeaders[at]!.startsWith(':')) fields++
  }
  if (fields > limits.headers) return tooManyHeaders(limits.headers)
  if (bytes > limits.headBytes) return tooLargeHead
  const { ':method': method = '', ':authority': authority, host, expect } = headers
  if (method === 'CONNECT' || !methods.has(method)) return badMethod
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') return unknownExpectation
  if (authority === undefined && host === undefined) return noHost
  if (authority !== undefined && host !== undefined && authority !== host) return twoHosts
  return repeatedHeadersProblem(headers, rawHeaders)
}

function repeatedHeadersProblem(headers: IncomingHttpHeaders, rawHeaders: readonly string[]): Refusal | undefined {
  let names = 0
  for (const _ in headers) names++
  return 2 * names === rawHeaders.length ? undefined : repeatedHeaderRefusal(rawHeaders)
}

function repeatedHeaderRefusal(rawHeaders: readonly string[]): Refusal | undefined {
  const seen = new Set<string>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase()
    if (!singleHeaders.has(name)) continue
    if (seen.has(name)) return refusal(400, 'BadRequest', `the header ${name} comes more than once`)
    seen.add(name)
  }
  return undefined
}

/** The corresponding Status, as text. */
export const statusText = ({ code, reason, message }: Refusal): string =>
  `${JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code })}\n`

/** Answers after earlier requests of the connection, and closes it: where the next request begins is unknown. */
export function refuse(response: ServerResponse, problem: Refusal): void {
  response.shouldKeepAlive = false
  const body = statusText(problem)
  response.writeHead(problem.code, STATUS_CODES[problem.code], {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  })
  response.end(body)
}
