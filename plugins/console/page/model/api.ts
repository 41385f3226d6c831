import { signal } from '@preact/signals'
import { endSession, impersonation, session } from './session.js'

/** Requests to the server as the user who is signed in. */

export interface StatusCause {
  readonly reason?: string
  readonly message?: string
  readonly field?: string
}
/** An error response, with the message of the server. */
export class ApiFailure extends Error {
  readonly code: number
  readonly reason: string
  readonly causes: readonly StatusCause[]
  constructor(code: number, reason: string, message: string, causes: readonly StatusCause[] = []) {
    super(message)
    this.code = code
    this.reason = reason
    this.causes = causes
  }
}

/** Can the server be reached? */
export const isReachable = signal(true)

export interface RequestOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal
  /** A browser has few connections to a server: queued requests are sent in this order. */
  readonly priority?: RequestPriority
}

/** Responses to requests that the first view will make; sent before it is rendered. */
const ahead = new Map<string, Promise<Anything>>()
const aheadKey = (path: string, headers: RequestOptions['headers']) => `${headers?.['Accept'] ?? ''} ${path}`
export function askAhead(path: string, headers: RequestOptions['headers'] = {}): Promise<Anything> {
  const answer = requestJson(path, { headers, priority: 'high' })
  answer.catch(() => {})
  ahead.set(aheadKey(path, headers), answer)
  return answer
}

export async function request(path: string, options: RequestOptions = {}): Promise<Response> {
  const headers: Record<string, string> = { Accept: 'application/json', ...options.headers }
  const used = session.value
  if (used) headers['Authorization'] = `Bearer ${used.token}`
  const acting = impersonation.value
  const sent = new Headers(headers)
  if (acting) {
    sent.set('Impersonate-User', acting.user)
    for (const group of acting.groups) sent.append('Impersonate-Group', group)
  }
  const response = await fetch(path, { ...options, headers: sent, credentials: 'omit', cache: 'no-store' }).catch(
    (failure: unknown) => {
      if (options.signal?.aborted) throw failure
      isReachable.value = false
      throw new ApiFailure(0, 'Unreachable', 'The server cannot be reached.')
    },
  )
  isReachable.value = true
  if (response.status === 401 && session.value === used) endSession('The session has ended. Sign in again.')
  return response
}

export async function failureOf(response: Response): Promise<ApiFailure> {
  const text = await response.text()
  try {
    const status = JSON.parse(text)
    return new ApiFailure(response.status, status.reason ?? '', status.message ?? text, status.details?.causes ?? [])
  } catch {
    return new ApiFailure(response.status, '', text.trim() || response.statusText)
  }
}

export async function requestJson<T = Anything>(path: string, options: RequestOptions = {}): Promise<T> {
  const asked = aheadKey(path, options.headers)
  const early = ahead.get(asked)
  if (early && options.body === undefined) {
    ahead.delete(asked)
    return early
  }
  const response = await request(path, options)
  if (!response.ok) throw await failureOf(response)
  return (await response.json()) as T
}

export const send = <T = Anything>(
  method: string,
  path: string,
  body: unknown,
  type = 'application/json',
  signal?: AbortSignal,
): Promise<T> =>
  requestJson<T>(path, {
    method,
    headers: { 'Content-Type': type },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  })

/** Parses the JSON lines of a stream as they arrive. */
export async function* jsonLines(response: Response): AsyncGenerator<Anything> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const lines = (rest + value).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') yield JSON.parse(line)
  }
}

/** JSON from the server. Its type is defined by the server's schemas, which are not known at compile time. */
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Anything = any

export interface ApiObject {
  readonly apiVersion?: string
  readonly kind?: string
  readonly metadata: Metadata
  readonly [field: string]: Anything
}
export interface Metadata {
  readonly name: string
  readonly namespace?: string
  readonly uid: string
  readonly resourceVersion: string
  readonly creationTimestamp: string
  readonly deletionTimestamp?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly finalizers?: readonly string[]
  readonly ownerReferences?: readonly OwnerReference[]
  readonly managedFields?: readonly ManagedFields[]
}
export interface OwnerReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly controller?: boolean
}
export interface ManagedFields {
  readonly manager: string
  readonly operation: string
  readonly time?: string
  readonly subresource?: string
  readonly fieldsV1?: FieldSet
}
export interface FieldSet {
  readonly [key: string]: FieldSet
}
