import type { ApiObject } from 'orch/sdk'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

/** Identities and the claims of tokens, at the newest version and at the oldest. */
const whoAmI = suite('identities of users')
let server: TestServer
whoAmI.before(async () => {
  server = await startServer({ vendor: 'kubernetes', kubernetesVersion: '1.36' })
})
whoAmI.after(() => server.stop())

interface Answer {
  readonly status: number
  readonly warnings: string | null
  readonly body: Record<string, never>
}
async function send(method: string, path: string, body?: object, token = server.token): Promise<Answer> {
  const response = await fetch(server.baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  return { status: response.status, warnings: response.headers.get('warning'), body: JSON.parse(text) }
}
const kindOf = (kind: string) => ({ apiVersion: 'authentication.k8s.io/v1', kind })
const review = (token: string) =>
  send('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', kindOf('SelfSubjectReview'), token)
const accounts = '/api/v1/namespaces/default/serviceaccounts'
const askToken = (name: string, spec: object, metadata = {}) =>
  send('POST', `${accounts}/${name}/token`, { ...kindOf('TokenRequest'), metadata, spec })
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
const userOf = ({ body }: Answer) =>
  (body as unknown as { status: { userInfo: { username: string; extra?: Record<string, string[]> } } }).status.userInfo
const tokenOf = ({ body }: Answer) => (body as unknown as { status: { token: string } }).status.token

whoAmI('a token that is bound to a Node has an id, names the node, and becomes invalid with it', async () => {
  await send('POST', accounts, { metadata: { name: 'agent' } })
  const { body: node } = await send('POST', '/api/v1/nodes', { metadata: { name: 'n1' } })
  const asked = await askToken('agent', { boundObjectRef: { kind: 'Node', apiVersion: 'v1', name: 'n1' } })
  const token = tokenOf(asked)
  const { jti, 'kubernetes.io': bound } = claimsOf(token)
  const uid = (node as unknown as ApiObject).metadata.uid
  assert.equal(bound.node, { name: 'n1', uid })
  assert.equal(userOf(await review(token)).extra, {
    'authentication.kubernetes.io/credential-id': [`JTI=${jti}`],
    'authentication.kubernetes.io/node-name': ['n1'],
    'authentication.kubernetes.io/node-uid': [uid],
  })
  await send('DELETE', '/api/v1/nodes/n1')
  assert.is((await review(token)).status, 401)
})

whoAmI('a token request must name its own account', async () => {
  await send('POST', accounts, { metadata: { name: 'named' } })
  const { body } = await askToken('named', {})
  const { metadata } = body as unknown as ApiObject
  assert.equal([metadata.name, metadata.namespace], ['named', 'default'])
  assert.is((await askToken('named', {}, { name: 'other' })).status, 422)
  assert.is((await askToken('named', {}, { namespace: 'other' })).status, 400)
  assert.is((await askToken('named', {}, { uid: 'other' })).status, 409)
})

whoAmI('the use of a Secret token is recorded in the Secret; for generated ones the user is warned', async () => {
  const path = '/api/v1/namespaces/default/secrets/mine'
  await send('POST', accounts, { metadata: { name: 'old' }, secrets: [{ name: 'mine' }] })
  await send('POST', '/api/v1/namespaces/default/secrets', {
    metadata: { name: 'mine', annotations: { 'kubernetes.io/service-account.name': 'old' } },
    type: 'kubernetes.io/service-account-token',
  })
  const secret = await until(
    async () => (await send('GET', path)).body as unknown as ApiObject & { data?: { token?: string } },
    ({ data }) => data?.token !== undefined,
  )
  const token = Buffer.from(secret.data?.token ?? '', 'base64').toString()
  const answer = await review(token)
  assert.is(userOf(answer).username, 'system:serviceaccount:default:old')
  assert.match(answer.warnings ?? '', /TokenRequest API/)
  const label = 'kubernetes.io/legacy-token-last-used'
  const labelled = await until(
    async () => (await send('GET', path)).body as unknown as ApiObject,
    ({ metadata }) => metadata.labels?.[label] !== undefined,
  )
  assert.match(labelled.metadata.labels?.[label] ?? '', /^\d{4}-\d\d-\d\d$/)
  await send('PUT', path, {
    ...secret,
    metadata: {
      name: 'mine',
      annotations: secret.metadata.annotations,
      labels: { 'kubernetes.io/legacy-token-invalid-since': '2026-01-01' },
    },
  })
  assert.is((await review(token)).status, 401)
})

whoAmI('the day since which uses are recorded is published', async () => {
  const path = '/api/v1/namespaces/kube-system/configmaps/kube-apiserver-legacy-service-account-token-tracking'
  const { data } = await until(
    async () => (await send('GET', path)).body as unknown as { data?: { since?: string } },
    found => found.data !== undefined,
  )
  assert.match(data?.since ?? '', /^\d{4}-\d\d-\d\d$/)
})

whoAmI('the oldest version creates token Secrets for accounts and has no SelfSubjectReview', async () => {
  const old = await startServer({ vendor: 'kubernetes', kubernetesVersion: '1.23' })
  try {
    const { namespaces } = {
      namespaces: old.client.resource<ApiObject>({ group: '', version: 'v1', resource: 'secrets' }),
    }
    const { items } = await until(
      () => namespaces.in('default').list(),
      list => list.items.length > 0,
    )
    assert.match(items[0]?.metadata.name ?? '', /^default-token-/)
    const path = `${old.baseUrl}/apis/authentication.k8s.io/v1/selfsubjectreviews`
    const headers = { authorization: `Bearer ${old.token}`, 'content-type': 'application/json' }
    assert.is((await fetch(path, { method: 'POST', headers, body: '{}' })).status, 404)
  } finally {
    await old.stop()
  }
})

async function until<T>(read: () => Promise<T>, isReached: (value: T) => boolean): Promise<T> {
  const deadline = Date.now() + 20_000
  for (;;) {
    const value = await read()
    if (isReached(value)) return value
    if (Date.now() > deadline) throw new Error('not reached in time')
    await new Promise(resolve => setTimeout(resolve, 25))
  }
}

whoAmI.run()
