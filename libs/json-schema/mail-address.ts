import { isValidIp } from 'orch/sdk/validation'

/**
 * Whether a text is one mail address as Go's `mail.ParseAddress` accepts it (RFC 5322): `a@b.c`, `"a b"@c`, `Ann <a@b.c>`
 * or a group of one, with comments in parentheses. Reads the text once, in linear time.
 */
export function isMailAddress(text: string): boolean {
  const reader = new AddressReader(text)
  return reader.readAddresses(true) === 1 && reader.skipComments() && reader.isAtEnd
}

/** Visible characters; those outside of ASCII all are. */
const isVisible = (char: string) => char > ' ' && char !== '\x7f'
const isBlank = (char: string) => char === ' ' || char === '\t'
/** Characters of an atom, which may contain dots. */
const isOfAtom = (char: string) => isVisible(char) && !'()<>[]:;@\\,"'.includes(char)

class AddressReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length
  }

  /** Reads an address, or a group of them. Returns their number; undefined if there is none. */
  readAddresses(mayBeGroup: boolean): number | undefined {
    this.#skipBlanks()
    if (this.isAtEnd) return undefined
    if (this.#readPlainAddress()) {
      this.#skipBlanks()
      return this.#peek() !== '(' || this.#readComment() ? 1 : undefined
    }
    if (this.#peek() !== '<' && !this.#readPhrase()) return undefined
    this.#skipBlanks()
    if (mayBeGroup && this.#consume(':')) return this.#readGroup()
    return this.#consume('<') && this.#readPlainAddress() && this.#consume('>') ? 1 : undefined
  }

  /** Skips blanks and comments; false if a comment is not closed. */
  skipComments(): boolean {
    this.#skipBlanks()
    while (this.#peek() === '(') {
      if (!this.#readComment()) return false
      this.#skipBlanks()
    }
    return true
  }

  #peek(): string {
    return this.#text.charAt(this.#at)
  }
  #consume(char: string): boolean {
    const isNext = this.#peek() === char
    if (isNext) this.#at++
    return isNext
  }
  #skipBlanks(): void {
    while (isBlank(this.#peek())) this.#at++
  }

  #readGroup(): number | undefined {
    let count = 0
    this.#skipBlanks()
    while (!this.#consume(';')) {
      if (count > 0 && !this.#consume(',')) return undefined
      const read = this.readAddresses(false)
      if (read === undefined || !this.skipComments()) return undefined
      count += read
    }
    return this.skipComments() ? count : undefined
  }

  /** Reads `local@domain`. If that fails, nothing is read. */
  #readPlainAddress(): boolean {
    const start = this.#at
    this.#skipBlanks()
    const hasLocalPart = this.#peek() === '"' ? (this.#readQuoted() ?? 0) > 0 : this.#readAtom()
    if (hasLocalPart && this.#consume('@')) {
      this.#skipBlanks()
      if (this.#peek() === '[' ? this.#readAddressLiteral() : this.#readAtom()) return true
    }
    this.#at = start
    return false
  }

  /** Reads the words of a name. */
  #readPhrase(): boolean {
    for (let words = 0; ; words++) {
      if (words > 0 && !this.skipComments()) return false
      this.#skipBlanks()
      if (this.isAtEnd) return words > 0
      const isRead = this.#peek() === '"' ? this.#readQuoted() !== undefined : this.#readAtom(true)
      if (!isRead) return words > 0
    }
  }

  /** Reads an atom. `mayHaveAnyDots` allows dots at its ends and next to each other. */
  #readAtom(mayHaveAnyDots = false): boolean {
    const start = this.#at
    while (!this.isAtEnd && isOfAtom(this.#peek())) this.#at++
    const atom = this.#text.slice(start, this.#at)
    if (atom === '') return false
    return mayHaveAnyDots || !(atom.startsWith('.') || atom.endsWith('.') || atom.includes('..'))
  }

  /** Reads a text in quotes. Returns its length. */
  #readQuoted(): number | undefined {
    let at = this.#at + 1
    for (let length = 0; at < this.#text.length; length++, at++) {
      const char = this.#text.charAt(at)
      if (char === '"') {
        this.#at = at + 1
        return length
      }
      if (char === '\\') at++
      const read = this.#text.charAt(at)
      if (read === '' || !(isVisible(read) || isBlank(read))) return undefined
    }
    return undefined
  }

  /** Reads a comment in parentheses, which may nest. */
  #readComment(): boolean {
    let depth = 0
    do {
      const char = this.#peek()
      if (char === '\\' && this.#at + 1 < this.#text.length) this.#at++
      else if (char === '(') depth++
      else if (char === ')') depth--
      this.#at++
    } while (depth > 0 && !this.isAtEnd)
    return depth === 0
  }

  /** Reads an IP address in brackets. */
  #readAddressLiteral(): boolean {
    const end = this.#text.indexOf(']', this.#at)
    if (end < 0) return false
    const isAddress = isValidIp(this.#text.slice(this.#at + 1, end)).length === 0
    if (isAddress) this.#at = end + 1
    return isAddress
  }
}
