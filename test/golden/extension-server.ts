import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

interface RouteAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly text?: string
  /** Written line by line, as a watch is. */
  readonly stream?: readonly unknown[]
  readonly everyMs?: number
  readonly delayMs?: number
}
/** An extension API server of a scenario: responses by `METHOD /path`, `*` for the rest. Its key is its group. */
export interface ExtensionServer {
  readonly routes: Readonly<Record<string, RouteAnswer>>
  readonly calls: unknown[]
}

const notFound: RouteAnswer = {
  status: 404,
  body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'NotFound', code: 404 },
}
const identityHeaders = /^(x-remote-|impersonate-|authorization$|accept$|content-type$|x-own-)/
const lineEveryMs = 50

export async function answerAsExtension(
  server: ExtensionServer,
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'https://extension')
  // Requests of the server itself (availability, discovery) depend on timing and are not recorded.
  if (request.headers['user-agent']?.startsWith('golden/'))
    server.calls.push({
      method: request.method,
      path: url.pathname,
      query: [...url.searchParams].map(pair => pair.join('=')).sort(),
      headers: Object.fromEntries(Object.entries(request.headers).filter(([name]) => identityHeaders.test(name))),
      body: parsed(body),
    })
  const answer = server.routes[`${request.method} ${url.pathname}`] ?? server.routes['*'] ?? notFound
  if (answer.delayMs) await sleep(answer.delayMs)
  response.writeHead(answer.status || 200, { 'content-type': 'application/json', ...answer.headers })
  for (const line of answer.stream ?? []) {
    response.write(`${JSON.stringify(line)}\n`)
    await sleep(answer.everyMs ?? lineEveryMs)
  }
  if (answer.stream) response.end()
  else response.end(answer.text ?? JSON.stringify(answer.body ?? {}))
}

/** The value of a JSON text; null for anything else. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
