import { readdirSync, readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compileProtobuf } from '../../kernel/representation/protobuf/codec.js'
import { unwrapEnvelope, wrapEnvelope } from '../../kernel/representation/protobuf/envelope.js'
import { WireWriter } from '../../kernel/representation/protobuf/wire-writer.js'
import { compileDecoder } from '../../kernel/schema/decode.js'
import type { StructNode } from '../../kernel/schema/type-model.js'
import { readProtobufBody } from '../golden/protobuf-body.js'
import { builtInTypes } from './built-in-types.js'

/** A recorded message: its fields by number, with those that hold an empty value left out. */
type Recorded = { pb: [number: number, value: Recorded | string | number][] }
interface RecordedBody {
  typeMeta: { apiVersion: string; kind: string }
  raw: Recorded
}

const scenarios = new URL('../../../test/golden/scenarios/protobuf/', import.meta.url)
const recordings = readdirSync(scenarios).flatMap(file => {
  const { steps } = JSON.parse(readFileSync(new URL(file, scenarios), 'utf8')) as {
    steps: { expect?: { body?: { protobuf?: RecordedBody } } }[]
  }
  return steps.flatMap(step => step.expect?.body?.protobuf ?? []).map(body => ({ file, body: withoutWildcards(body) }))
})

/** Wildcards become values of their type; what was not recorded (managed fields) goes. */
function withoutWildcards(body: RecordedBody): RecordedBody {
  const text = JSON.stringify(body)
    .replaceAll(/,?\[17,"<any>"\]/g, '')
    .replaceAll('"<unixtime>"', '1700000000')
  return JSON.parse(text.replaceAll('"pb":[,', '"pb":[')) as RecordedBody
}

function write({ pb }: Recorded, writer: WireWriter): void {
  for (const [number, value] of pb) {
    if (typeof value === 'number') {
      writer.unsigned(number << 3).integer(value)
      continue
    }
    writer.unsigned((number << 3) | 2)
    if (typeof value === 'string') {
      writer.text(value)
      continue
    }
    const start = writer.begin()
    write(value, writer)
    writer.end(start)
  }
}

const recorded = suite('recorded Protobuf')

recorded('messages of built-in types decode and encode to the same fields', async () => {
  const types = await builtInTypes()
  let compared = 0
  for (const { file, body } of recordings) {
    const type = kindOf(types, body.typeMeta.kind)
    if (!type) continue
    const writer = new WireWriter()
    write(body.raw, writer)
    const codec = compileProtobuf(type)
    const object = compileDecoder(type)(codec.decode(unwrapEnvelope(wrapEnvelope(body.typeMeta, writer.toBytes())).raw))
    const again = wrapEnvelope(body.typeMeta, codec.encode(object))
    assert.equal(readProtobufBody(again, body), body, `${file}: ${body.typeMeta.kind}`)
    const onceMore = codec.encode(compileDecoder(type)(codec.decode(unwrapEnvelope(again).raw)))
    assert.ok(again.equals(wrapEnvelope(body.typeMeta, onceMore)), `${file}: bytes are not stable`)
    compared++
  }
  assert.ok(compared >= 8, `only ${compared} recordings were compared`)
})

const kindOf = (types: Map<string, StructNode>, kind: string): StructNode | undefined =>
  [...types].find(([name]) => name.endsWith(`.v1.${kind}`))?.[1]

recorded.run()
