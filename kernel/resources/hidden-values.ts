import { ApiError, type ApiObject, isRecord, type StatusDetails } from 'orch/sdk'
import type { Redaction } from '../contracts/redaction.js'
import { derive } from '../schema/derive.js'
import type { StructNode, TypeNode } from '../schema/type-model.js'

/** The replacement for a hidden value. */
const mask = '[redacted]'
/** The replacement for a text that takes too long to search. */
const withheld = 'the message is not shown: it may quote what was sent'
/** Values times characters of the text: about 50 ms. */
const maxSearch = 50_000_000
/** Shorter values may be ordinary words, so they are hidden only between quotes. */
const minUnquotedLength = 6

/**
 * The values that a request to a sensitive type carried, so that no message repeats them: neither the response nor
 * a log, whatever code wrote the message. Names of fields and keys, metadata except annotations, and top-level texts of the
 * object (the type of a Secret) are not secret.
 */
export class HiddenValues implements Redaction {
  readonly #model: StructNode
  readonly #sources: unknown[] = []

  constructor(model: StructNode) {
    this.#model = model
  }

  /** Registers an object of the type, or a patch of one. It is examined only when an error occurs. */
  add(source: unknown): void {
    this.#sources.push(source)
  }

  /** The text without any of the values. */
  removeFrom(text: string): string {
    const values = this.#values()
    if (values.length * text.length > maxSearch) return withheld
    return values.reduce(masked, text)
  }
  /** The error without any of the values, and without its cause, which could contain anything. */
  removeFromError({ code, reason, message, details }: ApiError): ApiError {
    const causes = details?.causes?.map(cause => ({ ...cause, message: this.removeFrom(cause.message ?? '') }))
    const kept: StatusDetails | undefined = causes ? { ...details, causes } : details
    return new ApiError(code, reason, this.removeFrom(message), kept)
  }

  #values(): string[] {
    const found = new Set<string>()
    for (const source of this.#sources) {
      if (Array.isArray(source)) for (const operation of source) collectOperation(operation, found)
      else collectObject(source, this.#model, found)
    }
    const known = derive(this.#model, fieldNames)
    return [...found].filter(value => !known.has(value)).sort((left, right) => right.length - left.length)
  }
}

/** An object of a sensitive type as it may be shown: with the keys of its maps, and its public fields. */
export function withoutValues({ metadata, ...rest }: ApiObject): ApiObject {
  const { annotations, ...others } = metadata
  const shown = annotations === undefined ? others : { ...others, annotations: maskedMap(annotations) }
  const fields = Object.entries(rest).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : maskedMap(value),
  ])
  return { metadata: shown, ...Object.fromEntries(fields) } as ApiObject
}
function maskedMap(value: unknown): unknown {
  if (!isRecord(value)) return typeof value === 'boolean' ? value : mask
  return Object.fromEntries(Object.keys(value).map(key => [key, mask]))
}

function collectObject(object: unknown, model: StructNode, found: Set<string>): void {
  if (!isRecord(object)) return collect(object, found)
  const { apiVersion: _, kind: __, metadata, ...rest } = object
  if (isRecord(metadata)) collectMap(metadata['annotations'], found)
  else collect(metadata, found)
  for (const [name, value] of Object.entries(rest)) {
    const node = model.fields.get(name)?.node
    if (node?.is === 'scalar' && node.scalar === 'string' && typeof value === 'string') continue
    collectMap(value, found)
  }
}

/** An operation of a JSON Patch. */
function collectOperation(operation: unknown, found: Set<string>): void {
  if (!isRecord(operation)) return collect(operation, found)
  const { op, path, value } = operation
  if (!/^(add|copy|move|remove|replace|test)$/.test(String(op))) collect(op, found)
  const isPublic = typeof path === 'string' && /^\/metadata\/(?!annotations)/.test(path)
  if (!isPublic) collectMap(value, found)
}

/** The keys of a map are shown, like names of fields; their values are not. */
function collectMap(value: unknown, found: Set<string>): void {
  if (isRecord(value)) for (const each of Object.values(value)) collect(each, found)
  else collect(value, found)
}

function collect(value: unknown, found: Set<string>): void {
  // Not recursive: what was sent may nest deeper than the stack.
  const open = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next === 'string') collectText(next, found)
    else if (typeof next === 'number') found.add(String(next))
    else if (typeof next === 'object' && next !== null) {
      for (const [key, inner] of Object.entries(next)) {
        if (!Array.isArray(next)) collectText(key, found)
        open.push(inner)
      }
    }
  }
}

/** A text in every form in which a message may contain it: unchanged, line by line, JSON-escaped, base64. */
function collectText(text: string, found: Set<string>): void {
  const encoded = Buffer.from(text).toString('base64')
  const isEncoded = text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text)
  const decoded = isEncoded ? Buffer.from(text, 'base64').toString() : ''
  for (const form of [text, encoded, decoded]) {
    for (const piece of form.split(/[\r\n"\\]+/)) if (piece.trim() !== '') found.add(piece.trim())
  }
}

function masked(text: string, value: string): string {
  if (value.length < minUnquotedLength) return text.replaceAll(`"${value}"`, `"${mask}"`)
  // A message may be truncated within a value, so its beginning is hidden as well.
  const begin = value.slice(0, minUnquotedLength)
  let result = ''
  let from = 0
  for (let at = text.indexOf(begin); at >= 0; at = text.indexOf(begin, from)) {
    let length = begin.length
    while (length < value.length && text[at + length] === value[length]) length++
    result += text.slice(from, at) + mask
    from = at + length
  }
  return result + text.slice(from)
}

/** The names of all fields of a type. Messages need them, even if a value is the same word. */
function fieldNames(model: StructNode): Set<string> {
  const names = new Set(['true', 'false'])
  collectNames(model, names, new Set())
  return names
}

function collectNames(node: TypeNode, names: Set<string>, seen: Set<TypeNode>): void {
  if (seen.has(node)) return
  seen.add(node)
  if (node.is === 'map') collectNames(node.value, names, seen)
  else if (node.is === 'list') collectNames(node.item, names, seen)
  else if (node.is === 'struct')
    for (const { name, node: below } of node.fields.values()) {
      names.add(name)
      collectNames(below, names, seen)
    }
}
