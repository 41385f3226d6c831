import { ServedLevel } from 'orch/sdk'
import { schemaErrors } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { v1 } from './schema.js'
import { validateConfiguration, validateConfigurationUpdate, type Webhook } from './validation.js'

const level = new ServedLevel('1.36')
const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }
const aWebhook = (changes: Partial<Webhook> = {}): Webhook => ({
  name: 'a.acme.test',
  clientConfig: { url: 'https://hook.acme.test/review' },
  rules: [rule],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  ...changes,
})
const broken = (changes: Partial<Webhook>, version = 'v1') => {
  const configuration = { webhooks: [aWebhook(changes)] }
  const found = [
    ...schemaErrors(v1.MutatingWebhookConfiguration, configuration),
    ...validateConfiguration(configuration, version, level),
  ]
  return found.map(({ type, field }) => `${type.replace('FieldValue', '')} ${field.replace('webhooks[0].', '')}`)
}
const ruled = (changes: object) =>
  broken({ rules: [{ ...rule, ...changes }] }).map(text => text.replace('rules[0].', ''))
const at = (url: string) => broken({ clientConfig: { url } }).map(text => text.replace('clientConfig.', ''))
const by = (service: object) =>
  broken({ clientConfig: { service: { namespace: 'n', name: 's', ...service } } }).map(text =>
    text.replace('clientConfig.service.', ''),
  )

const validation = suite('validation of webhook configurations')

validation('accepts a valid one', () => assert.equal(broken({}), []))

const fields: Record<string, [Partial<Webhook>, string[]]> = {
  'no name': [{ name: '' }, ['Required name']],
  'a name with two segments': [{ name: 'acme.test' }, ['Invalid name']],
  'a name in capitals': [{ name: 'A.acme.test' }, ['Invalid name']],
  'an unknown failurePolicy': [{ failurePolicy: 'Maybe' }, ['NotSupported failurePolicy']],
  'an unknown matchPolicy': [{ matchPolicy: 'Similar' }, ['NotSupported matchPolicy']],
  'an unknown reinvocationPolicy': [{ reinvocationPolicy: 'Always' }, ['NotSupported reinvocationPolicy']],
  'no sideEffects': [{ sideEffects: null as never }, ['Required sideEffects']],
  'empty sideEffects': [{ sideEffects: '' }, ['NotSupported sideEffects']],
  'sideEffects Some': [{ sideEffects: 'Some' }, ['NotSupported sideEffects']],
  'sideEffects Unknown': [{ sideEffects: 'Unknown' }, ['NotSupported sideEffects']],
  'sideEffects NoneOnDryRun': [{ sideEffects: 'NoneOnDryRun' }, []],
  'a timeout of 0': [{ timeoutSeconds: 0 }, ['Invalid timeoutSeconds']],
  'a timeout of 1': [{ timeoutSeconds: 1 }, []],
  'a timeout of 30': [{ timeoutSeconds: 30 }, []],
  'a timeout of 31': [{ timeoutSeconds: 31 }, ['Invalid timeoutSeconds']],
  'no review versions': [{ admissionReviewVersions: [] }, ['Required admissionReviewVersions']],
  'only unknown review versions': [{ admissionReviewVersions: ['v9'] }, ['Invalid admissionReviewVersions']],
  'one known review version': [{ admissionReviewVersions: ['v9', 'v1beta1'] }, []],
  'a review version twice': [{ admissionReviewVersions: ['v1', 'v1'] }, ['Invalid admissionReviewVersions[1]']],
  'a broken objectSelector': [
    { objectSelector: { matchLabels: { 'a b': 'c' } } },
    ['Invalid objectSelector.matchLabels'],
  ],
  'a broken namespaceSelector': [
    { namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } },
    ['Required namespaceSelector.matchExpressions[0].values'],
  ],
  'neither url nor service': [{ clientConfig: {} }, ['Required clientConfig']],
  'both url and service': [
    { clientConfig: { url: 'https://a.test', service: { namespace: 'n', name: 's' } } },
    ['Required clientConfig'],
  ],
}

for (const [title, [changes, expected]] of Object.entries(fields))
  validation(title, () => assert.equal(broken(changes), expected))

