import type { RouteDefinition } from 'orch/sdk/server'
import type { Exchange, Headers } from '../contracts/exchange.js'
import { methodNotAllowed } from '../contracts/protocol-errors.js'
import type { RequestContext } from '../contracts/request-context.js'

/** A route with the services that it needs. */
export interface MountedRoute {
  readonly definition: RouteDefinition
  readonly services: never
}

/** The paths that plugins mount. */
export class PluginRoutes {
  readonly #exact: ReadonlyMap<string, MountedRoute>
  /** Longest first. */
  readonly #prefixes: readonly { readonly prefix: string; readonly route: MountedRoute }[]
  readonly #bodyLimitBytes: number

  constructor(routes: readonly MountedRoute[], bodyLimitBytes: number) {
    const isPrefix = ({ definition }: MountedRoute) => definition.path.endsWith('/*')
    this.#exact = new Map(routes.filter(route => !isPrefix(route)).map(route => [route.definition.path, route]))
    this.#prefixes = routes
      .filter(isPrefix)
      .map(route => ({ prefix: route.definition.path.slice(0, -1), route }))
      .sort((left, right) => right.prefix.length - left.prefix.length)
    this.#bodyLimitBytes = bodyLimitBytes
  }

  /** The paths as plugins declared them, those without a prefix first. */
  get paths(): string[] {
    return [...this.#exact.keys(), ...this.#prefixes.map(({ prefix }) => `${prefix}*`)]
  }
  get exactPaths(): Iterable<string> {
    return this.#exact.keys()
  }

  find(path: string): MountedRoute | undefined {
    return this.#exact.get(path) ?? this.#prefixes.find(({ prefix }) => path.startsWith(prefix))?.route
  }
  /** Whether the path is public. */
  isPublic(path: string): boolean {
    return this.find(path)?.definition.access === 'public'
  }

  async serve(context: RequestContext, { definition, services }: MountedRoute): Promise<boolean> {
    const { exchange, info, user } = context
    const methods = definition.methods ?? ['GET', 'HEAD']
    if (!methods.includes(exchange.method)) throw methodNotAllowed()
    // The user is known by now; plugins do not see the credentials.
    const { authorization: _, ...headers } = exchange.headers
    const request = {
      method: exchange.method,
      path: info.path,
      query: info.query,
      headers,
      user,
      body: () => context.readBody(this.#bodyLimitBytes),
    }
    const answer = await definition.handle(request, services)
    const status = answer.status ?? 200
    const answerHeaders = { 'Cache-Control': 'no-cache, private', ...answer.headers }
    if (typeof answer.body === 'string' || Buffer.isBuffer(answer.body))
      exchange.send(status, answerHeaders, answer.body)
    else await sendChunks(exchange, status, answerHeaders, answer.body)
    return true
  }
}

/** Sends a stream with backpressure. If it fails midway, the connection is aborted, so that the client notices. */
async function sendChunks(
  exchange: Exchange,
  status: number,
  headers: Headers,
  chunks: AsyncIterable<Buffer>,
): Promise<void> {
  const stream = exchange.stream(status, headers)
  try {
    for await (const chunk of chunks) {
      if (stream.isClosed) return
      if (!stream.write(chunk)) await stream.drained()
    }
    stream.end()
  } catch (thrown) {
    stream.destroy()
    throw thrown
  }
}
