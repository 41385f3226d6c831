/** The body of a response as text. Rejects as soon as there are more than `maxBytes`. */
export async function readText(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number = Number.POSITIVE_INFINITY,
): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw new Error(`the response is larger than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
