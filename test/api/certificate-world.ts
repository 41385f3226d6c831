import { type Clock, definePlugin, orchProfile, type SentObjectOf, Vendor } from 'orch/sdk'
import { type Client, createClient, httpTransport } from 'orch/sdk/client'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { authorization } from '../../plugins/authorization/plugin.js'
import type { CertificateSigningRequest } from '../../plugins/certificates/certificate-signing-requests/schema.js'
import { certificateNames } from '../../plugins/certificates/names.js'
import { certificates } from '../../plugins/certificates/plugin.js'
import { aRequest } from '../../plugins/certificates/testing/made-requests.js'

/** A fictional vendor: hard-coded names of another vendor fail the tests. */
export const acme = new Vendor({ ...orchProfile, name: 'acme', domain: 'acme.test', groupDomain: 'api.acme.test' })
export const names = certificateNames(acme)
const rbac = acme.group('rbac.authorization')

/** Authenticates every token as the user of that name, with groups after slashes: `n1/system:nodes`. */
const anybody = definePlugin({
  name: 'anybody',
  register(to) {
    to.authenticator({
      name: 'anybody',
      kind: 'bearer',
      authenticate({ bearerToken = '' }) {
        const [name = '', ...groups] = bearerToken.split('/')
        return /^[a-z]/.test(name) && name.length < 32 ? { user: { name, groups } } : undefined
      },
    })
  },
})

export interface World {
  readonly server: TestServer
  /** The API as an administrator, and as somebody else. */
  readonly admin: Client
  as(user: string): Client
  /** Grants rules to a user: `grant('jane', 'update certificatesigningrequests/approval', 'approve signers example.com/x')`. */
  grant(user: string, ...rules: string[]): Promise<void>
  /** Creates a request, as an administrator by default. */
  create(
    name: string,
    spec?: Partial<CertificateSigningRequest['spec']>,
    by?: Client,
  ): Promise<CertificateSigningRequest>
}

/** Runs a test with a server that has certificate requests. */
export async function withCertificates(
  test: (world: World) => Promise<void>,
  { clock, options = {} }: { clock?: Clock; options?: Record<string, unknown> } = {},
): Promise<void> {
  const server = await startServer({
    plugins: [authorization, certificates, anybody],
    vendor: acme.profile,
    options,
    ...(clock ? { clock } : {}),
  })
  const transports: ReturnType<typeof httpTransport>[] = []
  const as = (user: string) => {
    const transport = httpTransport({ server: server.baseUrl, credentials: { token: user } })
    transports.push(transport)
    return createClient({ transport })
  }
  try {
    await test({
      server,
      admin: server.client,
      as,
      grant: (user, ...rules) => grant(server.client, user, rules),
      create: (name, spec, by = server.client) => createRequest(by, name, spec),
    })
  } finally {
    for (const transport of transports) await transport.close()
    await server.stop()
  }
}

export const requestsOf = (client: Client) =>
  client.resource<CertificateSigningRequest, SentObjectOf<typeof CertificateSigningRequest>>(names.requests)
const request = async () => Buffer.from((await aRequest()).pem).toString('base64')

async function createRequest(by: Client, name: string, spec: Partial<CertificateSigningRequest['spec']> = {}) {
  return requestsOf(by).create({
    apiVersion: `${names.group}/v1`,
    kind: 'CertificateSigningRequest',
    metadata: { name },
    spec: { request: spec.request ?? (await request()), signerName: 'example.com/x', usages: ['client auth'], ...spec },
  })
}

async function grant(admin: Client, user: string, rules: readonly string[]): Promise<void> {
  const name = `grant-${user.replace(/[^a-z0-9]/g, '-')}-${Math.random().toString(36).slice(2)}`
  const [kind, subject] = user.startsWith('group:') ? ['Group', user.slice('group:'.length)] : ['User', user]
  await admin.resource({ group: rbac, version: 'v1', resource: 'clusterroles' }).create({
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRole',
    metadata: { name },
    rules: rules.map(rule => {
      const [verbs = '', resource = '', ...resourceNames] = rule.split(' ')
      const named = resourceNames.length === 0 ? {} : { resourceNames }
      return { verbs: verbs.split(','), apiGroups: [names.group], resources: [resource], ...named }
    }),
  })
  await admin.resource({ group: rbac, version: 'v1', resource: 'clusterrolebindings' }).create({
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name },
    subjects: [{ kind, name: subject, apiGroup: rbac }],
  })
}