const rules: Record<string, [object, string[]]> = {
  'no operations': [{ operations: [] }, ['Required operations']],
  'an unknown operation': [{ operations: ['READ'] }, ['NotSupported operations[0]']],
  'all operations and one more': [{ operations: ['*', 'CREATE'] }, ['Invalid operations']],
  'all groups and one more': [{ apiGroups: ['*', ''] }, ['Invalid apiGroups']],
  'an empty version': [{ apiVersions: [''] }, ['Required apiVersions[0]']],
  'all versions and one more': [{ apiVersions: ['v1', '*'] }, ['Invalid apiVersions']],
  'no resources': [{ resources: [] }, ['Required resources']],
  'an empty resource': [{ resources: [''] }, ['Required resources[0]']],
  'a subresource that is covered': [{ resources: ['pods/*', 'pods/log'] }, ['Invalid resources[1]']],
  'a resource that is covered by its subresource': [
    { resources: ['*/status', 'pods/status'] },
    ['Invalid resources[1]'],
  ],
  'everything and something': [{ resources: ['*/*', 'pods'] }, ['Invalid resources']],
  'all resources and one': [{ resources: ['*', 'pods'] }, ['Invalid resources']],
  'all resources and a subresource of all': [{ resources: ['*', '*/status'] }, []],
  'an unknown scope': [{ scope: 'Galaxy' }, ['NotSupported scope']],
}
for (const [title, [changes, expected]] of Object.entries(rules))
  validation(`a rule with ${title}`, () => assert.equal(ruled(changes), expected))

const urls: Record<string, string[]> = {
  'https://hook.acme.test:8443/a/b': [],
  'https://[::1]:8443/': [],
  'http://hook.acme.test': ['Invalid url'],
  'https://user:secret@hook.acme.test': ['Invalid url'],
  'https://hook.acme.test/x?y': ['Invalid url'],
  'https://hook.acme.test/x#y': ['Invalid url'],
  'https:///x': ['Invalid url'],
  'hook.acme.test': ['Invalid url', 'Invalid url'],
  '': ['Invalid url', 'Invalid url'],
  ':x': ['Required url'],
  'https://hook.acme.test:port/': ['Required url'],
  'https://hook.acme.test/%zz': ['Required url'],
  'https://reviewer.hooks.svc/x': ['Invalid url'],
  'https://reviewer.hooks.svc.cluster.local:443/x': ['Invalid url'],
  'https://svc.acme.test/x': [],
  'https://hook.acme.test/a b': [],
  'https://hook acme.test/': ['Required url'],
}
for (const [url, expected] of Object.entries(urls))
  validation(`the url "${url}"`, () => assert.equal(at(url), expected))
validation('never repeats a password', () =>
  assert.not.match(
    JSON.stringify(
      validateConfiguration(
        { webhooks: [aWebhook({ clientConfig: { url: 'https://u:secret@a.test' } })] },
        'v1',
        level,
      ),
    ),
    /secret/,
  ),
)

const servicesBroken: Record<string, [object, string[]]> = {
  'a path and a port': [{ path: '/a/b/', port: 8443 }, []],
  'neither name nor namespace': [{ namespace: '', name: '' }, ['Required namespace', 'Required name']],
  'no name': [{ name: '' }, ['Required name']],
  'no namespace': [{ namespace: '' }, ['Required namespace']],
  'port 0': [{ port: 0 }, ['Invalid port']],
  'a port beyond all': [{ port: 65536 }, ['Invalid port']],
  'a relative path': [{ path: 'review' }, ['Invalid path']],
  'a path with nothing between slashes': [{ path: '/a//b' }, ['Invalid path']],
  'two slashes': [{ path: '//' }, ['Invalid path']],
}
for (const [title, [service, expected]] of Object.entries(servicesBroken))
  validation(`a service with ${title}`, () => assert.equal(by(service), expected))

validation('two webhooks need two names, except in the older version', () => {
  const webhooks = [aWebhook(), aWebhook()]
  assert.equal(
    validateConfiguration({ webhooks }, 'v1', level).map(({ field }) => field),
    ['webhooks[1].name'],
  )
  assert.equal(validateConfiguration({ webhooks }, 'v1beta1', level), [])
})
validation('the older version allows every class of side effects', () =>
  assert.equal(
    ['Some', 'Unknown'].flatMap(sideEffects => broken({ sideEffects }, 'v1beta1')),
    [],
  ),
)
validation('values in selectors must be valid label values, unless invalid ones are stored', () => {
  const namespaceSelector = { matchExpressions: [{ key: 'a', operator: 'In', values: ['b c'] }] }
  const webhooks = [aWebhook({ namespaceSelector })]
  const at = 'webhooks[0].namespaceSelector.matchExpressions[0].values[0]'
  const fields = (version: `1.${number}`) =>
    validateConfiguration({ webhooks }, 'v1', new ServedLevel(version)).map(({ field }) => field)
  assert.equal(fields('1.25'), [])
  assert.equal(fields('1.26'), [at])
  assert.equal(validateConfigurationUpdate({ webhooks }, { webhooks }, 'v1', level), [])
})
validation('an update may keep stored violations', () => {
  const old = aWebhook({ sideEffects: 'Unknown', admissionReviewVersions: ['v9'] })
  const changed = { ...old, timeoutSeconds: 3 }
  assert.equal(validateConfigurationUpdate({ webhooks: [changed, changed] }, { webhooks: [old, old] }, 'v1', level), [])
  const errors = validateConfigurationUpdate({ webhooks: [changed, changed] }, { webhooks: [aWebhook()] }, 'v1', level)
  assert.is(errors.length, 5)
})

validation.run()
