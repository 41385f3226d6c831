import { type Client, createClient, httpTransport } from 'orch/sdk/client'
import { startServer, type TestServer, type TestServerOptions } from 'orch/sdk/testing'
import { widgetGroup, widgets } from './widgets.js'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: Record<string, never> & {
    metadata: Record<string, string>
    items: { metadata: Record<string, string> }[]
  }
}
export interface ServerUnderTest extends TestServer {
  /** Any request as an administrator. */
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Path of the widgets of the test's namespace. */
  readonly path: string
  clientOf(): Client
}

/** Runs a test against a new server with the widgets plugin, and always stops it. */
export async function withServer(
  options: Partial<TestServerOptions>,
  run: (server: ServerUnderTest) => Promise<void>,
): Promise<void> {
  const server = await startServer({ plugins: [widgets], ...options })
  try {
    await run({
      ...server,
      path: `/apis/${widgetGroup}/v1/namespaces/n/widgets`,
      clientOf: () => createClient({ transport: httpTransport(server.clientConfig) }),
      async ask(method, path, body, headers = {}) {
        const response = await fetch(server.baseUrl + path, {
          method,
          headers: {
            authorization: `Bearer ${server.token}`,
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        })
        const text = await response.text()
        const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
        return {
          status: response.status,
          headers: response.headers,
          text,
          json: isJson && text !== '' ? JSON.parse(text) : {},
        }
      },
    })
  } finally {
    await server.stop()
  }
}
