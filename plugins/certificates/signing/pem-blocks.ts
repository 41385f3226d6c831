/** One encapsulated structure of a PEM text. */
export interface PemBlock {
  readonly label: string
  /** Whether there are `Name: value` lines before the data, as in RFC 1421. RFC 7468 has none. */
  readonly hasHeaders: boolean
  readonly bytes: Buffer
}

const begin = /^-----BEGIN ([^\r\n]*)-----[ \t\r]*$/
const end = /^-----END ([^\r\n]*)-----[ \t\r]*$/
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

interface OpenBlock {
  readonly label: string
  hasHeaders: boolean
  readonly lines: string[]
}

/**
 * The blocks of a PEM text, as RFC 7468 describes it, read leniently: text outside blocks is ignored (section 5.2), and
 * so are malformed blocks: without an end, with another label at the end, or with data that is not base64. Parsed line
 * by line, so that the time is linear in the length for any input.
 */
export function pemBlocks(text: string): PemBlock[] {
  const blocks: PemBlock[] = []
  let open: OpenBlock | undefined
  for (const line of text.split('\n')) {
    const beginning = begin.exec(line)
    if (beginning) {
      open = { label: beginning[1] ?? '', hasHeaders: false, lines: [] }
      continue
    }
    if (!open) continue
    const ending = end.exec(line)
    if (ending) {
      const data = open.lines.join('')
      if (ending[1] === open.label && base64.test(data))
        blocks.push({ label: open.label, hasHeaders: open.hasHeaders, bytes: Buffer.from(data, 'base64') })
      open = undefined
    } else if (open.lines.length === 0 && line.includes(':')) open.hasHeaders = true
    else open.lines.push(line.replace(/[ \t\r]+/g, ''))
  }
  return blocks
}

/** One block as text, in lines of 64 characters. */
export function toPem(label: string, bytes: Uint8Array): string {
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')
}
