import { configuration } from 'orch/plugins/configuration'
import { namespaces } from 'orch/plugins/namespaces'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { withServer } from './with-server.js'

const order = suite('the order of keys in answers')
const inOrder = /"annotations":\{"a":"1","b":"2"\}.*"data":\{"a":"MQ==","b":"Mg==","c":"Mw=="\}/

order('maps have sorted keys, in whatever form and order they were written', () =>
  withServer({ plugins: [namespaces, configuration] }, async ({ ask }) => {
    const all = '/api/v1/namespaces/default/secrets'
    const body = {
      metadata: { name: 's', annotations: { b: '2', a: '1' } },
      data: { c: 'Mw==' },
      stringData: { b: '2', a: '1' },
    }
    const merge = { 'content-type': 'application/merge-patch+json' }
    const apply = { 'content-type': 'application/apply-patch+yaml' }
    const dry = await ask('POST', `${all}?dryRun=All`, body)
    const created = await ask('POST', all, body)
    const read = await ask('GET', `${all}/s`)
    const listed = await ask('GET', all)
    const patched = await ask('PATCH', `${all}/s`, { data: { b: null } }, merge)
    const again = await ask('PATCH', `${all}/s`, { stringData: { b: '2' } }, merge)
    const { metadata, ...rest } = body
    const whole = { apiVersion: 'v1', kind: 'Secret', metadata: { ...metadata, name: 't' }, ...rest }
    const applied = await ask('PATCH', `${all}/t?fieldManager=me`, whole, apply)
    const pretty = (await ask('GET', `${all}/s?pretty=true`)).text.replace(/\s/g, '')
    assert.is(patched.status, 200)
    for (const { text } of [dry, created, read, listed, again, applied, { text: pretty }]) assert.match(text, inOrder)
  }),
)

order.run()
