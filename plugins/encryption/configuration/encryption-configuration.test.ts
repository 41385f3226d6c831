import { randomBytes } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readEncryptionConfiguration } from './encryption-configuration.js'
import { isMatch, parsePattern } from './resource-patterns.js'

const reading = suite('an encryption configuration')
const kind = 'apiserver.config.acme.test/v1 EncryptionConfiguration'
const secret = randomBytes(32).toString('base64')
const short = randomBytes(31).toString('base64')
const identity = { identity: {} }

const read = (resources: unknown) =>
  readEncryptionConfiguration(
    JSON.stringify({ apiVersion: 'apiserver.config.acme.test/v1', kind: 'EncryptionConfiguration', resources }),
    [kind],
  )
const withProviders = (...providers: unknown[]) => [{ resources: ['secrets'], providers }]
const kms = (fields: object) =>
  withProviders({ kms: { apiVersion: 'v2', name: 'vault', endpoint: 'unix:///run/kms.sock', ...fields } })

reading('names providers in their order', () => {
  const text = `
apiVersion: apiserver.config.acme.test/v1
kind: EncryptionConfiguration
resources:
  - resources: [secrets, widgets.example.com]
    providers:
      - kms: { apiVersion: v2, name: vault, endpoint: unix:///run/kms.sock, timeout: 5s }
      - aescbc: { keys: [{ name: key1, secret: ${secret} }] }
      - identity: {}
`
  const [entry] = readEncryptionConfiguration(text, [kind])
  assert.equal(
    entry?.resources.map(({ group, resource }) => [group, resource]),
    [
      ['', 'secrets'],
      ['example.com', 'widgets'],
    ],
  )
  assert.equal(entry?.providers, [
    { kind: 'kms', name: 'vault', endpoint: 'unix:///run/kms.sock', timeoutMs: 5000 },
    { kind: 'aescbc', keys: [{ name: 'key1', secret: Buffer.from(secret, 'base64') }] },
    { kind: 'identity' },
  ])
})

const refused: Record<string, [content: unknown, why: RegExp]> = {
  'no resources': [[], /^resources must be a list/],
  'no providers': [[{ resources: ['secrets'] }], /^resources\[0\]\.providers must be a list/],
  'an unknown provider': [withProviders({ rot13: {} }), /providers\[0\]\.rot13 is not known/],
  'two providers in one': [withProviders({ ...identity, aesgcm: {} }), /providers\[0\] must be exactly one of/],
  'a key of the wrong size': [
    withProviders({ secretbox: { keys: [{ name: 'a', secret: short }] } }),
    /secretbox\.keys\[0\]\.secret must be 32 bytes in base64, not 31/,
  ],
  'a key that is not base64': [
    withProviders({ aesgcm: { keys: [{ name: 'a', secret: 'top secret!' }] } }),
    /aesgcm\.keys\[0\]\.secret must be 16 or 24 or 32 bytes in base64$/,
  ],
  'a name with a colon': [
    withProviders({ aesgcm: { keys: [{ name: 'a:b', secret }] } }),
    /aesgcm\.keys\[0\]\.name must be a name of plain characters/,
  ],
  'two keys of one name': [
    withProviders({ aesgcm: { keys: [1, 2].map(() => ({ name: 'a', secret })) } }),
    /providers name the aesgcm key "a" twice/,
  ],
  'a KMS plugin of version 1': [kms({ apiVersion: 'v1' }), /kms\.apiVersion must be v2, not v1/],
  'a KMS plugin that is elsewhere': [kms({ endpoint: 'tcp://10.0.0.1' }), /kms\.endpoint must be a Unix socket/],
  'a KMS plugin without time': [kms({ timeout: '0s' }), /kms\.timeout must be a positive duration/],
  'a cache size, which version 2 does not have': [kms({ cachesize: 100 }), /kms\.cachesize has no meaning/],
  'resources that overlap': [
    [{ resources: ['*.apps', 'deployments.apps'], providers: [identity] }],
    /resources\[0\]\.resources\[1\] overlaps '\*\.apps'/,
  ],
  'a star alone': [[{ resources: ['*'], providers: [identity] }], /resources\[0\] must be '\*\.' for/],
  'a resource of every group': [[{ resources: ['pods.*'], providers: [identity] }], /resources\[0\] must name a group/],
  'an unknown field': [
    [{ resources: ['secrets'], providers: [identity], provider: [] }],
    /resources\[0\]\.provider is not known/,
  ],
}
for (const [what, [content, why]] of Object.entries(refused)) {
  reading(`is rejected with ${what}`, () => {
    assert.throws(
      () => read(content),
      (error: Error) => why.test(error.message),
    )
  })
}

reading('reports all errors together, without secrets', () => {
  const content = withProviders({ secretbox: { keys: [{ name: 'a:b', secret: short }] } }, { rot13: {} })
  assert.throws(
    () => read(content),
    ({ message }: Error) => message.split('; ').length === 3 && !message.includes(short),
  )
})

reading('is rejected if it is of another kind', () => {
  assert.throws(() => readEncryptionConfiguration('kind: Pod', [kind]), /must be of apiserver\.config\.acme\.test\/v1/)
  assert.throws(() => readEncryptionConfiguration('', [kind]), /must be of/)
})

reading('names resources, groups, or all', () => {
  const collections = ['/secrets', '/pods', 'apps/deployments', 'example.com/secrets']
  const taken = (pattern: string) => collections.filter(each => isMatch(parsePattern(pattern), each))
  assert.equal(taken('secrets'), ['/secrets'])
  assert.equal(taken('secrets.example.com'), ['example.com/secrets'])
  assert.equal(taken('*.apps'), ['apps/deployments'])
  assert.equal(taken('*.'), ['/secrets', '/pods'])
  assert.equal(taken('*.*'), collections)
})

reading.run()
