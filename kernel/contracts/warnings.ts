/** Clients reject responses with large headers: beyond this many characters every warning is truncated. */
const maxTotalLength = 4096
const cutLength = 256

/** The warnings of a response, each text once. */
export class Warnings {
  readonly #given = new Set<string>()
  #headers: string[] = []
  #length = 0
  #areCut = false

  /** Adds a text. Returns the values of all Warning headers so far; undefined when this one changes nothing. */
  add(text: string): readonly string[] | undefined {
    const isFull = this.#areCut && this.#length >= maxTotalLength
    if (text === '' || isFull || this.#given.has(text) || breaksHeaders(text)) return undefined
    this.#given.add(text)
    if (!this.#areCut && this.#length + lengthOf(text) > maxTotalLength) this.#cutAll()
    else this.#show(this.#areCut ? cut(text) : text)
    return this.#headers
  }

  /** There are more than fit: earlier ones are truncated as well, to make room. */
  #cutAll(): void {
    this.#areCut = true
    this.#length = 0
    this.#headers = []
    for (const text of this.#given) this.#show(cut(text))
  }
  #show(text: string): void {
    this.#length += lengthOf(text)
    this.#headers.push(`299 - "${text.replace(/[\\"]/g, '\\$&')}"`)
  }
}

/** Line breaks and other control characters are not allowed in a header. */
const breaksHeaders = (text: string) => /[\x00-\x1f\x7f-\x9f]/.test(text)
const lengthOf = (text: string) => [...text].length
const cut = (text: string) => [...text].slice(0, cutLength).join('')
