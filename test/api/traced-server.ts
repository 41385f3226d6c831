import { randomBytes } from 'node:crypto'
import { configuration } from 'orch/plugins/configuration'
import { namespaces } from 'orch/plugins/namespaces'
import { tracing } from 'orch/plugins/tracing'
import { eventually } from '../support/eventually.js'
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '../support/otlp-receiver.js'
import { widgets } from './widgets.js'
import { type ServerUnderTest, withServer } from './with-server.js'

export const patienceMs = 60_000
export const plugins = [widgets, namespaces, configuration, tracing]
/** Kinds of spans, as they are sent. */
export const spanKinds = { internal: 1, server: 2, client: 3 }

/** A server, and the receiver of its traces. */
export interface World {
  readonly server: ServerUnderTest
  readonly receiver: OtlpReceiver
  /** The spans of a trace, once it is complete: when the span of the request has arrived. */
  trace(id: string): Promise<ReceivedSpan[]>
  log(): string
}

export async function withTracing(
  options: object,
  run: (world: World) => Promise<void>,
  morePlugins: readonly object[] = [],
): Promise<void> {
  const receiver = await startOtlpReceiver()
  let log = ''
  try {
    const request = {
      plugins: [...plugins, ...morePlugins] as typeof plugins,
      options: { tracingEndpoint: receiver.endpoint, tracingTrustClients: true, ...options },
      log: (line: string) => (log += line),
    }
    await withServer(request, async server => {
      await server.ask('POST', '/api/v1/namespaces', { metadata: { name: 'n' } })
      await run({
        server,
        receiver,
        log: () => log,
        trace: id =>
          eventually(
            `the trace ${id}`,
            () => {
              const found = receiver.spans.filter(({ traceId }) => traceId === id)
              return found.some(({ kind }) => kind === spanKinds.server) ? found : undefined
            },
            patienceMs,
          ),
      })
    })
  } finally {
    await receiver.stop()
  }
}

/** The trace of a client, and whether it is sampled. */
export function aTrace(isSampled = true) {
  const [id, parent] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')]
  return { id, parent, headers: { traceparent: `00-${id}-${parent}-0${isSampled ? 1 : 0}`, tracestate: 'acme=1' } }
}
