import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AuditLog } from './audit.js'
import type { AuditFile } from './audit-file.js'
import { AuditPolicy } from './audit-policy.js'
import { RequestContext } from './request-context.js'
import { parseRequestInfo } from './request-info.js'

const audit = suite('audit events')

audit('a body that nests too deep to be written is left out, and the event is recorded nevertheless', () => {
  const lines: string[] = []
  const file = { write: (line: string) => void lines.push(line) } as unknown as AuditFile
  const policy = new AuditPolicy('rules: [{level: Request}]', () => false)
  const log = new AuditLog(policy, file, 'audit.acme.test/v1', () => 0)
  const context = new RequestContext({ headers: {} } as never, parseRequestInfo('POST', '/api/v1/things')!, 0)
  log.requestReceived(context)
  context.auditRequest(() => JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`))
  log.responseComplete(context, 400)
  const [, complete] = lines.map(line => JSON.parse(line))
  assert.is(complete.responseStatus.code, 400)
  assert.not('requestObject' in complete)
})

audit.run()
