import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { type Client, createClient, httpTransport } from 'orch/sdk/client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { stringify } from 'yaml'
import { wrapEnvelope } from '../../../kernel/representation/protobuf/envelope.js'
import { type RunningServer, startOrch } from '../../support/start-orch.js'
import { type Folder, temporaryFolder } from '../../support/temporary-folder.js'

/** The prefix of every planted value, as text and in base64. No message of the server contains it for another reason. */
const mark = 'hushZq'
const markInBase64 = Buffer.from(mark).toString('base64').slice(0, 8)
const holdsPlanted = (text: string) => text.includes(mark) || text.includes(markInBase64)

const policy = JSON.stringify({ kind: 'Policy', rules: [{ level: 'RequestResponse' }] })
const secrets = '/api/v1/namespaces/default/secrets'
const system = '/api/v1/namespaces/orch-system/secrets'
const reviews = '/apis/authentication.orch.io/v1/tokenreviews'
const tokens = '/api/v1/namespaces/default/serviceaccounts/default/token'

interface Attempt {
  readonly method: string
  readonly path: string
  readonly type: string
  readonly body: string | Buffer
}

const planted = fc
  .tuple(fc.stringMatching(/^[a-z0-9]{8}$/), fc.constantFrom('text', 'base64', 'lines', 'quotes', 'json'))
  .map(([tail, form]) => {
    const value = `${mark}${tail}`
    switch (form) {
      case 'base64':
        return Buffer.from(value).toString('base64')
      case 'lines':
        return `-----BEGIN KEY-----\n${value}\n-----END KEY-----\n`
      case 'quotes':
        return `say "${value}" & \\${value}`
      case 'json':
        return JSON.stringify({ auths: { 'registry.test': { auth: value } } })
      default:
        return value
    }
  })
const directive = fc.constantFrom('k', 'token-secret', '.dockerconfigjson', '$patch', '$retainKeys', 'metadata', 'name')

/** Any JSON with planted values in it, mostly of a wrong type for its field. */
const { shape } = fc.letrec<{ shape: unknown }>(tie => ({
  shape: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 5, arbitrary: planted },
    { weight: 1, arbitrary: fc.constantFrom(null, true, 7, 1.5, '') },
    { weight: 2, arbitrary: fc.array(tie('shape'), { maxLength: 3 }) },
    { weight: 3, arbitrary: fc.dictionary(fc.oneof(directive, planted), tie('shape'), { maxKeys: 3 }) },
  ),
}))
const map = fc.dictionary(directive, fc.oneof({ weight: 3, arbitrary: planted }, { weight: 1, arbitrary: shape }), {
  maxKeys: 3,
})
/** Keys are not secret: values are planted below them, whatever their type. */
const content = fc.oneof({ weight: 4, arbitrary: map }, planted, fc.array(shape, { maxLength: 2 }))
const secretType = fc.constantFrom(
  undefined,
  'Opaque',
  'orch.io/dockerconfigjson',
  'orch.io/tls',
  'bootstrap.orch.io/token',
)
const metadata = (name: string) =>
  fc.oneof(
    fc.constant({ name }),
    fc.record({ name: fc.constant(name), annotations: content }),
    fc.record({ name: fc.constant(name), labels: fc.constantFrom({ a: 'b' }, { 'no label!': 'x' }) }),
    fc.constant({ name, resourceVersion: '1' }),
  )
const secret = (name: string) =>
  fc.record(
    {
      apiVersion: fc.constantFrom('v1', undefined, 'v9'),
      kind: fc.constantFrom('Secret', undefined, 'ConfigMap'),
      metadata: metadata(name),
      data: content,
      stringData: content,
      type: secretType,
      immutable: fc.oneof(fc.constant(undefined), planted, fc.constant(true)),
      password: shape,
    },
    { requiredKeys: ['apiVersion', 'kind', 'metadata'] },
  )
