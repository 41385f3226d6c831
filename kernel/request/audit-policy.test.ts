import type { UserInfo } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { RequestContext } from '../contracts/request-context.js'
import { parseRequestInfo } from '../contracts/request-info.js'
import { AuditPolicy } from './audit-policy.js'

const isSensitive = (_: string, resource: string) => resource === 'vaults'
function request(method: string, url: string, user: UserInfo = { name: 'jane', groups: ['staff'] }): RequestContext {
  const context = new RequestContext({ headers: {} } as never, parseRequestInfo(method, url)!, 0)
  context.user = user
  return context
}
const levelOf = (text: string | undefined, context: RequestContext) =>
  new AuditPolicy(text, isSensitive).decide(context, context.user).level

const policy = suite('audit policy')

policy('records metadata of everything when there is no policy', () => {
  assert.is(levelOf(undefined, request('GET', '/api/v1/things')), 'Metadata')
})
policy('takes the first rule that fits', () => {
  const text = 'rules: [{level: None, users: [jane]}, {level: RequestResponse}]'
  assert.is(levelOf(text, request('POST', '/api/v1/things')), 'None')
  assert.is(levelOf(text, request('POST', '/api/v1/things', { name: 'joe', groups: [] })), 'RequestResponse')
})
policy('matches groups, verbs, resources, subresources and paths', () => {
  const text = `
rules:
- {level: None, nonResourceURLs: ["/healthz*"]}
- {level: Request, userGroups: [staff], verbs: [create], resources: [{group: "", resources: [things, things/status]}]}
- {level: Metadata, namespaces: ["n"]}`
  assert.is(levelOf(text, request('GET', '/healthz/ping')), 'None')
  assert.is(levelOf(text, request('POST', '/api/v1/things')), 'Request')
  assert.is(levelOf(text, request('POST', '/api/v1/namespaces/n/others')), 'Metadata')
  assert.is(levelOf(text, request('POST', '/api/v1/namespaces/m/others')), 'None')
})
policy('never records the body of a sensitive type', () => {
  assert.is(levelOf('rules: [{level: RequestResponse}]', request('POST', '/api/v1/vaults')), 'Metadata')
})
const pods = 'resources: [{resources: [pods]}]'
const pod = '/api/v1/namespaces/default/pods/busybox'
const role = '/apis/rbac.acme.test/v1/clusterroles/edit'
const logs = '/logs/agent.log'
const fitting: Record<string, [rule: string, url: string, isFitting: boolean]> = {
  'a resource does not stand for its subresources': [pods, `${pod}/log`, false],
  'a subresource does not stand for its resource': ['resources: [{resources: [pods/log]}]', pod, false],
  'everything stands for subresources too': ['resources: [{resources: ["*"]}]', `${pod}/log`, true],
  'a subresource of anything': ['resources: [{resources: ["*/log"]}]', `${pod}/log`, true],
  'any subresource of something': ['resources: [{resources: ["pods/*"]}]', `${pod}/log`, true],
  'the core group is not every group': ['resources: [{resources: [clusterroles]}]', role, false],
  'a named group': ['resources: [{group: rbac.acme.test, resources: [clusterroles]}]', role, true],
  'a named object': [
    'resources: [{group: rbac.acme.test, resources: [clusterroles], resourceNames: [edit]}]',
    role,
    true,
  ],
  'an object that is selected by its name': [
    'resources: [{resources: [pods], resourceNames: [busybox]}]',
    '/api/v1/pods?fieldSelector=metadata.name%3Dbusybox',
    true,
  ],
  'what is in no namespace': ['namespaces: [""]', role, true],
  'what is in a namespace is not outside': ['namespaces: [""]', pod, false],
  'paths are in no namespace and no resources': [pods, logs, false],
  'a path up to its star': ['nonResourceURLs: ["/logs*"]', logs, true],
  'another path': ['nonResourceURLs: [/metrics]', logs, false],
  'resources are no paths': ['nonResourceURLs: ["*"]', pod, false],
}
for (const [title, [rule, url, isFitting]] of Object.entries(fitting))
  policy(`tells what a rule fits: ${title}`, () =>
    assert.is(levelOf(`rules: [{level: Request, ${rule}}]`, request('GET', url)), isFitting ? 'Request' : 'None'),
  )

policy('whoever is not recognised is nobody a rule names, not even the anonymous user', () => {
  const level = (rule: string) =>
    new AuditPolicy(`rules: [{level: Request, ${rule}}]`, isSensitive).decide(request('GET', pod), undefined).level
  assert.is(level('users: ["system:anonymous"]'), 'None')
  assert.is(level('userGroups: ["system:unauthenticated"]'), 'None')
  assert.is(level('verbs: [get]'), 'Request')
})
policy('stages that the policy leaves out add up with those of the rule; managed fields are as the rule says', () => {
  const text = (rule: string) =>
    `{omitStages: [RequestReceived], omitManagedFields: true, rules: [{level: Request, ${rule}}]}`
  const decided = (rule: string) => new AuditPolicy(text(rule), isSensitive).decide(request('GET', pod), undefined)
  assert.equal([...decided('omitStages: [ResponseStarted]').omitStages], ['RequestReceived', 'ResponseStarted'])
  assert.is(decided('').omitManagedFields, true)
  assert.is(decided('omitManagedFields: false').omitManagedFields, false)
})
const mistaken: Record<string, string> = {
  'a stage that does not exist': '{omitStages: [Later], rules: [{level: None}]}',
  'no rules': 'rules: []',
  'both resources and paths': `rules: [{level: None, ${pods}, nonResourceURLs: [/a]}]`,
  'a path without a slash': 'rules: [{level: None, nonResourceURLs: [logs]}]',
  'a star inside a path': 'rules: [{level: None, nonResourceURLs: ["/a/*/b"]}]',
  'a group with its version': 'rules: [{level: None, resources: [{group: apps/v1, resources: [things]}]}]',
  'names of nothing': 'rules: [{level: None, resources: [{resourceNames: [a]}]}]',
}
for (const [title, text] of Object.entries(mistaken))
  policy(`refuses ${title}`, () => assert.throws(() => new AuditPolicy(text, isSensitive), /not valid/))

policy('refuses a policy it does not understand, and says what is wrong', () => {
  assert.throws(() => new AuditPolicy('rules: [{level: Everything}]', isSensitive), /rules/)
})

policy.run()
