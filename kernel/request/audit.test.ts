import { notFound, unauthorized } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { RequestContext } from '../contracts/request-context.js'
import { parseRequestInfo } from '../contracts/request-info.js'
import { AuditLog } from './audit.js'
import { AuditPolicy } from './audit-policy.js'

const audit = suite('audit events')

interface Recorded {
  readonly stage: string
  readonly level: string
  readonly auditID: string
  readonly user: { readonly username?: string }
  readonly impersonatedUser?: { readonly username: string }
  readonly sourceIPs: readonly string[]
  readonly objectRef: Readonly<Record<string, string>>
  readonly responseStatus: Readonly<Record<string, unknown>>
  readonly requestObject?: Readonly<Record<string, unknown>>
}

/** A log that can be read, and requests for it whose connection can be closed. */
function aLog(policy: string) {
  const lines: string[] = []
  const sink = { write: (event: string) => void lines.push(event), close: async () => {} }
  const counts = { recorded: () => {}, refused: () => {} }
  const isConnection = ({ info }: RequestContext) => info.subresource === 'exec'
  const log = new AuditLog(new AuditPolicy(policy, () => false), [sink], counts, () => 0, isConnection)
  const request = (method: string, url: string, headers: Record<string, string> = {}) => {
    const listeners: (() => void)[] = []
    const exchange = {
      url,
      headers,
      headerValues: (name: string) => [headers[name]],
      remoteAddress: '10.0.0.9',
      setHeader: () => {},
      clientCertificates: () => [],
      onClose: (listener: () => void) => void listeners.push(listener),
    }
    const context = new RequestContext(exchange as never, parseRequestInfo(method, url)!, 0)
    context.user = { name: 'jane', groups: [] }
    return { context, close: () => listeners.map(listener => listener()) }
  }
  return { log, request, lines, events: () => lines.map(line => JSON.parse(line) as Recorded) }
}
const stagesOf = (events: readonly Recorded[]) => events.map(({ stage }) => stage)

audit(
  'a body is recorded however deep it nests; one that cannot be written is left out, and the event is recorded nevertheless',
  () => {
    const { log, request, events } = aLog('rules: [{level: Request}]')
    const unwritable = { toJSON: () => assert.unreachable() }
    for (const body of [JSON.parse(`${'['.repeat(9000)}${']'.repeat(9000)}`), unwritable]) {
      const { context } = request('POST', '/api/v1/things')
      log.requestReceived(context)
      context.audit.recordRequest(() => body)
      log.answered(context, 400)
      const complete = events().at(-1)
      assert.is(complete?.responseStatus['code'], 400)
      assert.is('requestObject' in complete!, body !== unwritable)
    }
  },
)

audit('a request is received and answered', () => {
  const { log, request, events } = aLog('rules: [{level: Request}]')
  const { context } = request('GET', '/api/v1/things/a', { 'audit-id': 'mine' })
  log.requestReceived(context)
  log.answered(context, 200)
  assert.equal(stagesOf(events()), ['RequestReceived', 'ResponseComplete'])
  for (const { auditID, level } of events()) assert.equal([auditID, level], ['mine', 'Request'])
})

audit('credentials in an address are hidden, and what a client calls itself stays text of one line', () => {
  const { log, request, lines } = aLog('rules: [{level: Metadata}]')
  const agent = 'm\u00fcller\u0085\u009b2J'
  const { context } = request('GET', '/api/v1/things?token=s3cret&limit=1', { 'user-agent': agent })
  log.requestReceived(context)
  const [line = ''] = lines
  assert.not.match(line, /s3cret|[\u007f-\u009f]/)
  const { requestURI, userAgent } = JSON.parse(line)
  assert.equal([requestURI, userAgent], ['/api/v1/things?token=[hidden]&limit=1', agent])
})

audit('a watch begins to be answered, and is complete when it ends', () => {
  const { log, request, events } = aLog('rules: [{level: Metadata}]')
  const { context, close } = request('GET', '/api/v1/things?watch=1')
  log.requestReceived(context)
  log.answered(context, 200)
  assert.equal(stagesOf(events()), ['RequestReceived', 'ResponseStarted'])
  close()
  assert.equal(stagesOf(events()).slice(2), ['ResponseComplete'])
})

audit('a watch whose client is gone when the answer begins is complete at once', () => {
  const { log, request, events } = aLog('{omitStages: [RequestReceived], rules: [{level: Metadata}]}')
  const { context, close } = request('GET', '/api/v1/things?watch=1')
  log.requestReceived(context)
  close()
  log.answered(context, 200)
  assert.equal(stagesOf(events()), ['ResponseStarted', 'ResponseComplete'])
})

audit('a connection begins to be answered when it is made, and is complete when it ends', () => {
  const { log, request, events } = aLog('rules: [{level: Metadata}]')
  const { context } = request('POST', '/api/v1/namespaces/town/things/a/exec')
  log.requestReceived(context)
  context.onAnswerBegins?.(101)
  assert.equal(stagesOf(events()), ['RequestReceived', 'ResponseStarted'])
  log.answered(context, 101)
  assert.equal(stagesOf(events()), ['RequestReceived', 'ResponseStarted', 'ResponseComplete'])
  for (const { responseStatus } of events().slice(1)) assert.equal(responseStatus, { metadata: {}, code: 101 })
})

