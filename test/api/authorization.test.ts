import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type ApiError, type ApiObject, orchProfile, Vendor } from 'orch/sdk'
import { type Client, createClient, httpTransport } from 'orch/sdk/client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { rejects } from '../support/rejects.js'
import { startOrch } from '../support/start-orch.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const vendor = new Vendor(orchProfile)
const group = vendor.group('rbac.authorization')
const ref = (resource: string, of = group) => ({ group: of, version: 'v1', resource })
const tokens = `root,root,1,"system:masters"
alice,alice,2
bob,bob,3,"dev"
node,system:node:n1,4,"system:nodes"
`

type As = (token: string) => Client
/** Runs a test with a server that has a few tokens; `as` returns the client for one of them. */
async function withServer(flags: string[], test: (as: As) => Promise<void>) {
  const folder = temporaryFolder()
  const file = join(folder.path, 'tokens.csv')
  writeFileSync(file, tokens)
  const server = await startOrch({ flags: ['--token-auth-file', file, ...flags] })
  const caPem = readFileSync(join(server.dataDir, 'pki/ca.crt'), 'utf8')
  const clients: Client[] = []
  try {
    await test(token => {
      const client = createClient({ transport: httpTransport({ server: server.url, caPem, credentials: { token } }) })
      clients.push(client)
      return client
    })
  } finally {
    for (const client of clients) await client.close()
    await server.stop()
    folder.remove()
  }
}

const role = (name: string, verbs: string[], resources: string[], apiGroup = ''): ApiObject => ({
  apiVersion: `${group}/v1`,
  kind: 'Role',
  metadata: { name },
  rules: [{ verbs, apiGroups: [apiGroup], resources }],
})
const binding = (name: string, roleName: string, subject: string, kind = 'Role'): ApiObject => ({
  apiVersion: `${group}/v1`,
  kind: 'RoleBinding',
  metadata: { name },
  roleRef: { apiGroup: group, kind, name: roleName },
  subjects: [{ kind: 'User', name: subject }],
})
const outcome = async (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: ApiError) => `${error.code} ${error.reason}`,
  )
/** Lets alice write roles and bindings in the default namespace, and grants her nothing else. */
async function letAliceWriteRoles(root: Client) {
  const verbs = ['create', 'get', 'list', 'update', 'patch', 'delete']
  const writer = role('writer', verbs, ['roles', 'rolebindings'], group)
  await root.resource(ref('roles')).in('default').create(writer)
  await root
    .resource(ref('rolebindings'))
    .in('default')
    .create(binding('writer', 'writer', 'alice'))
}

const authorization = suite('authorization over HTTP')

authorization('a binding takes effect immediately, and so does its deletion', async () => {
  await withServer([], async as => {
    const root = as('root')
    const mine = as('alice').resource(ref('configmaps', '')).in('default')
    assert.is(await outcome(mine.list()), '403 Forbidden')
    await root
      .resource(ref('roles'))
      .in('default')
      .create(role('reader', ['list'], ['configmaps']))
    await root
      .resource(ref('rolebindings'))
      .in('default')
      .create(binding('reader', 'reader', 'alice'))
    assert.is(await outcome(mine.list()), 'done')
    assert.is(await outcome(as('alice').resource(ref('configmaps', '')).list()), '403 Forbidden')
    await root.resource(ref('rolebindings')).in('default').delete('reader')
    assert.is(await outcome(mine.list()), '403 Forbidden')
  })
})

authorization(
  'no way of writing a role can escalate privileges, whatever admission controls are disabled',
  async () => {
    const flags = ['--disable-admission-plugins', 'NamespaceLifecycle']
    await withServer(flags, async as => {
      await letAliceWriteRoles(as('root'))
      const roles = as('alice').resource(ref('roles')).in('default')
      const power = role('power', ['get'], ['secrets'])
      const empty = await roles.create({ metadata: { name: 'empty' }, rules: null } as unknown as ApiObject)
      const attempts: Record<string, () => Promise<unknown>> = {
        create: () => roles.create(power),
        'dry run': () => roles.create(power, { dryRun: true }),
        'put as create': () => roles.update(power),
        'apply as create': () => roles.apply(power, { fieldManager: 'alice' }),
        update: () => roles.update({ ...empty, rules: power['rules'] }),
        'merge patch': () => roles.patch('empty', { rules: power['rules'] }),
        'json patch': () =>
          roles.patch('empty', [{ op: 'replace', path: '/rules', value: power['rules'] }], { type: 'json' }),
        apply: () => roles.apply({ ...role('empty', ['get'], ['secrets']) }, { fieldManager: 'alice', force: true }),
        wildcard: () => roles.create(role('all', ['*'], ['*'], '*')),
      }
      for (const [way, attempt] of Object.entries(attempts)) assert.is(await outcome(attempt()), '403 Forbidden', way)
      const bindings = as('alice').resource(ref('rolebindings')).in('default')
      assert.is(await outcome(bindings.create(binding('b', 'cluster-admin', 'alice', 'ClusterRole'))), '403 Forbidden')
      assert.is(
        await outcome(bindings.apply(binding('b', 'edit', 'alice', 'ClusterRole'), { fieldManager: 'a' })),
        '403 Forbidden',
      )
      assert.is(await outcome(bindings.create(binding('b', 'writer', 'bob'))), 'done')
    })
  },
)