const operations = fc.array(
  fc.record({
    op: fc.oneof({ weight: 6, arbitrary: fc.constantFrom('add', 'replace', 'test', 'move', 'copy') }, planted),
    path: fc.constantFrom(
      '/data/k',
      '/stringData',
      '/data',
      '/data/k/x',
      '/metadata/annotations',
      '/immutable',
      '/type/0',
    ),
    from: fc.constantFrom('/data/k', '/none'),
    value: content,
  }),
  { minLength: 1, maxLength: 3 },
)
const review = fc.record({
  apiVersion: fc.constant('authentication.orch.io/v1'),
  kind: fc.constant('TokenReview'),
  spec: fc.oneof(fc.record({ token: fc.oneof(planted, shape), audiences: fc.oneof(shape, fc.constant([])) }), content),
  status: fc.option(content),
})
const tokenRequest = fc.record({
  spec: fc.oneof(
    fc.record({ audiences: fc.oneof(fc.array(planted), shape), expirationSeconds: fc.constantFrom(600, 1, 'x') }),
    content,
  ),
})

const text = (format: string, body: unknown) => (format === 'yaml' ? stringify(body) : JSON.stringify(body))
/** A truncated body, or one with a syntax error. */
const damaged = (body: fc.Arbitrary<string>) =>
  fc.tuple(body, fc.nat(), fc.constantFrom('cut', 'unquoted', 'brace')).map(([whole, at, how]) => {
    const place = at % (whole.length + 1)
    if (how === 'cut') return whole.slice(0, place)
    return `${whole.slice(0, place)}${how === 'unquoted' ? 'bare' : '}'}${whole.slice(place)}`
  })
const maybeDamaged = (body: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 4, arbitrary: body }, { weight: 1, arbitrary: damaged(body) })

const query = (...pairs: string[]) =>
  fc.subarray(['dryRun=All', 'fieldValidation=Strict', 'fieldValidation=Warn', 'pretty=true']).map(some => {
    const all = [...pairs, ...some]
    return all.length === 0 ? '' : `?${all.join('&')}`
  })
const place = fc.constantFrom([secrets, 's'], [secrets, 't'], [system, 'bootstrap-token-abcdef'])
const format = fc.constantFrom('json', 'yaml')

const writes: fc.Arbitrary<Attempt> = place.chain(([collection = '', name = '']) =>
  fc
    .oneof(
      format.chain(type =>
        fc.record({
          method: fc.constantFrom('POST', 'PUT'),
          path: query(),
          type: fc.constant(type),
          body: maybeDamaged(secret(name).map(body => text(type, body))),
        }),
      ),
      fc.record({
        method: fc.constant('PATCH'),
        path: query(),
        type: fc.constantFrom('merge-patch+json', 'strategic-merge-patch+json'),
        body: maybeDamaged(secret(name).map(body => JSON.stringify(body))),
      }),
      fc.record({
        method: fc.constant('PATCH'),
        path: query(),
        type: fc.constant('json-patch+json'),
        body: maybeDamaged(operations.map(body => JSON.stringify(body))),
      }),
      fc.record({
        method: fc.constant('PATCH'),
        path: fc.oneof(query('fieldManager=one'), query('fieldManager=two'), query('fieldManager=two', 'force=true')),
        type: fc.constant('apply-patch+yaml'),
        body: maybeDamaged(fc.tuple(format, secret(name)).map(([type, body]) => text(type, body))),
      }),
      fc.record({
        method: fc.constantFrom('POST', 'PUT'),
        path: query(),
        type: fc.constant('vnd.orch.protobuf'),
        body: fc.tuple(planted, fc.nat(), fc.boolean()).map(([value, at, isWhole]) => {
          const whole = protobufSecret(name, value)
          return isWhole ? whole : whole.subarray(0, at % whole.length)
        }),
      }),
    )
    .map(attempt => ({
      ...attempt,
      path: `${collection}${attempt.method === 'POST' ? '' : `/${name}`}${attempt.path}`,
    })),
)
const reviewing: fc.Arbitrary<Attempt> = fc
  .tuple(fc.constantFrom([reviews, review] as const, [tokens, tokenRequest] as const), format)
  .chain(([[path, body], type]) =>
    fc.record({
      method: fc.constant('POST'),
      path: query().map(options => path + options),
      type: fc.constant(type),
      body: maybeDamaged((body as fc.Arbitrary<unknown>).map(value => text(type, value))),
    }),
  )

