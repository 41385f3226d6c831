import type { UserInfo } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AuditPolicy } from './audit-policy.js'
import { RequestContext } from './request-context.js'
import { parseRequestInfo } from './request-info.js'

const isSensitive = (_: string, resource: string) => resource === 'vaults'
function request(method: string, url: string, user: UserInfo = { name: 'jane', groups: ['staff'] }): RequestContext {
  const context = new RequestContext({ headers: {} } as never, parseRequestInfo(method, url)!, 0)
  context.user = user
  return context
}
const levelOf = (text: string | undefined, context: RequestContext) =>
  new AuditPolicy(text, isSensitive).decide(context).level

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
- {level: Metadata, namespaces: [n]}`
  assert.is(levelOf(text, request('GET', '/healthz/ping')), 'None')
  assert.is(levelOf(text, request('POST', '/api/v1/things')), 'Request')
  assert.is(levelOf(text, request('POST', '/api/v1/namespaces/n/others')), 'Metadata')
  assert.is(levelOf(text, request('POST', '/api/v1/namespaces/m/others')), 'None')
})
policy('never records the body of a sensitive type', () => {
  assert.is(levelOf('rules: [{level: RequestResponse}]', request('POST', '/api/v1/vaults')), 'Metadata')
})
policy('refuses a policy it does not understand, and says what is wrong', () => {
  assert.throws(() => new AuditPolicy('rules: [{level: Everything}]', isSensitive), /rules/)
})

policy.run()
