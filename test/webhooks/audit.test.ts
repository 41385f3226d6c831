import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { withWorld } from './start-world.js'

const audit = suite('webhooks in the audit log')

audit('has annotations of webhooks, their changes to objects, and ignored failures', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'orch-webhooks-audit-'))
  const [auditLogPath, auditPolicyFile] = [join(folder, 'audit.log'), join(folder, 'policy.yaml')]
  writeFileSync(
    auditPolicyFile,
    JSON.stringify({ apiVersion: 'audit.orch.io/v1', kind: 'Policy', rules: [{ level: 'Request' }] }),
  )
  const annotationsOf = (): Record<string, string> | undefined =>
    readFileSync(auditLogPath, 'utf8')
      .split('\n')
      // The last line may still be on its way.
      .slice(0, -1)
      .map(line => JSON.parse(line))
      .find(event => event.objectRef?.resource === 'configmaps' && event.stage === 'ResponseComplete')?.annotations
  await withWorld(
    async world => {
      await world.namespace('town')
      const patch = Buffer.from('[{"op":"add","path":"/data","value":{"a":"b"}}]').toString('base64')
      await world.configure('Mutating', 'm', [
        world.hook('town', 'm'),
        world.hook('town', 'n'),
        world.hook('town', 'o', { clientConfig: { url: 'https://127.0.0.1:1' }, failurePolicy: 'Ignore' }),
      ])
      await world.configure('Validating', 'v', [
        world.hook('town', 'v', { clientConfig: { url: 'https://127.0.0.1:1' }, failurePolicy: 'Ignore' }),
        world.hook('town', 'w'),
      ])
      await world.webhook.behave('/town/m', {
        is: 'answer',
        response: { allowed: true, patchType: 'JSONPatch', patch },
      })
      await world.webhook.behave('/town/w', {
        is: 'answer',
        response: { allowed: true, auditAnnotations: { looked: 'twice', 'not a key': 'x' } },
      })
      await world.send('POST', '/api/v1/namespaces/town/configmaps', { metadata: { name: 'x' } })
      const annotations = await eventually('the audit event', annotationsOf, 30_000)
      const mutation = (index: number) =>
        JSON.parse(annotations[`mutation.webhook.admission.orch.io/round_0_index_${index}`] ?? '')
      assert.equal(mutation(0), { configuration: 'm', webhook: 'm.acme.test', mutated: true })
      assert.equal(mutation(1), { configuration: 'm', webhook: 'n.acme.test', mutated: false })
      assert.equal(JSON.parse(annotations['patch.webhook.admission.orch.io/round_0_index_0'] ?? ''), {
        configuration: 'm',
        webhook: 'm.acme.test',
        patch: [{ op: 'add', path: '/data', value: { a: 'b' } }],
        patchType: 'JSONPatch',
      })
      assert.not('patch.webhook.admission.orch.io/round_0_index_1' in annotations)
      assert.is(annotations['failed-open.mutation.webhook.admission.orch.io/round_0_index_2'], 'o.acme.test')
      assert.is(annotations['failed-open.validating.webhook.admission.orch.io/round_0_index_0'], 'v.acme.test')
      assert.is(annotations['w.acme.test/looked'], 'twice')
      assert.not(Object.keys(annotations).some(key => key.includes('not a key')))
    },
    { options: { auditLogPath, auditPolicyFile } },
  ).finally(() => rmSync(folder, { recursive: true }))
})

audit('omits changes by webhooks at levels without bodies', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'orch-webhooks-audit-'))
  const auditLogPath = join(folder, 'audit.log')
  await withWorld(
    async world => {
      await world.namespace('town')
      const patch = Buffer.from('[{"op":"add","path":"/data","value":{"a":"c2VjcmV0"}}]').toString('base64')
      const rules = [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }]
      await world.configure('Mutating', 'm', [world.hook('town', 'm', { rules })])
      await world.webhook.behave('/town/m', {
        is: 'answer',
        response: { allowed: true, patchType: 'JSONPatch', patch },
      })
      await world.send('POST', '/api/v1/namespaces/town/configmaps', { metadata: { name: 'x' } })
      const isThere = () => readFileSync(auditLogPath, 'utf8').includes('mutation.webhook.admission') || undefined
      await eventually('the audit event', isThere, 30_000)
      assert.not.match(readFileSync(auditLogPath, 'utf8'), /c2VjcmV0|patch\.webhook/)
    },
    { options: { auditLogPath } },
  ).finally(() => rmSync(folder, { recursive: true }))
})

audit('metrics count calls, refusals and failures of each webhook', () =>
  withWorld(async world => {
    await world.namespace('town')
    await world.configure('Validating', 'v', [
      world.hook('town', 'v'),
      world.hook('town', 'f', { clientConfig: { url: 'https://127.0.0.1:1' }, failurePolicy: 'Ignore' }),
      world.hook('town', 'd', { failurePolicy: 'Ignore' }),
    ])
    await world.webhook.behave('/town/d', { is: 'raw', status: 503, body: 'down' })
    await world.webhook.behave('/town/v', { is: 'answer', response: { allowed: false, status: { code: 409 } } })
    await world.create('town', 'x')
    const metrics = String((await world.send('GET', '/metrics')).body)
    const about = (metric: string, name: string) =>
      metrics.split('\n').filter(line => line.startsWith(metric) && line.includes(`name="${name}"`))
    assert.match(
      about('apiserver_admission_webhook_rejection_count', 'v.acme.test')[0] ?? '',
      /rejection_code="409".* 1$/,
    )
    assert.match(about('apiserver_admission_webhook_request_total', 'f.acme.test')[0] ?? '', /code="400".* 1$/)
    assert.match(about('apiserver_admission_webhook_request_total', 'd.acme.test')[0] ?? '', /code="503".* 1$/)
    assert.match(about('apiserver_admission_webhook_fail_open_count', 'f.acme.test')[0] ?? '', / 1$/)
    assert.match(about('apiserver_admission_webhook_failures_total', 'f.acme.test')[0] ?? '', /cause="error".* 1$/)
    assert.ok(about('apiserver_admission_webhook_admission_duration_seconds_count', 'v.acme.test').length > 0)
  }),
)

audit.run()
