const newline = 0x0a

/** The JSON documents of a stream, one per line, as they arrive. */
export async function* jsonLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<unknown> {
  // Pieces of a line that is not complete yet; joined once, so that a long line costs no more than its length.
  let pieces: Buffer[] = []
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      pieces.push(chunk.subarray(start, end))
      start = end + 1
      const line = take(pieces)
      pieces = []
      if (line !== '') yield JSON.parse(line)
    }
    if (start < chunk.length) pieces.push(chunk.subarray(start))
  }
  const rest = take(pieces)
  if (rest !== '') yield JSON.parse(rest)
}

const take = (pieces: readonly Buffer[]) =>
  (pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)).toString('utf8').trim()
