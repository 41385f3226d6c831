import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { exportJWK, type JWTHeaderParameters, type JWTPayload } from 'jose'
import { testAuthority } from 'orch/sdk/testing'
import { type Keys, rsaKeys, sign } from './account-world.js'

/** An OpenID Connect issuer over HTTPS whose keys can be changed. */
export interface TestIssuer {
  readonly url: string
  readonly caPem: string
  readonly keys: Keys
  /** The requested paths. */
  readonly requests: string[]
  /** A signed ID token: a valid one of jane, with the changes. */
  token(changes?: JWTPayload, options?: { keys?: Keys; header?: JWTHeaderParameters }): Promise<string>
  /** Publishes these keys from now on, by their ids. */
  publish(keys: Readonly<Record<string, Keys>>): Promise<void>
  close(): Promise<void>
}

/** What an issuer does in addition to publishing keys. */
export interface IssuerExtension {
  /** Added to its discovery document. */
  document(url: string): object
  /** Returns true if it handled the request. */
  answer(request: IncomingMessage, response: ServerResponse): Promise<boolean>
}

export async function startIssuer(extension?: IssuerExtension): Promise<TestIssuer> {
  const path = '/oidc'
  const authority = await testAuthority()
  const { certificatePem: cert, keyPem: key } = await authority.server()
  const requests: string[] = []
  let published: object[] = []
  let url = ''
  const server = createServer({ cert, key }, async (request, response) => {
    requests.push(request.url ?? '')
    if (await extension?.answer(request, response)) return
    const documents: Record<string, object> = {
      [`${path}/.well-known/openid-configuration`]: {
        issuer: url,
        jwks_uri: `${url}/keys`,
        ...extension?.document(url),
      },
      [`${path}/keys`]: { keys: published },
    }
    const document = documents[request.url ?? '']
    response.writeHead(document ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(document ?? {}))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
  const keys = rsaKeys()
  const issuer: TestIssuer = {
    url,
    caPem: authority.caPem,
    keys,
    requests,
    token(changes = {}, options = {}) {
      const now = Math.floor(Date.now() / 1000)
      const claims = {
        iss: url,
        aud: 'my-client',
        sub: 'subject-1',
        iat: now,
        exp: now + 600,
        email: 'jane@acme.test',
        name: 'jane',
        groups: ['dev', 'qa'],
        ...changes,
      }
      return sign(claims, options.keys ?? keys, options.header ?? { alg: 'RS256', kid: 'one' })
    },
    async publish(all) {
      published = await Promise.all(
        Object.entries(all).map(async ([kid, one]) => ({ ...(await exportJWK(one.publicKey)), kid, use: 'sig' })),
      )
    },
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
  await issuer.publish({ one: keys })
  return issuer
}
