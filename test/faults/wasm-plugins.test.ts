import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ApiError } from 'orch/sdk'
import { startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { op, replyModule } from '../../kernel/wasm/testing/reply-module.js'
import { eventually } from '../support/eventually.js'

const hostile = suite('WebAssembly plugins of a server')
const endless = replyModule('{}', { before: [...op.loop, ...op.br(0), ...op.end] })

/** Modules by name, each with a control. */
const modules: Readonly<Record<string, [Uint8Array, manifest?: object]>> = {
  endless: [endless],
  ignored: [endless, { failurePolicy: 'Ignore' }],
  trapping: [replyModule('{}', { before: op.unreachable })],
  'garbage-reply': [replyModule('{"allowed":"perhaps"}')],
  'bad-patch': [replyModule('{"allowed":true,"patch":[{"op":"remove","path":"/spec/none"}]}'), { phase: 'mutate' }],
  'ill-fitting-object': [replyModule('{"allowed":true,"object":{"metadata":5}}'), { phase: 'mutate' }],
}
const answers: Readonly<Record<string, RegExp>> = {
  endless: /^500 .*plugin "endless": function "run": it used more than 100000 units of fuel/,
  ignored: /^accepted/,
  trapping: /^500 .*plugin "trapping": function "run": it trapped: unreachable/,
  'garbage-reply': /^500 .*plugin "garbage-reply".*"allowed" must be true or false/,
  'bad-patch': /^500 .*plugin "bad-patch": function "run"/,
  'ill-fitting-object': /^500 .*plugin "ill-fitting-object": function "run"/,
}

/** Each control reviews a different type, so that they do not interfere. */
const resources = [
  'configmaps',
  'secrets',
  'serviceaccounts',
  'limitranges',
  'resourcequotas',
  'events',
  'podtemplates',
]

hostile('a misbehaving module fails only the requests that it reviews, with its name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'orch-wasm-'))
  const paths = Object.entries(modules).map(([name, [bytes, more]], index) => {
    const { failurePolicy = 'Fail', phase = 'validate' } = { ...more } as { failurePolicy?: string; phase?: string }
    const matches = [{ group: '', resource: resources[index], operations: ['create'] }]
    const admission = [{ name: `Control${index}`, phase, function: 'run', matches }]
    const limits = { fuel: 100_000 }
    writeFileSync(join(folder, `${name}.wasm`), bytes)
    writeFileSync(join(folder, `${name}.json`), JSON.stringify({ abi: 1, name, failurePolicy, limits, admission }))
    return join(folder, `${name}.wasm`)
  })
  const lines: string[] = []
  const server = await startServer({ morePlugins: paths, options: { controllers: [] }, log: line => lines.push(line) })
  try {
    const create = (index: number) => {
      const ref = { group: '', version: 'v1', resource: resources[index] ?? '' }
      const object = { metadata: { name: 'one' } }
      return server.client
        .resource(ref)
        .in('default')
        .create(object, { dryRun: true })
        .then(
          () => 'accepted',
          ({ code, message }: ApiError) => `${code} ${message}`,
        )
    }
    for (const [index, name] of Object.keys(modules).entries())
      for (let tries = 0; tries < 2; tries++) assert.match(await create(index), answers[name] ?? /none/, name)
    await server.client
      .resource({ group: '', version: 'v1', resource: 'namespaces' })
      .create({ metadata: { name: 'calm' } })
    for (const name of ['endless', 'ignored', 'trapping'])
      await eventually(`the log to name ${name}`, () =>
        lines.some(line => line.includes('a WebAssembly module failed') && line.includes(name)),
      )
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true })
  }
})

hostile('an invalid package fails the boot with its name and the reason', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'orch-wasm-'))
  const file = join(folder, 'broken.wasm')
  const boot = async (bytes: Uint8Array, manifest: string) => {
    writeFileSync(file, bytes)
    writeFileSync(join(folder, 'broken.json'), manifest)
    const server = await startServer({ plugins: [file] }).catch((error: Error) => error)
    if (server instanceof Error) return server.message
    await server.stop()
    return 'it booted'
  }
  const reply = replyModule('{}')
  const manifest = (more: object) => JSON.stringify({ abi: 1, name: 'broken', ...more })
  const type = (schema: object) => ({
    resources: [{ group: 'a.test', kind: 'A', resource: 'as', namespaced: true, versions: [{ name: 'v1', schema }] }],
  })
  try {
    assert.match(await boot(reply, 'no'), /is not JSON/)
    assert.match(await boot(reply, manifest({ abi: 2 })), /abi: Expected 1/)
    assert.match(await boot(reply, manifest({ rules: [] })), /rules: Unexpected property/)
    assert.match(await boot(reply, manifest({ limits: { fuel: 1e12 } })), /limits.fuel/)
    const control = { name: 'Control', phase: 'validate', function: 'judge' }
    assert.match(await boot(reply, manifest({ admission: [control] })), /exports no function "judge"/)
    const pattern = { type: 'object', properties: { text: { type: 'string', pattern: '(a+)+$' } } }
    assert.match(await boot(reply, manifest(type(pattern))), /text has "pattern", which a string does not support/)
    assert.match(await boot(new Uint8Array(9), manifest({})), /not a WebAssembly module/)
    const script = join(folder, 'script.mjs')
    writeFileSync(script, 'throw new Error("it was run")')
    const run = await startServer({ plugins: [{ plugin: script, isolation: 'wasm' }] }).catch((error: Error) => error)
    assert.match(run instanceof Error ? run.message : 'it booted', /it is not a WebAssembly module/)
    rmSync(join(folder, 'broken.json'))
    const none = await startServer({ plugins: [file] }).catch((error: Error) => error)
    assert.match(none instanceof Error ? none.message : 'it booted', /it has no manifest/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

hostile('a module can be an authorization mode', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'orch-wasm-'))
  const file = join(folder, 'gate.wasm')
  const authorizers = [{ mode: 'Gate', function: 'run' }]
  writeFileSync(file, replyModule('{"decision":"allow","reason":"the gate is open"}'))
  writeFileSync(join(folder, 'gate.json'), JSON.stringify({ abi: 1, name: 'gate', authorizers }))
  const server = await startServer({ morePlugins: [file] })
  try {
    const { client } = await server.addUser({ name: 'nobody' })
    await client.resource({ group: '', version: 'v1', resource: 'configmaps' }).in('default').list()
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true })
  }
})

hostile.run()
