import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  ApiError,
  Bytes,
  defineAdmission,
  definePlugin,
  defineResource,
  field,
  Kind,
  MapOf,
  reject,
  Struct,
  Text,
} from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createLogger } from '../observe/log.js'
import { buildTypeModel, type StructNode } from '../schema/type-model.js'
import { createKernel } from '../server/create-kernel.js'
import { HiddenValues } from './hidden-values.js'

const Vault = Kind('test.v1.Vault', {
  data: field(2, MapOf(Bytes())),
  type: field(3, Text()),
  spec: field(4, Struct('test.v1.VaultSpec', { certificate: field(1, Text()) })),
})
const model = buildTypeModel(Vault) as StructNode
const hiding = suite('values that no message repeats')

const afterwards = (source: unknown, text: string) => {
  const hidden = new HiddenValues(model)
  hidden.add(source)
  return hidden.removeFrom(text)
}

const base64 = (text: string) => Buffer.from(text).toString('base64')
const password = 'correct horse'
const cases: Record<string, readonly [source: unknown, text: string, left: string]> = {
  'a value as it was sent': [{ data: { k: password } }, `not ${password}!`, 'not [redacted]!'],
  'what a value stands for in base64': [{ data: { k: base64(password) } }, `not ${password}!`, 'not [redacted]!'],
  'the base64 of a value': [{ stringData: { k: password } }, base64(password), '[redacted]'],
  'a value that the message breaks off': [{ data: { k: `${password} staple` } }, `"${password} st…`, '"[redacted]…'],
  'a value with line ends and quotes, escaped': [
    { data: { k: 'say "friend"\nand enter' } },
    JSON.stringify('say "friend"\nand enter'),
    '"say \\"[redacted]\\"\\n[redacted]"',
  ],
  'a number': [{ data: { k: 8675309 } }, 'cannot read 8675309', 'cannot read [redacted]'],
  'a short value, where it is quoted': [{ data: { k: 'is' } }, '"is" is no value', '"[redacted]" is no value'],
  'an object in the place of a text, keys too': [
    { data: { k: { [password]: 'battery' } } },
    `got {"${password}":"battery"}`,
    'got {"[redacted]":"[redacted]"}',
  ],
  'a text in the place of an object': [{ spec: password }, `got "${password}"`, 'got "[redacted]"'],
  annotations: [{ metadata: { annotations: { applied: password } } }, password, '[redacted]'],
  'a value of a JSON Patch': [[{ op: 'add', path: '/data/k', value: password }], password, '[redacted]'],
  'an operation that is none': [
    [{ op: password, path: '/data' }],
    `unexpected kind: "${password}"`,
    'unexpected kind: "[redacted]"',
  ],
  'no names: of the object, its type, its fields, its keys': [
    { metadata: { name: 'vault-of-ann' }, type: 'example.com/x', data: { username: base64('certificate') } },
    'vault-of-ann of type example.com/x: data[username]: spec.certificate is required',
    'vault-of-ann of type example.com/x: data[username]: spec.certificate is required',
  ],
  'no metadata in a JSON Patch': [
    [{ op: 'add', path: '/metadata/labels/a', value: 'no label!' }],
    '"no label!"',
    '"no label!"',
  ],
}
for (const [title, [source, text, left]] of Object.entries(cases))
  hiding(`hides ${title}`, () => assert.is(afterwards(source, text), left))

hiding('withholds a text in which looking for all values would take too long', () => {
  const data = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, `value-${index}`]))
  // Looked for one by one, they would take minutes.
  assert.match(afterwards({ data }, 'x'.repeat(10_000)), 'is not shown')
})

hiding('walks what nests deeper than the stack', () => {
  let deep: unknown = password
  for (let depth = 0; depth < 50_000; depth++) deep = [deep]
  assert.is(afterwards({ data: { k: deep } }, password), '[redacted]')
})

hiding('leaves code, reason, fields and names of an error as they are', () => {
  const hidden = new HiddenValues(model)
  hidden.add({ data: { k: password } })
  const causes = [{ reason: 'FieldValueInvalid', field: 'data[k]', message: `Invalid value: "${password}"` }]
  const error = new ApiError(422, 'Invalid', `no ${password}`, { name: 'v', causes }, { cause: new Error(password) })
  const { code, reason, message, details, cause } = hidden.removeFromError(error)
  assert.equal([code, reason, message, cause], [422, 'Invalid', 'no [redacted]', undefined])
  assert.equal(details, { name: 'v', causes: [{ ...causes[0], message: 'Invalid value: "[redacted]"' }] })
})

/** Does with what it sees whatever a third party might. */
const careless = definePlugin({
  name: 'careless',
  register(to) {
    const user = { name: 'ann', groups: [] }
    to.authenticator({ name: 'anyone', kind: 'bearer', authenticate: () => ({ user }) })
    to.authorizer({ mode: 'Everything', authorize: () => ({ decision: 'allow' }) })
    to.resource(
      defineResource({
        group: 'test.io',
        kind: 'Vault',
        resource: 'vaults',
        namespaced: false,
        versions: [{ name: 'v1', schema: Vault }],
        sensitive: true,
      }),
    )
    to.admission(
      defineAdmission<{ data?: Record<string, string>; metadata: { name?: string } }>()({
        name: 'Careless',
        phase: 'validate',
        sideEffects: 'none',
        matches: { group: 'test.io', resource: 'vaults', operations: ['create'] },
        review({ object, warn, annotate }) {
          const value = Buffer.from(object.data?.['k'] ?? '', 'base64').toString()
          warn(`careful with ${value}`)
          annotate('careless.test.io/value', value)
          if (object.metadata.name === 'parsed') JSON.parse(value)
          return reject(`"${value}" is too weak`)
        },
      }),
    )
  },
})

hiding(
  'whatever a control says of a sensitive object, neither answer nor log nor audit log has its values',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'orch-hidden-'))
    const auditLogPath = join(folder, 'audit.log')
    let log = ''
    const logger = createLogger({ verbosity: 10, destination: { write: (line: string) => (log += line) } })
    const config = { dataDir: folder, securePort: 0, tls: false, auditLogPath, plugins: [careless] }
    const kernel = await createKernel(config as never, { logger })
    try {
      const { baseUrl } = await kernel.start()
      const answers: string[] = []
      for (const name of ['rejected', 'parsed']) {
        const response = await fetch(`${baseUrl}/apis/test.io/v1/vaults`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: 'Bearer x' },
          body: JSON.stringify({ metadata: { name }, data: { k: base64(password) } }),
        })
        answers.push(`${response.status} ${response.headers.get('warning')} ${await response.text()}`)
      }
      assert.match(answers[0] ?? '', /^403 .*careful with \[redacted\].*\\"\[redacted\]\\" is too weak/s)
      assert.match(answers[1] ?? '', /^500 /)
      await kernel.stop()
      const audit = readFileSync(auditLogPath, 'utf8')
      assert.match(audit, '[redacted]')
      assert.match(log, /SyntaxError\\n +at JSON.parse/)
      for (const text of [...answers, audit, log]) {
        assert.not.match(text, 'correct')
        assert.not.match(text, base64(password))
      }
    } finally {
      await kernel.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
)

hiding.run()