authorization('the role of a binding is immutable', async () => {
  await withServer([], async as => {
    await letAliceWriteRoles(as('root'))
    const bindings = as('root').resource(ref('rolebindings')).in('default')
    const error = (await rejects(bindings.update(binding('writer', 'other', 'alice')))) as ApiError
    assert.equal([error.code, error.details?.causes?.[0]?.field], [422, 'roleRef'])
  })
})

authorization('the default view role aggregates labelled roles', async () => {
  await withServer([], async as => {
    const root = as('root')
    const label = { [`${group}/aggregate-to-view`]: 'true' }
    const extra = {
      ...role('widgets', ['get'], ['widgets'], 'acme.test'),
      kind: 'ClusterRole',
      metadata: { name: 'widgets', labels: label },
    }
    await root.resource(ref('clusterroles')).create(extra)
    await root
      .resource(ref('clusterrolebindings'))
      .create({ ...binding('b', 'view', 'alice', 'ClusterRole'), kind: 'ClusterRoleBinding' })
    const review = {
      metadata: {},
      spec: { resourceAttributes: { verb: 'get', group: 'acme.test', resource: 'widgets' } },
    }
    const ask = async () => {
      const { status } = await as('alice')
        .resource<ApiObject>(ref('selfsubjectaccessreviews', vendor.group('authorization')))
        .create(review)
      return (status as { allowed: boolean }).allowed
    }
    await eventually('the aggregated rule', ask)
  })
})

authorization('AlwaysDeny refuses everyone but system:masters; AlwaysAllow refuses nobody', async () => {
  const listed = ref('configmaps', '')
  await withServer(['--authorization-mode', 'AlwaysDeny'], async as => {
    assert.is(await outcome(as('alice').resource(listed).list()), '403 Forbidden')
    assert.is(await outcome(as('root').resource(listed).list()), 'done')
  })
  await withServer(['--authorization-mode', 'AlwaysAllow'], async as => {
    assert.is(await outcome(as('alice').resource(listed).list()), 'done')
  })
})

authorization('the Node mode authorizes a node agent only for what it needs', async () => {
  await withServer(['--authorization-mode', 'Node,RBAC'], async as => {
    const node = as('node')
    assert.is(await outcome(node.resource(ref('secrets', '')).in('default').list()), '403 Forbidden')
    assert.is(await outcome(node.resource(ref('secrets', '')).in('default').get('s')), '403 Forbidden')
    assert.is(await outcome(node.resource(ref('configmaps', '')).list()), '403 Forbidden')
    const review = { metadata: {}, spec: { user: 'alice', resourceAttributes: { verb: 'get', resource: 'pods' } } }
    const reviews = node.resource<ApiObject>(ref('subjectaccessreviews', vendor.group('authorization')))
    assert.is(await outcome(reviews.create(review)), 'done')
  })
})

authorization('modes are evaluated in order: a denial by the webhook precedes RBAC', async () => {
  const folder = temporaryFolder()
  const webhook = createServer((request, response) => {
    let text = ''
    request.on('data', chunk => (text += chunk))
    request.on('end', () => {
      const { spec } = JSON.parse(text) as { spec: { user: string } }
      const status = { allowed: spec.user === 'alice', denied: spec.user === 'bob' }
      response.end(JSON.stringify({ status }))
    })
  })
  await new Promise<void>(resolve => webhook.listen(0, '127.0.0.1', resolve))
  const { port } = webhook.address() as AddressInfo
  const file = join(folder.path, 'webhook.yaml')
  writeFileSync(
    file,
    `clusters: [{name: w, cluster: {server: "http://127.0.0.1:${port}"}}]
contexts: [{name: c, context: {cluster: w}}]
current-context: c
`,
  )
  try {
    await withServer(
      ['--authorization-mode=Webhook,AlwaysAllow', '--authorization-webhook-config-file', file],
      async as => {
        const listed = ref('configmaps', '')
        assert.is(await outcome(as('alice').resource(listed).list()), 'done')
        assert.is(await outcome(as('bob').resource(listed).list()), '403 Forbidden')
        assert.is(await outcome(as('node').resource(listed).list()), 'done', 'no opinion: the next mode decides')
      },
    )
  } finally {
    webhook.closeAllConnections()
    webhook.close()
    folder.remove()
  }
})

authorization.run()