function protobufSecret(name: string, value: string): Buffer {
  const field = (number: number, bytes: Buffer) =>
    Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes])
  const entry = Buffer.concat([field(1, Buffer.from('bad key')), field(2, Buffer.from(value.slice(0, 60)))])
  const raw = Buffer.concat([field(1, field(1, Buffer.from(name))), field(2, entry)])
  return wrapEnvelope({ apiVersion: 'v1', kind: 'Secret' }, raw)
}

const hiding = suite('values of sensitive types')

hiding(
  'values written to a Secret or a token review appear in no log, audit line, metric, event, error or response to others',
  async () => {
    const folder = temporaryFolder()
    const auditLog = join(folder.path, 'audit.log')
    const server = await startServer(folder, auditLog)
    const [ann, bob] = ['ann', 'bob'].map(user => clientOf(server, user)) as [Client, Client]
    const answers: string[] = []
    const say = async (client: Client, { method, path, type, body }: Attempt): Promise<boolean> => {
      const headers = { 'content-type': `application/${type}` }
      try {
        await client.request({ method, path, headers, body: body as string })
        return true
      } catch (error) {
        const { message, details, code } = error as Error & { details?: unknown; code?: number }
        if (code === undefined || code >= 500) throw error
        const told = `${message} ${JSON.stringify(details)}`
        answers.push(told)
        assert.not.ok(holdsPlanted(told), `${method} ${path} ${type}\n${body}\nis told: ${told}`)
        assert.not.match(told, '[object Object]')
        return false
      }
    }
    const others = ['/api/v1/events', '/api/v1/configmaps', '/metrics', '/apis/events.orch.io/v1/events']
    let seen = ''
    try {
      for (const path of [`${secrets}`, `${system}`]) {
        const name = path === system ? 'bootstrap-token-abcdef' : 's'
        const value = Buffer.from(`${mark}0`).toString('base64')
        await say(ann, {
          method: 'POST',
          path,
          type: 'json',
          body: JSON.stringify({ metadata: { name }, data: { k: value } }),
        })
      }
      let accepted = 0
      await fc.assert(
        fc.asyncProperty(
          fc.oneof({ weight: 4, arbitrary: writes }, reviewing),
          fc.boolean(),
          async (attempt, isAnn) => {
            if (await say(isAnn ? ann : bob, attempt)) accepted++
          },
        ),
        { numRuns: 600, interruptAfterTimeLimit: 60_000, markInterruptAsFailure: false, endOnFailure: true },
      )
      for (const path of others) seen += JSON.stringify(await bob.request({ method: 'GET', path, headers: {} }))
      const table = { accept: 'application/json;as=Table;v=v1;g=meta.orch.io' }
      seen += JSON.stringify(
        await bob.request({ method: 'GET', path: `${secrets}?includeObject=None`, headers: table }),
      )
      assert.ok(accepted > 10 && answers.length > 50, `${accepted} accepted, ${answers.length} refused`)
    } finally {
      await Promise.all([ann.close(), bob.close()])
      await server.stop()
    }
    const audit = readFileSync(auditLog, 'utf8')
    folder.remove()
    assert.match(audit, 'tokenreviews')
    assert.match(audit, 'bootstrap-token-abcdef')
    for (const [where, lines] of Object.entries({ log: server.output(), audit, seen }))
      for (const line of lines.split('\n')) assert.not.ok(holdsPlanted(line), `the ${where} says ${line}`)
  },
)

async function startServer(folder: Folder, auditLog: string): Promise<RunningServer> {
  const users = ['ann', 'bob'].map(user => `token-of-${user},${user},${user},"system:masters"`).join('\n')
  return startOrch({
    flags: [
      '--v=10',
      `--token-auth-file=${folder.write('tokens.csv', users)}`,
      '--enable-bootstrap-token-auth',
      '--controllers=*,bootstrapsigner,tokencleaner',
      `--audit-log-path=${auditLog}`,
      `--audit-policy-file=${folder.write('policy.json', policy)}`,
    ],
  })
}

function clientOf(server: RunningServer, user: string): Client {
  const caPem = readFileSync(join(server.dataDir, 'pki/ca.crt'), 'utf8')
  const credentials = { token: `token-of-${user}` }
  return createClient({ transport: httpTransport({ server: server.url, caPem, credentials }) })
}

hiding.run()
