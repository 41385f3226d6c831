/** The body of an answer as text. One of more than `mostBytes` rejects, and is not read to its end. */
export async function readText(
  body: AsyncIterable<Uint8Array>,
  mostBytes: number = Number.POSITIVE_INFINITY,
): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > mostBytes) throw new Error(`the answer is larger than ${mostBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
