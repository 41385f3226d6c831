import { writeYaml } from 'orch/sdk/files'
import type { Exchange, Headers, ResponseStream } from '../contracts/exchange.js'
import type { YamlBodies } from './yaml-bodies.js'

/** Sends a list in YAML, batch by batch. Batches are JSON lists; the metadata is known only after the last one. */
export async function sendYamlList(
  exchange: Exchange,
  headers: Headers,
  yaml: YamlBodies,
  { kind, apiVersion }: { readonly kind: string; readonly apiVersion: string },
  batches: AsyncIterable<string>,
  metadata: () => object,
): Promise<void> {
  let stream: ResponseStream | undefined
  let pending = writeYaml({ apiVersion })
  let hasItems = false
  try {
    for await (const batch of batches) {
      const text = await yaml.print(batch)
      // The first batch is held back until there is a second: most lists have one batch and are sent as a whole, with their length.
      if (hasItems) stream ??= exchange.stream(200, headers)
      pending += hasItems ? text : `items:\n${text}`
      hasItems = true
      if (!stream) continue
      if (stream.isClosed) return
      if (!stream.write(Buffer.from(pending))) await stream.drained()
      pending = ''
    }
  } catch (failure) {
    // The client must neither take a partial list as complete nor wait for more.
    stream?.destroy()
    throw failure
  }
  const end = writeYaml({ ...(hasItems ? {} : { items: [] }), kind, metadata: metadata() })
  if (!stream) return exchange.send(200, headers, pending + end)
  stream.write(Buffer.from(pending + end))
  stream.end()
}
