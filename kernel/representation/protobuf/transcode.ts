import type { FieldNode, ListNode, MapNode, ScalarKind, StructNode, TypeNode } from '../../schema/type-model.js'
import { EncoderCompiler, unsetOnWire } from './encode-message.js'
import { delimited, tag, varint } from './encode-scalar.js'
import { notPlain } from './json-text.js'
import { rememberLatest, type ValueTranscoder } from './latest-value.js'
import { type Member, type MessageLayout, messageLayout } from './message-layout.js'
import { TranscodeJob } from './transcode-job.js'
import { WireWriter } from './wire-writer.js'

/**
 * Transcodes stored JSON to Protobuf byte by byte: texts are copied, objects are never built. The result is the same as encoding the
 * parsed object: a struct is scanned once for the positions of its fields, which are then written in the order of their numbers.
 * It takes four fifths of the CPU of parsing and encoding, for small and large objects alike, and creates no garbage.
 * `node dist/test/bench/structure-cost.js` fails if it is less than 1.1 times as fast: its 500 lines would no longer be justified.
 */
export class Transcoder extends TranscodeJob {
  readonly #write: StructTranscoder

  constructor(node: StructNode) {
    super()
    this.#write = new TranscoderCompiler().struct(node)
  }

  /** Sets the text that contains the objects to transcode. */
  begin(bytes: Buffer): void {
    this.text.begin(bytes)
    this.writer.reset()
  }

  /** Appends the object between these positions. If it has to be parsed, returns false and writes nothing. */
  append(start: number, end: number): boolean {
    const before = this.writer.length
    this.leave(0)
    try {
      this.text.index(start, end)
      if (this.#write.transcode(this, start) === end) return true
    } catch (failure) {
      if (failure !== notPlain) throw failure
    }
    this.writer.rewind(before)
    return false
  }
}

/** Writes one field of the struct whose positions start at `base`. */
type Step = (job: TranscodeJob, base: number) => void

const closingBrace = 0x7d
const closingBracket = 0x5d
const comma = 0x2c
const openingBrace = 0x7b
const quote = 0x22

/** An estimate of the encoded size of a struct, without names, quotes and commas. Only its number of digits matters. */
const guessLength = (textLength: number): number => (textLength * 5) >> 3

class StructTranscoder {
  readonly #names: Buffer[] = []
  readonly steps: Step[] = []

  /** The index of a field; its start is at `2 * index`. */
  place(name: string): number {
    return this.#names.push(Buffer.from(name)) - 1
  }

  /** Writes the struct that starts here; returns its end. */
  transcode(job: TranscodeJob, start: number): number {
    const count = this.#names.length
    const base = job.enter(count)
    const { places } = job
    for (let place = 0; place < count; place++) places[base + 2 * place] = -1
    const end = this.#read(job, start, base)
    const { steps } = this
    for (let index = 0; index < steps.length; index++) steps[index]!(job, base)
    job.leave(base)
    return end
  }

  #read({ text, places }: TranscodeJob, start: number, base: number): number {
    const { bytes } = text
    if (bytes[start] !== openingBrace) throw notPlain
    let position = start + 1
    if (bytes[position] === closingBrace) return position + 1
    let place = -1
    for (;;) {
      const keyEnd = text.endOfKey(position)
      const from = keyEnd + 2
      const to = text.skip(from)
      const found = this.#find(bytes, position + 1, keyEnd, place + 1)
      if (found >= 0 && !text.isNull(from)) {
        places[base + 2 * found] = from
        places[base + 2 * found + 1] = to
      }
      if (found >= 0) place = found
      else if (text.hasEscape(position, keyEnd)) throw notPlain
      if (bytes[to] === closingBrace) return to + 1
      if (bytes[to] !== comma) throw notPlain
      position = to + 1
    }
  }

  /** Fields are mostly in the order of the schema, so the search starts after the previous one. */
  #find(bytes: Buffer, start: number, end: number, expected: number): number {
    const names = this.#names
    const { length } = names
    for (let tried = 0, place = expected; tried < length; tried++, place++) {
      if (place >= length) place = 0
      const name = names[place]!
      if (name.length !== end - start) continue
      let same = 0
      while (same < name.length && name[same] === bytes[start + same]) same++
      if (same === name.length) return place
    }
    return -1
  }
}

class TranscoderCompiler {
  readonly #encoders = new EncoderCompiler()
  readonly #structs = new Map<StructNode, StructTranscoder>()

  struct(node: StructNode): StructTranscoder {
    const known = this.#structs.get(node)
    if (known) return known
    const made = new StructTranscoder()
    // Registered before its fields are compiled: a struct may contain itself.
    this.#structs.set(node, made)
    this.#members(made, messageLayout(node), made.steps)
    return made
  }

  #members(struct: StructTranscoder, layout: MessageLayout, steps: Step[]): void {
    for (const member of layout.members) steps.push(this.#member(struct, member))
  }

