import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ApiObject, CommandContext } from 'orch/sdk'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { changedFields } from './changed-fields.js'
import { readRecording } from './read-recording.js'
import { olderPart, RecordFile } from './record-file.js'
import { headLine, requestLine } from './record-lines.js'
import { replayCommand } from './replay-command.js'
import type { Timeline } from './timeline.js'

type Data = ApiObject & { data?: Record<string, string> }
interface Replayed {
  readonly objects: readonly Timeline[]
  readonly others: readonly { readonly verb: string; readonly uri: string; readonly durationMs: number }[]
}

/** Runs `orch replay` and returns what it prints. */
async function replay(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const printed = { out: '', err: '' }
  const context = {
    out: (text: string) => (printed.out += text),
    err: (text: string) => (printed.err += text),
    workingDir: tmpdir(),
  } as unknown as CommandContext
  return { code: await replayCommand.run(argv, context), ...printed }
}
const replayed = async (...argv: string[]): Promise<Replayed> => JSON.parse((await replay(...argv, '-o', 'json')).out)
const toldOf = (timeline: Timeline | undefined) =>
  timeline?.entries.map(entry => (entry.what === 'request' ? `${entry.verb} ${entry.code}` : entry.what))

const recording = suite<{ folder: string; server: TestServer }>('a recording')
recording.before.each(async context => {
  context.folder = mkdtempSync(join(tmpdir(), 'orch-recording-'))
  const options = { controllers: ['-*'] }
  context.server = await startServer({ vendor: 'kubernetes', record: context.folder, options })
})
recording.after.each(async ({ folder, server }) => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

recording('has no credentials from query parameters', async ({ server }) => {
  const path = '/api/v1/namespaces/default/configmaps?limit=5&access_token=planted-1&Client%5FSecret=planted-2'
  await fetch(server.baseUrl + path, { headers: { authorization: `Bearer ${server.token}` } })
  const text = readFileSync(server.saveRecording('addresses'), 'utf8')
  assert.match(text, 'limit=5&access_token=[hidden]')
  assert.not.match(text, 'planted')
})

recording('shows what happened to an object, and by which user', async ({ server }) => {
  const jane = await server.addUser({ name: 'jane', groups: ['system:masters'] })
  const maps = jane.client.resource<Data>({ group: '', version: 'v1', resource: 'configmaps' }).in('default')
  await maps.create({ metadata: { name: 'one' }, data: { a: '1', gone: 'x' } })
  const stored = await maps.get('one')
  await maps.update({ ...stored, data: { a: '2', b: '\u001b[31mred' } })
  await maps.update({ ...stored, data: { late: 'yes' } }).catch(() => {})
  const events = server.client.resource<ApiObject>({ group: '', version: 'v1', resource: 'events' }).in('default')
  await events.create({
    metadata: { name: 'one.1' },
    involvedObject: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'one' },
    reason: 'Mirrored',
    message: 'copied it',
    type: 'Normal',
  } as ApiObject)
  const named = await maps.create({ metadata: { generateName: 'made-' } })
  await maps.delete('one')
  const file = server.saveRecording('all of it')

  const { objects } = await replayed(file, '--object', 'configmaps/one')
  assert.equal(toldOf(objects[0]), [
    'create 201',
    'created',
    'get 200',
    'update 200',
    'changed',
    'update 409',
    'event',
    'delete 200',
    'deleted',
  ])
  const [changed] = objects[0]?.entries.filter(({ what }) => what === 'changed') ?? []
  assert.ok(changed?.what === 'changed')
  assert.is(changed.by, 'jane')
  assert.equal(changed.fields, [
    { path: 'data.gone', before: 'x' },
    { path: 'data.a', before: '1', after: '2' },
    { path: 'data.b', after: '\u001b[31mred' },
  ])
  const made = await replayed(file, '--object', `ConfigMap/${named.metadata.name}`, '--user', 'jane')
  assert.equal(toldOf(made.objects[0]), ['create 201', 'created'])
  assert.equal((await replayed(file, '--user', 'nobody')).objects, [])
  assert.equal((await replayed(file, '--until', '0')).objects, [])
  assert.equal((await replayed(file, '--object', 'configmaps', '-n', 'elsewhere')).objects, [])

  const { out } = await replay(file)
  assert.match(out, /ConfigMap default\/one\n/)
  assert.match(out, /update \/api\/v1\/namespaces\/default\/configmaps\/one 409, [\d.]+ ms, by jane/)
  assert.match(out, /failed: .*the object has been modified/)
  assert.match(out, /sent: .*"late":"yes"/)
  assert.match(out, /data\.a: "1" → "2"/)
  assert.match(out, /event Normal Mirrored: copied it/)
  assert.not.match(out, /\u001b/, 'control characters of clients are not printed')
})

recording('has no value of a Secret', async ({ server }) => {
  const secrets = server.client.resource<ApiObject>({ group: '', version: 'v1', resource: 'secrets' }).in('default')
  const password = 'correct-horse'
  const sent = { metadata: { name: 'key', annotations: { note: password } }, stringData: { password } } as ApiObject
  const stored = await secrets.create(sent)
  await secrets.update({ ...stored, metadata: { ...stored.metadata, labels: { a: 'b' } } })
  await secrets.create(sent).catch(() => {})
  await secrets
    .apply({ metadata: { name: 'Not A Name' }, stringData: { password } } as ApiObject, { fieldManager: 'me' })
    .catch(() => {})
  const file = server.saveRecording()
  const text = readFileSync(file, 'utf8')
  for (const form of [password, Buffer.from(password).toString('base64')])
    assert.not(text.includes(form), `it has ${form}`)
  assert.ok(text.includes('"data":{"password":"[redacted]"}'))
  assert.is(statSync(file).mode & 0o777, 0o600)
  const { objects } = await replayed(file, '--object', 'secrets/key')
  assert.equal(toldOf(objects[0]), ['create 201', 'created', 'update 200', 'changed', 'create 409'])
})

