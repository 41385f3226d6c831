import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose'
import { type ApiObject, orchProfile } from 'orch/sdk'
import { eventually } from '../../support/eventually.js'
import type { Folder } from '../../support/temporary-folder.js'
import type { WhoAmIServer } from './whoami-server.js'

/** A fictional vendor: hard-coded names of another vendor fail the tests. */
export const acme = { ...orchProfile, name: 'acme', domain: 'acme.test', groupDomain: 'acme.test', apiService: 'acme' }
export const accounts = { group: '', version: 'v1', resource: 'serviceaccounts' }
export const secrets = { group: '', version: 'v1', resource: 'secrets' }
export const configMaps = { group: '', version: 'v1', resource: 'configmaps' }
export const tokenReviews = { group: 'authentication.acme.test', version: 'v1', resource: 'tokenreviews' }
export const issuer = 'https://acme.default.svc'

export interface Secret extends ApiObject {
  data?: Record<string, string>
  type?: string
}
export interface Account extends ApiObject {
  secrets?: { name: string }[]
}
export interface TokenReview extends ApiObject {
  spec: { token: string; audiences?: string[] }
  status?: {
    authenticated?: boolean
    error?: string
    audiences?: string[]
    user: { username?: string; uid?: string; groups?: string[]; extra?: Record<string, string[]> }
  }
}
interface TokenRequest {
  spec: { audiences?: string[]; expirationSeconds?: number; boundObjectRef?: object }
  status?: { token: string; expirationTimestamp: string }
}

export type Keys = { publicKey: KeyObject; privateKey: KeyObject }
export const rsaKeys = (): Keys => generateKeyPairSync('rsa', { modulusLength: 2048 })
export const ecKeys = (): Keys => generateKeyPairSync('ec', { namedCurve: 'P-256' })
export const publicPem = ({ publicKey }: Keys) => publicKey.export({ type: 'spki', format: 'pem' }) as string
export const privatePem = ({ privateKey }: Keys) => privateKey.export({ type: 'pkcs8', format: 'pem' }) as string

/** Options of a server that signs and checks with one key pair. */
export const keyOptions = (keys: Keys) => (folder: Folder) => ({
  serviceAccountKeyFile: [folder.write('sa.pub', publicPem(keys))],
  serviceAccountSigningKeyFile: folder.write('sa.key', privatePem(keys)),
})

/** Creates an account; the result has helpers to query it. */
export async function makeAccount({ client }: WhoAmIServer, name: string, namespace = 'default') {
  const all = client.resource<Account>(accounts).in(namespace)
  const account = await all.create({ metadata: { name } })
  return {
    account,
    all,
    /** Requests a token. */
    async request(spec: TokenRequest['spec'] = {}) {
      const { status } = await all.createSubresource<TokenRequest>(name, 'token', { spec })
      return status?.token ?? ''
    },
    /** Waits for the Secret with a token that every account gets. */
    async secret(): Promise<Secret> {
      const secretName = await eventually('the token of the account', async () => {
        const { secrets: listed = [] } = await all.get(name)
        return listed[0]?.name
      })
      return client.resource<Secret>(secrets).in(namespace).get(secretName)
    },
    /** The claims of a token of this account, with changes. */
    claims: (changes: JWTPayload = {}): JWTPayload => {
      const now = Math.floor(Date.now() / 1000)
      return {
        iss: issuer,
        aud: [issuer],
        iat: now,
        nbf: now,
        exp: now + 600,
        sub: `system:serviceaccount:${namespace}:${name}`,
        'acme.test': { namespace, serviceaccount: { name, uid: account.metadata.uid } },
        ...changes,
      }
    },
  }
}
export const decoded = (text: string | undefined) => Buffer.from(text ?? '', 'base64').toString()

export const sign = (claims: JWTPayload, { privateKey }: Keys, header: JWTHeaderParameters = { alg: 'RS256' }) =>
  new SignJWT(claims).setProtectedHeader(header).sign(privateKey)

/** Reviews a token. */
export async function review({ client }: WhoAmIServer, token: string, audiences?: string[]) {
  const spec = { token, ...(audiences ? { audiences } : {}) }
  const { status } = await client.resource<TokenReview>(tokenReviews).create({ metadata: {}, spec })
  return status
}
