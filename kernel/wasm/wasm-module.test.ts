import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { op, packed, replyModule, tinyModule } from './testing/reply-module.js'
import { WasmFailure } from './wasm-failure.js'
import { WasmModule } from './wasm-module.js'

const modules = suite('WebAssembly modules')
const limits = { fuel: 1_000_000, memoryPages: 16, replyBytes: 1000 }
const ignoreLines = () => undefined
const compile = (bytes: Uint8Array) => WasmModule.compile(bytes, ['run'], limits, ignoreLines)
const failure = (why: RegExp) => (error: unknown) => error instanceof WasmFailure && why.test(error.message)

modules('a function is called with JSON and replies with JSON', async () => {
  const module = await compile(replyModule('{"allowed":true,"text":"Grüße"}'))
  assert.equal(module.call('run', { request: 'ä' }), { allowed: true, text: 'Grüße' })
})

modules('the request is written to the address that alloc returns', async () => {
  const echo = [...op.i64(packed(65_536, 0)), ...op.localGet(1), 0xad, 0x84]
  const module = await compile(replyModule('', { answer: echo }))
  assert.equal(module.call('run', { request: { name: 'Zoë' } }), { request: { name: 'Zoë' } })
})

modules('no state survives a call, and memory does not grow', async () => {
  // Counts calls in a global and in memory, takes a page each time, and fails from the second call on.
  const failSecond = [
    ...[...op.globalGet(0), 0x04, 0x40, ...op.unreachable, ...op.end, ...op.i32(1), ...op.globalSet(0)],
    ...[...op.i32(8), 0x28, 2, 0, 0x04, 0x40, ...op.unreachable, ...op.end, ...op.i32(8), ...op.i32(1), ...op.i32Store],
    ...[...op.i32(1), ...op.memoryGrow, ...op.i32(-1), 0x46, 0x04, 0x40, ...op.unreachable, ...op.end],
  ]
  const module = await compile(replyModule('{}', { before: failSecond, module: { globals: [0] } }))
  for (let call = 0; call < 200; call++) assert.equal(module.call('run', {}), {})
})

modules('a key __proto__ is data like any other: objects of clients may have it', async () => {
  const module = await compile(replyModule('{"object":{"__proto__":{"admin":true}}}'))
  const { object } = module.call('run', {})
  assert.is(JSON.stringify(object), '{"__proto__":{"admin":true}}')
  assert.is((object as { admin?: boolean }).admin, undefined)
})

