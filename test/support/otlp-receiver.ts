import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A span as OTLP over HTTP has it in JSON. */
export interface ReceivedSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly kind: number
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
  readonly status?: { readonly code?: number; readonly message?: string }
}
interface Export {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[] }[]
}

/** A receiver of traces: OTLP over HTTP, as collectors have it. */
export interface OtlpReceiver {
  readonly endpoint: string
  readonly paths: Set<string | undefined>
  /** All that arrived. */
  readonly spans: ReceivedSpan[]
  /** Everything as it was sent. */
  text(): string
  /** What it answers from now on; 200 at first. */
  answer(code: number): void
  /** Ends connections that senders keep open. */
  dropConnections(): void
  stop(): Promise<void>
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = []
  const paths = new Set<string | undefined>()
  let [text, code] = ['', 200]
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      paths.add(request.url)
      const body = Buffer.concat(chunks).toString()
      if (code === 200) {
        text += body
        const { resourceSpans } = JSON.parse(body) as Export
        for (const { scopeSpans } of resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans)
      }
      response.writeHead(code, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    endpoint: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    paths,
    text: () => text,
    answer(next) {
      code = next
    },
    dropConnections: () => server.closeIdleConnections(),
    async stop() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
