import { orchProfile, Vendor } from 'orch/sdk'
import type { Secret } from 'orch/sdk/core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { configurationNames } from '../names.js'
import { typeRules } from './type-rules.js'
import { validateSecret, validateSecretUpdate } from './validation.js'

const validation = suite('validation of secrets')
const rules = typeRules(configurationNames(new Vendor({ ...orchProfile, domain: 'acme.test' })))
const base64 = (text: string) => Buffer.from(text).toString('base64')
const name = 'acme.test/service-account.name'

const created: Record<string, { secret: Secret; wrong: string[] }> = {
  'accepts any data in an opaque one': { secret: { type: 'Opaque', data: { k: 'eA==' } }, wrong: [] },
  'accepts any data in a type it does not know': { secret: { type: 'example.com/t', data: {} }, wrong: [] },
  'refuses a key that is not a file name': { secret: { data: { 'a/b': '' } }, wrong: ['data[a/b]'] },
  'accepts 1 MiB of decoded data': { secret: { data: { k: base64('x'.repeat(1024 * 1024)) } }, wrong: [] },
  'refuses a byte more': { secret: { data: { k: base64('x'.repeat(1024 * 1024 + 1)) } }, wrong: ['data'] },
  'requires the account of a token': {
    secret: { type: 'acme.test/service-account-token' },
    wrong: [`metadata.annotations[${name}]`],
  },
  'accepts a token that names its account': {
    secret: { type: 'acme.test/service-account-token', metadata: { annotations: { [name]: 'robot' } } },
    wrong: [],
  },
  'wants the file of a docker configuration': { secret: { type: 'acme.test/dockercfg' }, wrong: ['data[.dockercfg]'] },
  'wants JSON in it': {
    secret: { type: 'acme.test/dockerconfigjson', data: { '.dockerconfigjson': base64('{') } },
    wrong: ['data[.dockerconfigjson]'],
  },
  'wants a user or a password': {
    secret: { type: 'acme.test/basic-auth' },
    wrong: ['data[%s][username]', 'data[%s][password]'],
  },
  'accepts a password alone': { secret: { type: 'acme.test/basic-auth', data: { password: '' } }, wrong: [] },
  'wants a private key that is not empty': {
    secret: { type: 'acme.test/ssh-auth', data: { 'ssh-privatekey': '' } },
    wrong: ['data[%s][ssh-privatekey]'],
  },
  'wants certificate and key': { secret: { type: 'acme.test/tls' }, wrong: ['data[tls.crt]', 'data[tls.key]'] },
}
for (const [title, { secret, wrong }] of Object.entries(created))
  validation(title, () => {
    assert.equal(
      validateSecret(secret, rules).map(error => error.field),
      wrong,
    )
  })

validation('never shows the contents of a broken docker configuration', () => {
  const secret = { type: 'acme.test/dockercfg', data: { '.dockercfg': base64('hunter2') } }
  assert.not.match(JSON.stringify(validateSecret(secret, rules)), /hunter2/)
})

validation('refuses another type', () => {
  const errors = validateSecretUpdate({ type: 'b' }, { type: 'a' }, rules)
  assert.equal(
    errors.map(error => [error.field, error.type]),
    [['type', 'FieldValueInvalid']],
  )
})

validation('refuses other data in an immutable one', () => {
  const stored = { type: 'a', immutable: true, data: { k: 'eA==' } }
  const errors = validateSecretUpdate({ ...stored, data: { k: 'eQ==' } }, stored, rules)
  assert.equal(
    errors.map(error => [error.field, error.type]),
    [['data', 'FieldValueForbidden']],
  )
})

validation.run()