  #member(struct: StructTranscoder, member: Member): Step {
    if (member.is === 'field') return this.#field(struct, member.number, member.field)
    const steps: Step[] = []
    this.#members(struct, member.layout, steps)
    const head = tag(member.number, delimited)
    return (job, base) => {
      const start = job.writer.unsigned(head).begin()
      for (const step of steps) step(job, base)
      job.writer.end(start)
    }
  }

  #field(struct: StructTranscoder, number: number, field: FieldNode): Step {
    const at = 2 * struct.place(field.name)
    const write = this.#value(number, field.node)
    const unset = this.#unset(number, field)
    return (job, base) => {
      const start = job.places[base + at]!
      if (start >= 0) write(job, start, job.places[base + at + 1]!)
      else if (unset !== undefined) job.writer.append(unset)
    }
  }

  /** The bytes of an unset field. */
  #unset(number: number, field: FieldNode): Buffer | undefined {
    const zero = unsetOnWire(field)
    if (zero === undefined) return undefined
    const writer = new WireWriter(64)
    this.#encoders.value(number, field.node)(zero, writer)
    return writer.toBytes()
  }

  #value(number: number, node: TypeNode): ValueTranscoder {
    switch (node.is) {
      case 'struct': {
        const struct = this.struct(node)
        const head = tag(number, delimited)
        return (job, from, to) => {
          const guess = guessLength(to - from)
          const start = job.writer.unsigned(head).begin(guess)
          struct.transcode(job, from)
          job.writer.end(start, guess)
        }
      }
      case 'list':
        return this.#list(number, node)
      case 'map':
        return this.#map(number, node)
      case 'scalar':
        return node.forms ? this.#encoded(number, node) : this.#scalar(number, node, node.scalar)
      case 'unstructured':
        return this.#scalar(number, node, 'raw')
    }
  }

  #list(number: number, node: ListNode): ValueTranscoder {
    const write = this.#item(number, node.item)
    return (job, start) => {
      const { text } = job
      if (text.bytes[start + 1] === closingBracket) return
      for (let position = start + 1; ; position++) {
        const end = text.skip(position)
        if (text.isNull(position)) throw notPlain
        write(job, position, end)
        position = end
        if (text.bytes[position] === closingBracket) return
        if (text.bytes[position] !== comma) throw notPlain
      }
    }
  }

  #map(number: number, node: MapNode): ValueTranscoder {
    const head = tag(number, delimited)
    const keyHead = tag(1, delimited)
    const write = this.#item(2, node.value)
    return (job, start) => {
      const { text, writer } = job
      const { bytes } = text
      if (bytes[start] !== openingBrace) throw notPlain
      if (bytes[start + 1] === closingBrace) return
      const base = job.enter(0)
      let count = 0
      for (let position = start + 1; ; ) {
        const keyEnd = text.endOfKey(position)
        const end = text.skip(keyEnd + 2)
        if (text.isNull(keyEnd + 2) || !text.isAscii(position + 1, keyEnd)) throw notPlain
        const at = job.enter(1)
        job.places[at] = position + 1
        job.places[at + 1] = end
        count++
        if (bytes[end] === closingBrace) break
        if (bytes[end] !== comma) throw notPlain
        position = end + 1
      }
      job.sortKeys(base, count)
      for (let entry = 0; entry < count; entry++) {
        const key = job.places[base + 2 * entry]!
        const keyEnd = text.endOfKey(key - 1)
        const end = job.places[base + 2 * entry + 1]!
        const begun = writer.unsigned(head).begin(end - key)
        writer.unsigned(keyHead).copy(bytes, key, keyEnd)
        write(job, keyEnd + 2, end)
        writer.end(begun, end - key)
      }
      job.leave(base)
    }
  }

  /** A list cannot be a value inside a list or map; it is wrapped in a message, as field 1. */
  #item(number: number, node: TypeNode): ValueTranscoder {
    if (node.is !== 'list') return this.#value(number, node)
    const write = this.#value(1, node)
    const head = tag(number, delimited)
    return (job, start, end) => {
      const begun = job.writer.unsigned(head).begin()
      write(job, start, end)
      job.writer.end(begun)
    }
  }

  #scalar(number: number, node: TypeNode, kind: ScalarKind): ValueTranscoder {
    const head = tag(number, delimited)
    if (kind === 'string') {
      return ({ text, writer }, start, end) => {
        writer.unsigned(head)
        if (text.bytes[start] !== quote) throw notPlain
        if (text.hasEscape(start, end)) writer.text(text.value(start, end) as string)
        else writer.copy(text.bytes, start + 1, end - 1)
      }
    }
    if (kind === 'raw') {
      const inner = tag(1, delimited)
      return ({ text, writer }, start, end) => {
        const begun = writer.unsigned(head).begin()
        writer.unsigned(inner).copy(text.bytes, start, end)
        writer.end(begun)
      }
    }
    if (kind === 'boolean') {
      const yesOrNo = tag(number, varint)
      return ({ text, writer }, start) => void writer.unsigned(yesOrNo).unsigned(text.bytes[start] === 0x74 ? 1 : 0)
    }
    if (kind === 'time') return rememberLatest(this.#encoded(number, node))
    return this.#encoded(number, node)
  }

  /** Short values are parsed and passed to the encoder. */
  #encoded(number: number, node: TypeNode): ValueTranscoder {
    const encode = this.#encoders.value(number, node)
    return ({ text, writer }, start, end) => {
      const isText = text.bytes[start] === quote && !text.hasEscape(start, end)
      encode(isText ? text.bytes.toString('utf8', start + 1, end - 1) : text.value(start, end), writer)
    }
  }
}
