import { writeJson } from '../../../libs/json/index.js'
import type { ScalarKind } from '../../schema/type-model.js'
import type { WireWriter } from './wire-writer.js'

/** Writes one value with the tag it was compiled for. */
export type ValueEncoder = (value: unknown, writer: WireWriter) => void

export const varint = 0
const fixed64 = 1
export const delimited = 2
export const tag = (number: number, wireType: number): number => ((number << 3) | wireType) >>> 0

/** How each kind of scalar is written as the field of a given number. */
export const scalarEncoders: Readonly<Record<ScalarKind, (number: number) => ValueEncoder>> = {
  string(number) {
    const head = tag(number, delimited)
    return (value, writer) => void writer.unsigned(head).text(value as string)
  },
  boolean(number) {
    const head = tag(number, varint)
    return (value, writer) => void writer.unsigned(head).unsigned(value ? 1 : 0)
  },
  int32(number) {
    const head = tag(number, varint)
    return (value, writer) => void writer.unsigned(head).integer(value as number)
  },
  int64(number) {
    const head = tag(number, varint)
    return (value, writer) => void writer.unsigned(head).integer(value as number)
  },
  double(number) {
    const head = tag(number, fixed64)
    return (value, writer) => void writer.unsigned(head).double(value as number)
  },
  bytes(number) {
    const head = tag(number, delimited)
    return (value, writer) => void writer.unsigned(head).bytes(Buffer.from((value as string | null) ?? '', 'base64'))
  },
  time: number => timeEncoder(number, () => 0),
  microTime: number => timeEncoder(number, text => Number(text.slice(20, 26)) * 1000),
  quantity: number => wrappedText(number, String),
  intOrString(number) {
    const head = tag(number, delimited)
    return (value, writer) => {
      const isText = typeof value === 'string'
      const start = writer.unsigned(head).begin()
      writer.unsigned(tag(1, varint)).unsigned(isText ? 1 : 0)
      writer.unsigned(tag(2, varint)).integer(isText ? 0 : (value as number))
      writer.unsigned(tag(3, delimited)).text(isText ? value : '')
      writer.end(start)
    }
  },
  raw: number => wrappedText(number, writeJson),
}

/** A message whose field 1 is a text: a quantity, or any JSON. */
function wrappedText(number: number, textOf: (value: unknown) => string): ValueEncoder {
  const head = tag(number, delimited)
  return (value, writer) => {
    const start = writer.unsigned(head).begin()
    writer.unsigned(tag(1, delimited)).text(textOf(value))
    writer.end(start)
  }
}

/** Objects have times in their canonical form, so no check is needed. */
function timeEncoder(number: number, nanosOf: (text: string) => number): ValueEncoder {
  const head = tag(number, delimited)
  // The times of one object, and of objects written together, are mostly the same.
  let latest = ''
  let latestSeconds = 0
  return (value, writer) => {
    const start = writer.unsigned(head).begin()
    if (value) {
      if (value !== latest) {
        latest = value as string
        latestSeconds = Math.floor(Date.parse(latest) / 1000)
      }
      writer.unsigned(tag(1, varint)).integer(latestSeconds)
      writer.unsigned(tag(2, varint)).integer(nanosOf(value as string))
    }
    writer.end(start)
  }
}
