import './web-assembly.js'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fuelExport, MeteringError, type MeteringLimits, meterModule } from './index.js'
import { op, type TinyModule, tinyModule } from './testing/tiny-module.js'

const metering = suite('metering of WebAssembly')
const limits: MeteringLimits = { moduleBytes: 1 << 20, memoryPages: 4, tableEntries: 100, startFuel: 1000 }

/** Counts down from its argument in a loop of nine instructions, and returns 7. */
const countdown: TinyModule = {
  functions: [
    {
      name: 'run',
      takes: ['i32'],
      gives: ['i32'],
      code: [
        ...[...op.loop, ...op.localGet(0), ...op.i32(1), ...op.i32Sub, ...op.localSet(0), ...op.localGet(0)],
        ...[...op.brIf(0), ...op.end, ...op.i32(7)],
      ],
    },
  ],
  memory: [1],
}

async function instantiate(module: TinyModule) {
  const metered = meterModule(tinyModule(module), limits)
  const { exports } = new WebAssembly.Instance(await WebAssembly.compile(metered.bytes))
  const fuel = exports[fuelExport]
  if (!(fuel instanceof WebAssembly.Global)) throw new Error('the fuel is not exported')
  const call = (name: string, ...values: number[]): unknown => {
    const called = exports[name]
    return typeof called === 'function' ? called(...values) : assert.unreachable(`no function ${name}`)
  }
  return { metered, exports, fuel, call }
}

metering('a module with enough fuel returns what it did before, and pays per loop iteration', async () => {
  const { call, fuel } = await instantiate(countdown)
  fuel.value = 10_000
  assert.is(call('run', 1), 7)
  const once = 10_000 - Number(fuel.value)
  fuel.value = 10_000
  assert.is(call('run', 101), 7)
  const perPass = (10_000 - Number(fuel.value) - once) / 100
  assert.ok(perPass >= 6 && perPass <= 9, `${perPass} units per iteration`)
})

metering('without fuel it traps, and the fuel is below zero', async () => {
  const { call, fuel } = await instantiate(countdown)
  fuel.value = 500
  assert.throws(
    () => call('run', 0),
    (error: unknown) => error instanceof WebAssembly.RuntimeError,
  )
  assert.ok(Number(fuel.value) < 0)
})

metering('recursion without a loop pays, too', async () => {
  const { call, fuel } = await instantiate({ functions: [{ name: 'again', code: op.call(0) }] })
  fuel.value = 300
  assert.throws(
    () => call('again'),
    (error: unknown) => error instanceof WebAssembly.RuntimeError,
  )
})

metering('filling and copying memory pays for every byte', async () => {
  for (const bulk of [op.memoryFill, op.memoryCopy]) {
    const code = [...op.i32(0), ...op.i32(0), ...op.localGet(0), ...bulk]
    const { call, fuel } = await instantiate({ functions: [{ name: 'run', takes: ['i32'], code }], memory: [1] })
    fuel.value = 10_000
    call('run', 65_536)
    assert.ok(10_000 - Number(fuel.value) >= 8192, String(fuel.value))
    fuel.value = 8000
    assert.throws(
      () => call('run', 65_536),
      (error: unknown) => error instanceof WebAssembly.RuntimeError,
    )
    // A length that looks negative is a large one.
    fuel.value = 2 ** 31 - 1
    assert.throws(
      () => call('run', -1),
      (error: unknown) => error instanceof WebAssembly.RuntimeError,
    )
  }
})

metering('memory does not grow beyond its limit, whatever the module declares', async () => {
  for (const memory of [[1], [1, 60_000]] as const) {
    const grow = { name: 'grow', takes: ['i32'], gives: ['i32'], code: [...op.localGet(0), ...op.memoryGrow] } as const
    const { call, fuel } = await instantiate({ functions: [grow], memory })
    fuel.value = 10_000
    assert.is(call('grow', 3), 1)
    assert.is(call('grow', 1), -1)
  }
})

metering('a start function may only use the start fuel', async () => {
  const endless = { functions: [{ code: [...op.loop, ...op.br(0), ...op.end] }], start: 0 }
  const metered = meterModule(tinyModule(endless), limits)
  const compiled = await WebAssembly.compile(metered.bytes)
  assert.throws(
    () => new WebAssembly.Instance(compiled),
    (error: unknown) => error instanceof WebAssembly.RuntimeError,
  )
})

