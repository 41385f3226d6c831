/** Removes all occurrences of this character at the end of a text. */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === character) end--
  return text.slice(0, end)
}

/** One block of a PEM text, from its BEGIN to its END. */
export interface PemBlock {
  /** `CERTIFICATE`, `EC PRIVATE KEY` ... */
  readonly label: string
  readonly text: string
}

const begin = '-----BEGIN '
const end = '-----END '
const dashes = '-----'

/** The blocks of a PEM text in their order; text between them, and blocks without an end, are left out. */
export function pemBlocks(pem: string): PemBlock[] {
  const blocks: PemBlock[] = []
  let endAt = 0
  for (let at = pem.indexOf(begin); at >= 0; at = pem.indexOf(begin, at)) {
    const start = at
    at += begin.length
    // The next END is searched for once, not once per BEGIN: there may be very many.
    if (endAt < at) endAt = pem.indexOf(end, at)
    if (endAt < 0) return blocks
    const line = pem.slice(at, endAt).match(/^([A-Z0-9 ]+)-----/)
    const close = `${end}${line?.[1]}${dashes}`
    if (!line || !pem.startsWith(close, endAt)) continue
    at = endAt + close.length
    blocks.push({ label: line[1] ?? '', text: pem.slice(start, at) })
  }
  return blocks
}
