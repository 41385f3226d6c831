import type { IncomingHttpHeaders } from 'node:http'
import type { UserInfo } from '../identity/user.js'
import type { Lifespan } from '../plugin/level.js'
import type { Needs, Resolved } from '../plugin/service-token.js'
import { badRequest } from '../resource/api-errors.js'
import { isRecord } from '../resource/own-value.js'

/** A request to a route. */
export interface RouteRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly user: UserInfo
  /** The whole body, bounded by the server's limit. */
  body(): Promise<Buffer>
}
/** What a route answers. */
export interface RouteAnswer {
  /** 200 by default. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Chunks are sent as fast as the client reads, and no longer requested once it has disconnected. */
  readonly body: string | Buffer | AsyncIterable<Buffer>
}

/**
 * A path outside the resource API. Requests reach it authenticated and authorized (verb = lower-case method, on the path)
 * unless it is public.
 */
export interface RouteDefinition<N extends Needs = Needs> extends Lifespan {
  /** Exact path, or a prefix when it ends with `/*`. The longest prefix counts. */
  readonly path: string
  /** Methods it answers; GET by default. */
  readonly methods?: readonly string[]
  /**
   * `public` is for everybody: credentials are ignored, nothing is authorized, and the user is anonymous. For content
   * that cannot be secret, such as the files of a sign-in page. `authorized` by default.
   */
  readonly access?: 'authorized' | 'public'
  readonly needs?: N
  handle(request: RouteRequest, services: Resolved<N>): RouteAnswer | Promise<RouteAnswer>
}
/** Declares a route; `needs` arrive typed. */
export const defineRoute = <const N extends Needs = Record<never, never>>(
  definition: RouteDefinition<N>,
): RouteDefinition<N> => definition

/** The fields of a small JSON body; a 400 for any other. For public routes. */
export async function jsonFields(request: RouteRequest, mostBytes: number): Promise<Readonly<Record<string, unknown>>> {
  const body = await request.body()
  if (body.length > mostBytes) throw badRequest(`the body is longer than ${mostBytes} bytes`)
  let content: unknown
  try {
    content = JSON.parse(body.toString())
  } catch {
    throw badRequest('the body is not JSON')
  }
  if (!isRecord(content)) throw badRequest('the body is not an object')
  return content
}
/** A field that must be a non-empty string; a 400 for any other value. */
export function requiredText(fields: Readonly<Record<string, unknown>>, name: string): string {
  const value = fields[name]
  if (typeof value !== 'string' || value === '') throw badRequest(`${name}: a non-empty string is required`)
  return value
}