audit('a connection that is refused has all stages as well, and says why', () => {
  const { log, request, events } = aLog('rules: [{level: Metadata}]')
  const { context } = request('POST', '/api/v1/namespaces/town/things/a/exec')
  log.requestReceived(context)
  log.answered(context, 404, notFound({ group: '', resource: 'things', name: 'a' }))
  assert.equal(stagesOf(events()), ['RequestReceived', 'ResponseStarted', 'ResponseComplete'])
  for (const { responseStatus } of events().slice(1)) {
    assert.equal([responseStatus['code'], responseStatus['reason']], [404, 'NotFound'])
    assert.equal(responseStatus['details'], { name: 'a', kind: 'things' })
  }
})

audit('what is recorded depends on who sent the request, not on whom they act as', () => {
  const { log, request, events } = aLog('rules: [{level: None, users: [ann]}, {level: Metadata}]')
  const { context } = request('GET', '/api/v1/things')
  log.requestReceived(context)
  context.impersonator = context.user
  context.user = { name: 'ann', groups: [] }
  log.answered(context, 200)
  assert.equal(stagesOf(events()), ['RequestReceived', 'ResponseComplete'])
  const [, complete] = events()
  assert.equal([complete?.user.username, complete?.impersonatedUser?.username], ['jane', 'ann'])
})

const credentials: Record<string, [headers: Record<string, string>, how: string]> = {
  'with a wrong token': [{ authorization: 'Bearer x' }, 'attempted: bearer'],
  'with a password': [{ authorization: 'Basic eDp5' }, 'attempted: basic'],
  'without anything': [{}, 'no credentials provided'],
}
for (const [title, [headers, how]] of Object.entries(credentials))
  audit(`nobody sent what came ${title}`, () => {
    const { log, request, events } = aLog('rules: [{level: Metadata}]')
    log.answered(request('GET', '/api/v1/things', headers).context, 401, unauthorized())
    const [{ stage, user, responseStatus } = {} as Recorded, ...more] = events()
    assert.equal([stage, user, responseStatus['code'], more], ['ResponseStarted', {}, 401, []])
    assert.is(responseStatus['message'], `Authentication failed, ${how}`)
  })

audit('the object that was sent fills in what the path leaves open', () => {
  const { log, request, events } = aLog('rules: [{level: Metadata}]')
  const { context } = request('POST', '/api/v1/namespaces/town/things')
  log.requestReceived(context)
  context.recordMetadata({ name: 'a', namespace: 'elsewhere', resourceVersion: '7' })
  log.answered(context, 201)
  const [received, complete] = events()
  const path = { resource: 'things', namespace: 'town', apiVersion: 'v1' }
  assert.equal(received?.objectRef, path)
  assert.equal(complete?.objectRef, { ...path, name: 'a', resourceVersion: '7' })
})

audit(
  'a cluster-wide object whose path has a namespace is recorded as it was asked for; an answer says what it says',
  () => {
    const { log, request, events } = aLog('rules: [{level: Metadata}]')
    const { context } = request('DELETE', '/api/v1/namespaces/town')
    log.requestReceived(context)
    context.audit.answeredStatus = 'Success'
    log.answered(context, 200)
    const objectRef = { resource: 'namespaces', namespace: 'town', name: 'town', apiVersion: 'v1' }
    for (const event of events()) assert.equal(event.objectRef, objectRef)
    assert.equal(events()[1]?.responseStatus, { metadata: {}, status: 'Success', code: 200 })
  },
)

const routes: Record<string, [headers: Record<string, string>, addresses: string[]]> = {
  directly: [{}, ['10.0.0.9']],
  'over proxies': [
    { 'x-forwarded-for': '1.2.3.4, nonsense,::1', 'x-real-ip': '5.6.7.8' },
    ['1.2.3.4', '::1', '5.6.7.8', '10.0.0.9'],
  ],
  'over a proxy that names itself': [
    { 'x-forwarded-for': '1.2.3.4, 10.0.0.9', 'x-real-ip': '1.2.3.4' },
    ['1.2.3.4', '10.0.0.9'],
  ],
}
for (const [title, [headers, addresses]] of Object.entries(routes))
  audit(`a request that came ${title} came from there`, () => {
    const { log, request, events } = aLog('rules: [{level: Metadata}]')
    log.requestReceived(request('GET', '/api/v1/things', headers).context)
    assert.equal(events()[0]?.sourceIPs, addresses)
  })

audit('who manages which field is left out where the policy says so, in lists too', () => {
  const { log, request, events } = aLog('{omitManagedFields: true, rules: [{level: Request}]}')
  const { context } = request('PUT', '/api/v1/things/a')
  const object = { metadata: { name: 'a', managedFields: [{ manager: 'm' }] } }
  log.requestReceived(context)
  context.audit.recordRequest(() => ({ ...object, items: [object] }))
  log.answered(context, 200)
  assert.equal(events()[1]?.requestObject, { metadata: { name: 'a' }, items: [{ metadata: { name: 'a' } }] })
})

audit('what a plugin was refused is recorded, whatever the policy says of requests', () => {
  const { log, events } = aLog('rules: [{level: None}]')
  log.pluginRefused('guard', { kind: 'file', what: 'read /etc/passwd' })
  const [event] = events()
  assert.equal(event?.user, { username: 'system:plugin:guard' })
  assert.equal([event?.responseStatus['code'], event?.responseStatus['message']], [403, 'read /etc/passwd'])
})

audit.run()