metering('mutable globals are exported, so that a host can restore them', async () => {
  const { metered, exports } = await instantiate({ ...countdown, globals: [5, 6] })
  assert.equal(metered.stateExports.length, 2)
  const values = metered.stateExports
    .map(name => exports[name])
    .map(each => each instanceof WebAssembly.Global && each.value)
  assert.equal(values, [5, 6])
})

const refused: Record<string, [TinyModule | Uint8Array, RegExp]> = {
  'a file that is not a module': [new TextEncoder().encode('#!/bin/sh'), /not a WebAssembly module/],
  'an empty file': [new Uint8Array(), /is truncated/],
  'reading the fuel': [{ functions: [{ code: [...op.globalGet(0), ...op.drop] }] }, /no global 0/],
  'writing the fuel': [{ functions: [{ code: [...op.i32(9), ...op.globalSet(1)] }], globals: [1] }, /no global 1/],
  'calling an added function': [{ functions: [{ code: op.call(1) }] }, /no function 1/],
  'an export with the name of the fuel': [{ functions: [{ name: fuelExport, code: [] }] }, /reserved for metering/],
  SIMD: [{ functions: [{ code: [0xfd, 0x0c] }] }, /SIMD/],
  'SIMD in a local': [{ functions: [{ locals: ['v128'], code: [] }] }, /SIMD/],
  threads: [{ functions: [{ code: [0xfe, 0x03, 0] }] }, /threads/],
  exceptions: [{ functions: [{ code: [0x06, 0x40] }] }, /exceptions/],
  'tail calls': [{ functions: [{ code: [0x12, 0] }] }, /tail calls/],
  'references to things of the host': [{ functions: [{ takes: ['externref'], code: [] }] }, /not numbers/],
  'dropping data': [{ functions: [{ code: [0xfc, 9, 0] }] }, /bulk memory beyond/],
  'too much memory': [{ memory: [5] }, /starts with 5 pages/],
  'too large a table': [{ table: 1000 }, /1000 entries/],
  'too deep nesting': [{ functions: [{ code: Array(12_000).fill(op.block).flat() }] }, /nest deeper/],
  'too many bytes': [new Uint8Array((1 << 20) + 1), /at most/],
  'an impossible count': [
    Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 5, 0xff, 0xff, 0xff, 0xff, 0x0f),
    /no room/,
  ],
  'a section past the end of the file': [Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 0x7f), /fewer follow/],
  'a section twice': [Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 1, 0, 1, 1, 0), /is out of order/],
}
for (const [title, [module, why]] of Object.entries(refused))
  metering(`refused: ${title}`, () => {
    const bytes = module instanceof Uint8Array ? module : tinyModule(module)
    assert.throws(
      () => meterModule(bytes, limits),
      (error: unknown) => error instanceof MeteringError && why.test(error.message),
    )
  })

/** Returns a module or an error message; anything else fails the test. */
function meterOrRefuse(bytes: Uint8Array): void {
  try {
    meterModule(bytes, limits)
  } catch (error) {
    if (!(error instanceof MeteringError)) throw error
  }
}

metering('every truncated and every damaged module is rejected or metered', () => {
  const whole = tinyModule({ ...countdown, globals: [1], table: 3, data: [[8, 'text']] })
  for (let length = 0; length < whole.length; length++) meterOrRefuse(whole.subarray(0, length))
  for (let at = 0; at < whole.length; at++)
    for (const value of [0, 0x7f, 0x80, 0xff, (whole[at] ?? 0) ^ 1]) meterOrRefuse(whole.with(at, value))
})

metering('metering does not make a damaged module valid, except for its limits', () => {
  const whole = tinyModule({ ...countdown, globals: [1] })
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 3 }), changes => {
      const damaged = Uint8Array.from(whole)
      for (const [at, value] of changes) damaged[at] = value
      try {
        const { bytes } = meterModule(damaged, limits)
        assert.is(WebAssembly.validate(bytes), WebAssembly.validate(damaged))
      } catch (error) {
        if (!(error instanceof MeteringError)) throw error
      }
    }),
    { numRuns: 2000, seed: 35 },
  )
})

metering.run()
