import { Double, field, Int32, Int64, IntOrString, ListOf, MapOf, Quantity, Raw, Struct, Text } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { placesOfPatch, rejectNonIntegers } from './non-integers.js'
import { buildTypeModel, type StructNode } from './type-model.js'

const Part = Struct('acme.v1.Part', { count: field(1, Int64()) })
const Thing = Struct('acme.v1.Thing', {
  size: field(1, Int32()),
  port: field(2, IntOrString()),
  ratio: field(3, Double()),
  cpu: field(4, Quantity()),
  any: field(5, Raw()),
  name: field(6, Text()),
  parts: field(7, ListOf(Part)),
  counts: field(8, MapOf(Int32())),
  form: field(9, Raw('acme.v1.PartOrParts', [{}], { object: { number: 1, of: Part }, list: { number: 2, of: Part } })),
})
const model = buildTypeModel(Thing) as StructNode
const read = (text: string) => rejectNonIntegers(text, 'Thing', () => model)

const odd = suite('non-integers where the schema has integers')

for (const text of [
  '{"size":1,"ratio":1.5,"cpu":0.1,"any":{"x":[1.0,1e3]},"name":"1.0, 2e5 }"}',
  '{"size":-0,"ratio":0.0,"cpu":0e5,"parts":[{"count":12}],"counts":{"a":1}}',
  '{"unknown":1.0,"parts":[{"unknown":{"count":1.0}}]}',
  '{"name":"[1.0]","ratio":1e300}',
])
  odd(`${text} has none`, () => read(text))

const refused: Record<string, RegExp> = {
  '{"size":1e-999999999}': /number 1e-999999999 at size is out of range/,
  '{"size":1.0}': /cannot unmarshal number 1\.0 into Go struct field Thing\.size of type int32/,
  '{"size": 1e2 }': /1e2 .*Thing\.size/,
  '{"size":0.99999999999999999999}': /Thing\.size/,
  '{"port":1E0}': /Thing\.port of type int32/,
  '{"parts":[{"count":1},{"count":2.0}]}': /Thing\.parts\[1\]\.count of type int64/,
  '{"counts":{"a":1,"b":3.0}}': /Thing\.counts\.b/,
  '{"form":{"count":1.0}}': /Thing\.form\.count of type int64/,
  '{"form":[{"count":1.0}]}': /Thing\.form\[0\]\.count of type int64/,
  '{"ratio":1e400}': /ratio is out of range/,
  '{"cpu":1e-400}': /cpu is out of range/,
  '{"any":{"deep":[0,-1e999]}}': /any\.deep\[1\] is out of range/,
  '{"unknown":[1e400]}': /out of range/,
}
for (const [text, message] of Object.entries(refused))
  odd(`${text} has one`, () => assert.throws(() => read(text), message))

odd('a whole number may be written otherwise where values are read without their type first', () => {
  const patch = (text: string) =>
    rejectNonIntegers(text, 'Thing', () => model, { takesWhole: true, refuse: why => new Error(`patch: ${why}`) })
  patch('{"size":1.0,"parts":[{"count":1e2}]}')
  assert.throws(() => patch('{"size":1.5}'), /^patch: .*1\.5/)
  assert.throws(() => patch('{"size":1e400}'), /out of range/)
})

odd('a JSON patch is checked against the types of its paths', () => {
  const patch = (operations: string) =>
    rejectNonIntegers(operations, 'Thing', () => placesOfPatch(JSON.parse(operations), model))
  patch('[{"op":"replace","path":"/ratio","value":1.0},{"op":"add","path":"/nowhere/x","value":1.0}]')
  assert.throws(
    () => patch('[{"op":"replace","path":"/ratio","value":1},{"op":"add","path":"/size","value":1.0}]'),
    /\[1\]\.value/,
  )
  assert.throws(() => patch('[{"value":{"count":1.0},"path":"/parts/-","op":"add"}]'), /count/)
  assert.throws(() => patch('[{"op":"add","path":"/counts/a~1b","value":1.0}]'), /value/)
  patch('[{"op":"add","path":7,"value":1.0},null,{"value":2.0},5]')
})

odd('deep and long texts take no time', () => {
  const before = process.cpuUsage()
  read(`${'{"any":['.repeat(100_000)}1.5${']}'.repeat(100_000)}`)
  read(`{"any":[${'1.5,'.repeat(500_000)}1]}`)
  read(`{"name":"${':1.0 '.repeat(200_000)}"}`)
  const { user, system } = process.cpuUsage(before)
  assert.ok(user + system < 2_000_000, `${user + system} µs`)
})

odd.run()
