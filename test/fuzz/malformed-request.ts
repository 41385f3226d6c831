import type { SeededRandom } from './seeded-random.js'

/** A request that no server may accept. */
export interface MalformedRequest {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer | string
  /** Bytes to send instead, when the request is not even HTTP. */
  readonly raw?: Buffer
}

/** A kind of malformed request and how often it comes, compared with the others. */
export interface MalformedKind {
  readonly name: string
  readonly weight: number
  make(random: SeededRandom): MalformedRequest
}

export const configMaps = '/api/v1/namespaces/fuzz/configmaps'
/** Exists, so that requests for it fail for the intended reason. */
export const target = `${configMaps}/target`

export const json = 'application/json'
export const mergePatch = 'application/merge-patch+json'
export const jsonPatch = 'application/json-patch+json'
export const strategicPatch = 'application/strategic-merge-patch+json'
export const applyPatch = 'application/apply-patch+yaml'

/** The bytes of a request, with a bearer token. */
export function encode({ method, path, headers = {}, body, raw }: MalformedRequest, token: string): Buffer {
  if (raw) return raw
  const payload = body === undefined ? Buffer.alloc(0) : Buffer.from(body)
  const all: Record<string, string> = {
    Host: 'fuzz',
    Authorization: `Bearer ${token}`,
    ...(body === undefined ? {} : { 'Content-Type': json, 'Content-Length': String(payload.length) }),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'), payload])
}
