import { createHash } from 'node:crypto'
import type { JsonObject } from '../../libs/json/index.js'
import { keepCompressed } from '../contracts/kept-body.js'
import type { Turns } from '../contracts/turns.js'

export interface OpenApiAnswer {
  readonly contentType: string
  readonly body: Buffer
  readonly etag: string
  /** The hash of the contents, the same for all formats; clients cache documents under it forever. */
  readonly hash?: string
}

/** Caches the JSON text of each item of a document: most stay the same when types change. */
export class ItemTexts {
  readonly #texts = new WeakMap<object, string>()

  of(item: unknown): string {
    if (typeof item !== 'object' || item === null) return JSON.stringify(item)
    let text = this.#texts.get(item)
    if (text === undefined) this.#texts.set(item, (text = JSON.stringify(item)))
    return text
  }
}

/** Texts are collected up to this length before they are converted to a buffer. */
const chunkLength = 2 ** 18

/** Collects the bytes of an answer, with its hash. */
class AnswerWriter {
  readonly #chunks: Buffer[] = []
  readonly #hash = createHash('sha512')
  #pending = ''

  write(text: string): void {
    this.#pending += text
    if (this.#pending.length >= chunkLength) this.#flush()
  }
  finish(contentType: string): OpenApiAnswer {
    this.#flush()
    const hash = this.#hash.digest('hex').toUpperCase()
    return { contentType, body: keepCompressed(Buffer.concat(this.#chunks)), etag: `"${hash}"`, hash }
  }
  #flush(): void {
    const chunk = Buffer.from(this.#pending)
    this.#hash.update(chunk)
    this.#chunks.push(chunk)
    this.#pending = ''
  }
}

/** A response of existing bytes. */
export const answerOf = (contentType: string, body: Buffer): OpenApiAnswer => ({
  contentType,
  body: keepCompressed(body),
  etag: `"${createHash('sha512').update(body).digest('hex').toUpperCase()}"`,
})

/** Part of a document: literal text, or an object whose items are written one by one. */
export type Section = string | JsonObject

/** A document with the objects at these paths as separate sections: they may have thousands of items. */
export function sectionsOf(document: JsonObject, paths: readonly string[]): Section[] {
  const sections: Section[] = []
  let text = ''
  const write = (value: JsonObject, at: string) => {
    let separator = '{'
    for (const [name, each] of Object.entries(value)) {
      const path = at === '' ? name : `${at}.${name}`
      text += `${separator}${JSON.stringify(name)}:`
      separator = ','
      if (paths.includes(path)) {
        sections.push(text, each as JsonObject)
        text = ''
      } else if (paths.some(other => other.startsWith(`${path}.`))) write(each as JsonObject, path)
      else text += JSON.stringify(each)
    }
    text += separator === '{' ? '{}' : '}'
  }
  write(document, '')
  return [...sections, text]
}

/** Writes a document as JSON, in turns. */
export async function writeJson(
  contentType: string,
  sections: readonly Section[],
  texts: ItemTexts,
  turns: Turns,
): Promise<OpenApiAnswer> {
  const writer = new AnswerWriter()
  for (const section of sections) {
    if (typeof section === 'string') {
      writer.write(section)
      continue
    }
    let separator = '{'
    for (const name in section) {
      writer.write(`${separator}${JSON.stringify(name)}:`)
      writer.write(texts.of(section[name]))
      separator = ','
      const wait = turns.next()
      if (wait) await wait
    }
    writer.write(separator === '{' ? '{}' : '}')
  }
  // Joining megabytes takes a while, so other requests go first.
  await turns.next()
  return writer.finish(contentType)
}
