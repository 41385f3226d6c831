import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { authorization } from 'orch/plugins/authorization'
import { configuration } from 'orch/plugins/configuration'
import { namespaces } from 'orch/plugins/namespaces'
import { nodes } from 'orch/plugins/nodes'
import { podSecurity } from 'orch/plugins/pod-security'
import { workloads } from 'orch/plugins/workloads'
import { orchProfile } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { type ServerUnderTest, withServer } from './with-server.js'

const vendor = { ...orchProfile, name: 'acme', domain: 'acme.test', groupDomain: 'api.acme.test' }
const plugins = [namespaces, authorization, nodes, workloads, podSecurity, configuration]

interface AuditEvent {
  readonly level: string
  readonly stage: string
  readonly requestURI: string
  readonly verb: string
  readonly user: { readonly username: string }
  readonly responseStatus?: Record<string, unknown>
  readonly requestObject?: Record<string, unknown>
  readonly responseObject?: Record<string, unknown>
  readonly annotations?: Record<string, string>
}
/** Generous, because the machine may be busy. */
const patienceMs = 30_000
type Recorded = (verb: string, path: string) => Promise<AuditEvent & { annotations: Record<string, string> }>

/** Runs a test on a server with a namespace `town` and this audit level. */
async function withAudit(
  level: 'Metadata' | 'Request' | 'RequestResponse',
  run: (server: ServerUnderTest, recorded: Recorded) => Promise<void>,
  enableAdmissionPlugins: string[] = [],
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'orch-audit-'))
  const [auditLogPath, auditPolicyFile] = [join(folder, 'audit.log'), join(folder, 'policy.yaml')]
  writeFileSync(auditPolicyFile, JSON.stringify({ kind: 'Policy', rules: [{ level }] }))
  const events = (): AuditEvent[] =>
    readFileSync(auditLogPath, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line))
  const recorded: Recorded = async (verb, path) => {
    const isIt = (event: AuditEvent) =>
      event.stage === 'ResponseComplete' && event.verb === verb && event.requestURI === path
    const event = await eventually(`the event of ${verb} ${path}`, () => events().find(isIt), patienceMs)
    return { ...event, annotations: event.annotations ?? {} }
  }
  const options = { auditLogPath, auditPolicyFile, enableAdmissionPlugins }
  try {
    await withServer({ plugins, vendor, options }, async server => {
      await server.ask('POST', '/api/v1/namespaces', {
        metadata: { name: 'town', labels: { 'pod-security.acme.test/audit': 'baseline' } },
      })
      await run(server, recorded)
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const aPod = (name: string, spec: object = {}) => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
})
const pods = '/api/v1/namespaces/town/pods'
const as = (user: string) => ({ 'impersonate-user': user })

const audit = suite('decisions in the audit log')

audit('records which rule authorized a request, and which requests were forbidden', () =>
  withAudit('Metadata', async ({ ask }, recorded) => {
    const rule = { apiGroups: [''], resources: ['pods'], verbs: ['list'] }
    const roles = '/apis/rbac.authorization.api.acme.test/v1'
    await ask('POST', `${roles}/clusterroles`, { metadata: { name: 'readers' }, rules: [rule] })
    await ask('POST', `${roles}/clusterrolebindings`, {
      metadata: { name: 'ann-reads' },
      roleRef: { apiGroup: 'rbac.authorization.api.acme.test', kind: 'ClusterRole', name: 'readers' },
      subjects: [{ apiGroup: 'rbac.authorization.api.acme.test', kind: 'User', name: 'ann' }],
    })
    await eventually(
      'the grant',
      async () => (await ask('GET', '/api/v1/pods', undefined, as('ann'))).status === 200 || undefined,
      patienceMs,
    )
    await ask('GET', `${pods}?limit=1`, undefined, as('ann'))
    const allowed = (await recorded('list', `${pods}?limit=1`)).annotations
    assert.is(allowed['authorization.api.acme.test/decision'], 'allow')
    assert.match(allowed['authorization.api.acme.test/reason'] ?? '', 'RBAC: allowed by ClusterRoleBinding "ann-reads"')
    await ask('GET', `${pods}?limit=2`, undefined, as('bob'))
    const refused = await recorded('list', `${pods}?limit=2`)
    assert.is(refused.annotations['authorization.api.acme.test/decision'], 'forbid')
    const { status, reason, code, message } = refused.responseStatus ?? {}
    assert.equal([status, reason, code], ['Failure', 'Forbidden', 403])
    assert.match(String(message), 'User "bob" cannot list')
  }),
)

audit('records that a request was admitted, and the annotations of admission controls', () =>
  withAudit('Metadata', async ({ ask }, recorded) => {
    await ask('POST', pods, aPod('p', { hostNetwork: true }))
    const { annotations, responseStatus } = await recorded('create', pods)
    assert.is(annotations['admission.api.acme.test/decision'], 'allow')
    assert.is(annotations['pod-security.acme.test/enforce-policy'], 'privileged:latest')
    assert.match(annotations['pod-security.acme.test/audit-violations'] ?? '', 'would violate PodSecurity "baseline')
    assert.not('admission.api.acme.test/changed-by' in annotations)
    assert.is(responseStatus?.['code'], 201)
  }),
)

audit('records which control rejected a request', () =>
  withAudit('Metadata', async ({ ask }, recorded) => {
    const nowhere = '/api/v1/namespaces/nowhere/pods'
    await ask('POST', nowhere, aPod('p'))
    const { annotations, responseStatus } = await recorded('create', nowhere)
    assert.is(annotations['admission.api.acme.test/decision'], 'forbid')
    assert.is(annotations['admission.api.acme.test/refused-by'], 'NamespaceLifecycle')
    assert.is(responseStatus?.['reason'], 'NotFound')
    await ask('PUT', `${pods}/p`, aPod('other'))
    assert.not('admission.api.acme.test/decision' in (await recorded('update', `${pods}/p`)).annotations)
  }),
)

audit('records which controls changed the object, at levels with bodies', () =>
  withAudit('Request', async ({ ask }, recorded) => {
    await ask('POST', pods, aPod('p'))
    const { annotations } = await recorded('create', pods)
    assert.is(annotations['admission.api.acme.test/changed-by'], 'Priority,DefaultTolerationSeconds')
  }),
)

audit('records request bodies in every media type', () =>
  withAudit('Request', async ({ ask }, recorded) => {
    await ask('POST', pods, aPod('p'))
    const applied = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', labels: { a: 'b' } } }
    const asApply = { 'content-type': 'application/apply-patch+yaml' }
    await ask('PATCH', `${pods}/p?fieldManager=me`, applied, asApply)
    assert.equal((await recorded('patch', `${pods}/p?fieldManager=me`)).requestObject, applied)
    await ask('POST', `${pods}/p/binding`, { target: { kind: 'Node', name: 'n1' } })
    assert.is((await recorded('create', `${pods}/p/binding`)).requestObject?.['kind'], 'Binding')
    await ask('DELETE', `${pods}/p`, { kind: 'DeleteOptions', gracePeriodSeconds: 0 })
    assert.is((await recorded('delete', `${pods}/p`)).requestObject?.['gracePeriodSeconds'], 0)
  }),
)

audit('records response bodies in every media type', () =>
  withAudit('RequestResponse', async ({ ask }, recorded) => {
    const maps = '/api/v1/namespaces/town/configmaps'
    const data = { key: 'x'.repeat(1000) }
    await ask('POST', maps, { metadata: { name: 'c' }, data })
    assert.equal((await recorded('create', maps)).responseObject?.['data'], data)
    const formats = ['application/json', vendor.protobufMediaType, 'application/yaml']
    for (const [n, accept] of formats.entries()) {
      const [one, all] = [`${maps}/c?n=${n}`, `${maps}?n=${n}`]
      for (const path of [one, all]) assert.is((await ask('GET', path, undefined, { accept })).status, 200, accept)
      const { kind, apiVersion, data: shown } = (await recorded('get', one)).responseObject ?? {}
      assert.equal([kind, apiVersion, shown], ['ConfigMap', 'v1', data], accept)
      const { kind: listKind, items } = (await recorded('list', all)).responseObject ?? {}
      assert.equal([listKind, (items as { data: unknown }[]).map(each => each.data)], ['ConfigMapList', [data]], accept)
    }
    await ask('GET', `${maps}/nobody`)
    const { kind, reason } = (await recorded('get', `${maps}/nobody`)).responseObject ?? {}
    assert.equal([kind, reason], ['Status', 'NotFound'])
  }),
)

audit(
  'a list that is too long for the log is sent completely, and its event has an annotation instead of the body',
  () =>
    withAudit('RequestResponse', async ({ ask }, recorded) => {
      const maps = '/api/v1/namespaces/town/configmaps'
      const data = { key: 'x'.repeat(900_000) }
      for (let n = 0; n < 10; n++) await ask('POST', maps, { metadata: { name: `c${n}` }, data })
      const { status, json } = await ask('GET', maps)
      assert.equal([status, json.items.length], [200, 10])
      const { annotations, responseObject } = await recorded('list', maps)
      assert.is(annotations['audit.api.acme.test/truncated'], 'true')
      assert.not(responseObject)
    }),
)

audit('records which policy admitted a Pod', () =>
  withAudit(
    'Metadata',
    async ({ ask }, recorded) => {
      const any = { rule: 'RunAsAny' }
      const spec = { seLinux: any, runAsUser: any, fsGroup: any, supplementalGroups: any, volumes: ['*'] }
      await ask('POST', '/apis/policy/v1beta1/podsecuritypolicies', { metadata: { name: 'usual' }, spec })
      await eventually(
        'the policy',
        async () => (await ask('POST', `${pods}?fieldManager=me`, aPod('p'))).status === 201 || undefined,
        patienceMs,
      )
      await ask('POST', pods, aPod('q'))
      const { annotations } = await recorded('create', pods)
      assert.is(annotations['podsecuritypolicy.policy.api.acme.test/admit-policy'], 'usual')
      assert.is(annotations['podsecuritypolicy.policy.api.acme.test/validate-policy'], 'usual')
    },
    ['PodSecurityPolicy'],
  ),
)

audit.run()