recording('has the start and the duration of watches', async ({ server }) => {
  const maps = server.client.resource<ApiObject>({ group: '', version: 'v1', resource: 'configmaps' }).in('default')
  const ended = new AbortController()
  for await (const event of maps.watchWithResume({ signal: ended.signal })) {
    if (event.type === 'RELISTED') {
      await maps.create({ metadata: { name: 'seen' } })
    } else if (event.object.metadata.name === 'seen') break
  }
  ended.abort()
  const watches = async () =>
    (await replayed(server.saveRecording(), '--object', 'configmaps')).others.filter(({ verb }) => verb === 'watch')
  assert.is((await watches()).length, 1)
})

recording('of a failing test is kept, and the error names the file', async ({ server, folder }) => {
  assert.is(await server.recorded('passes', () => 1), 1)
  const failing = server.recorded('it / fails', async () => {
    await server.client.resource({ group: '', version: 'v1', resource: 'nodes' }).list()
    throw new Error('the controller did nothing')
  })
  const failure = await failing.then(
    () => undefined,
    (thrown: Error) => thrown,
  )
  const path = join(folder, 'it-fails.jsonl')
  assert.is(failure?.message, `the controller did nothing\nWhat the server saw: orch replay ${path}`)
  assert.ok(failure?.stack?.includes(path))
  assert.ok((await replayed(path)).others.some(({ uri }) => uri.startsWith('/api/v1/nodes')))
})
recording.run()

const file = suite<{ folder: string }>('the file of a recording')
file.before.each(context => {
  context.folder = mkdtempSync(join(tmpdir(), 'orch-recording-'))
})
file.after.each(({ folder }) => rmSync(folder, { recursive: true, force: true }))

file('keeps the newer part if it gets too large', ({ folder }) => {
  const path = join(folder, 'F')
  const lines = new RecordFile(path, 2000, part => headLine({ vendor: 'v', startedAt: part, part }))
  lines.open()
  const line = (at: number) => `${JSON.stringify({ record: 'request', id: `${at}`, at, durationMs: 1, verb: 'get' })}\n`
  for (let at = 0; at < 200; at++) lines.write(line(at))
  lines.close()
  assert.ok(statSync(path).size + statSync(olderPart(path)).size <= 2000)
  const { requests, isCut } = readRecording(path)
  assert.ok(isCut)
  assert.is(requests.at(-1)?.at, 199)
  assert.equal(
    requests.map(({ at }) => at),
    requests.map((_, index) => 200 - requests.length + index),
    'none is missing between the first and the last',
  )
  lines.open()
  lines.close()
  assert.equal(readRecording(path).requests, [], 'a new recording has nothing of the one before')
})

file('has lines of limited length, whatever was sent', () => {
  const request = { id: 'a', at: 1, durationMs: 1, user: 'u', verb: 'create', uri: '/x', code: 422, reason: 'Invalid' }
  const line = requestLine({ ...request, message: 'm'.repeat(1_000_000), sent: { data: 's'.repeat(1_000_000) } })
  assert.ok(line.length < 20_000, `${line.length} characters`)
  assert.is(JSON.parse(line).sent, 'too large to be recorded')
})

file('that was truncated by the end of the process is read up to there', ({ folder }) => {
  const path = join(folder, 'F')
  const request = '{"record":"request","id":"a","at":5,"durationMs":1,"verb":"get"}\n'
  writeFileSync(path, `${headLine({ vendor: 'v', startedAt: 1, part: 1 })}${request}{"record":"cha`)
  assert.is(readRecording(path).requests.length, 1)
})

file('that is not a recording is rejected in one line', async ({ folder }) => {
  const path = join(folder, 'F')
  writeFileSync(path, 'hello\nworld\n')
  const cases: readonly [string[], RegExp][] = [
    [[path], /not a recording of orch serve --record: line 1/],
    [[join(folder, 'absent')], /ENOENT/],
    [[], /replay needs one file/],
    [[path, '--colour'], /--colour/],
    [[path, '-o', 'yaml'], /neither text nor json/],
  ]
  for (const [argv, message] of cases) {
    const { code, err } = await replay(...argv)
    assert.is(code, 2)
    assert.match(err, message)
    assert.is(err.trimEnd().split('\n').length, 1)
  }
  writeFileSync(path, headLine({ vendor: 'v', startedAt: 1, part: 1 }))
  assert.match((await replay(path, '--since', 'noon')).err, /--since=noon is neither/)
})

file('has readable paths of fields', () => {
  const before = { metadata: { labels: { 'a.b/c': '1' } }, spec: { list: [{ n: 1 }, { n: 2 }] } }
  const after = { metadata: { labels: { 'a.b/c': '2' } }, spec: { list: [{ n: 1 }, { n: 3 }] } }
  assert.equal(changedFields(before, after), [
    { path: 'metadata.labels["a.b/c"]', before: '1', after: '2' },
    { path: 'spec.list[1].n', before: 2, after: 3 },
  ])
})
file.run()