const endless = [...op.loop, ...op.br(0), ...op.end]
const growing = [...op.loop, ...op.i32(1), ...op.memoryGrow, ...op.drop, ...op.br(0), ...op.end]
const filling = [...op.loop, ...op.i32(0), ...op.i32(0), ...op.i32(65_536), ...op.memoryFill, ...op.br(0), ...op.end]
const nested = (levels: number): string => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`

/** What a hostile function does, and how the failure is described. The module must remain usable after each. */
const hostileCalls: Record<string, [Uint8Array, RegExp]> = {
  'an endless loop': [replyModule('{}', { before: endless }), /more than 1000000 units of fuel/],
  'an endless loop in alloc': [replyModule('{}', { alloc: [...endless, ...op.i32(0)] }), /units of fuel/],
  'recursion without end': [
    replyModule('{}', { before: [...op.localGet(0), ...op.localGet(1), ...op.call(1), ...op.drop] }),
    /units of fuel|too deeply/,
  ],
  'growing memory for ever': [replyModule('{}', { before: growing }), /units of fuel/],
  'filling memory for ever': [replyModule('{}', { before: filling }), /units of fuel/],
  'a trap': [replyModule('{}', { before: op.unreachable }), /trapped: unreachable/],
  'reading beyond memory': [replyModule('{}', { before: [...op.i32(-4), 0x28, 2, 0, ...op.drop] }), /trapped/],
  'a huge reply': [replyModule('{}', { answer: op.i64(packed(0, 100_000)) }), /at most 1000 are allowed/],
  'a reply that says to be larger than memory': [replyModule('', { answer: op.i64(-1n) }), /at most 1000/],
  'a reply outside of memory': [replyModule('', { answer: op.i64(packed(0x7fff_ffff, 10)) }), /not in its memory/],
  'a reply across the end of memory': [
    replyModule('', { answer: op.i64(packed(4 * 65_536 - 1, 10)) }),
    /not in its memory/,
  ],
  'alloc outside of memory': [replyModule('{}', { alloc: op.i32(-1) }), /enough room/],
  'alloc across the end of memory': [replyModule('{}', { alloc: op.i32(4 * 65_536 - 1) }), /enough room/],
  'an empty reply': [replyModule(''), /not JSON/],
  'a reply that is not JSON': [replyModule('allowed: true'), /not JSON/],
  'a reply that is no object': [replyModule('[1]'), /not a JSON object/],
  'a reply that is null': [replyModule('null'), /not a JSON object/],
  'bytes that are no UTF-8': [replyModule(Uint8Array.of(0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d)), /not UTF-8/],
  'deep nesting': [replyModule(nested(400)), /nests deeper/],
}
for (const [title, [bytes, why]] of Object.entries(hostileCalls))
  modules(`a call fails, and the next one has a new instance: ${title}`, async () => {
    const module = await compile(bytes)
    assert.throws(() => module.call('run', { request: 1 }), failure(why))
    assert.throws(() => module.call('run', { request: 1 }), failure(why))
    assert.is(Object.hasOwn(Object.prototype, 'admin'), false)
  })

const alloc = { name: 'alloc', takes: ['i32'], gives: ['i32'], code: op.i32(0) } as const
const run = { name: 'run', takes: ['i32', 'i32'], gives: ['i64'], code: op.i64(0n) } as const
const importing = (module: string, name: string) =>
  tinyModule({ imports: [{ module, name, takes: ['i32', 'i32'], gives: [] }], functions: [alloc, run], memory: [1] })

/** Modules that are not loaded. */
const refused: Record<string, [Uint8Array, RegExp]> = {
  'a file that is no module': [new TextEncoder().encode('export default {}'), /not a WebAssembly module/],
  'an import of the file system': [
    importing('wasi_snapshot_preview1', 'path_open'),
    /"wasi_snapshot_preview1.path_open"/,
  ],
  'an import of fetch': [importing('env', 'fetch'), /imports "env.fetch", which does not exist/],
  'an import named like a method of every object': [importing('constructor', 'prototype'), /"constructor.prototype"/],
  'an abort with other arguments': [importing('env', 'abort'), /must be \(i32, i32, i32, i32\)/],
  'a trap in the start function': [
    replyModule('{}', { module: { functions: [{ code: op.unreachable }], start: 2 } }),
    /"start": it trapped/,
  ],
  'an endless start function': [replyModule('{}', { module: { functions: [{ code: endless }], start: 2 } }), /"start"/],
  'no memory': [tinyModule({ functions: [alloc, run] }), /no memory/],
  'too much memory': [replyModule('{}', { module: { memory: [1000] } }), /at most 16 are allowed/],
  'a function that does not exist': [tinyModule({ functions: [alloc], memory: [1] }), /no function "run"/],
  'a function of another type': [
    tinyModule({ functions: [alloc, { ...run, takes: ['i32'] }], memory: [1] }),
    /is \(i32\) -> \(i64\) and must be \(i32, i32\) -> \(i64\)/,
  ],
  'no alloc': [tinyModule({ functions: [run], memory: [1] }), /no function "alloc"/],
  'code that is not valid': [replyModule('{}', { before: op.i32Add }), /not valid/],
}
for (const [title, [bytes, why]] of Object.entries(refused))
  modules(`refused when it is loaded: ${title}`, async () => {
    const problem = await compile(bytes).then(
      () => 'it was loaded',
      (error: unknown) => error,
    )
    assert.ok(failure(why)(problem), String(problem))
  })

modules('lines are logged, as many as one call may log, and shortened', async () => {
  const lines: string[] = []
  const log = [...op.i32(65_536), ...op.localGet(1), ...op.call(0)]
  const logging = tinyModule({
    imports: [{ module: 'orch', name: 'log', takes: ['i32', 'i32'] }],
    functions: [
      { ...alloc, code: op.i32(65_536) },
      { ...run, code: [...Array.from({ length: 30 }, () => log).flat(), ...op.i64(packed(65_536, 2000))] },
    ],
    memory: [2],
  })
  const module = await WasmModule.compile(logging, ['run'], { ...limits, replyBytes: 5000 }, line => lines.push(line))
  const request = { text: 'x'.repeat(2000 - '{"text":""}'.length) }
  assert.equal(module.call('run', request), request)
  assert.equal([lines.length, lines[0]?.length], [20, 1000])
})

modules.run()
