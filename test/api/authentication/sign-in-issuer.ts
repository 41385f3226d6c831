import { createHash, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { startIssuer, type TestIssuer } from './oidc-issuer.js'

/** The parameters of an authorization request. */
interface Authorization {
  readonly challenge: string
  readonly redirectUri: string
  readonly nonce: string
}
/** An issuer with which people can sign in: the authorization code flow with PKCE, single-use refresh tokens, sign-out. */
export interface SignInIssuer extends TestIssuer {
  /** How long ID tokens are valid. */
  lifeSeconds: number
  /** The client secret, if there is one. */
  clientSecret: string | undefined
  /** Additional claims of tokens. */
  claims: Record<string, unknown>
  /** How often each kind of grant was used. */
  readonly grants: Record<string, number>
  /** How often somebody signed out. */
  signOuts: number
  /** The code for a user who agrees. */
  agree(to: Authorization): string
}

export const clientId = 'my-client'
const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')

export async function startSignInIssuer(): Promise<SignInIssuer> {
  const codes = new Map<string, Authorization>()
  const refreshTokens = new Set<string>()
  const send = (response: ServerResponse, status: number, content: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content))

  const refused = (response: ServerResponse, error: string) => send(response, 400, { error })
  const tokens = async (form: URLSearchParams, secret: string | undefined, response: ServerResponse) => {
    if (issuer.clientSecret !== secret) return refused(response, 'invalid_client')
    const grant = form.get('grant_type') ?? ''
    let nonce: string | undefined
    if (grant === 'refresh_token') {
      if (!refreshTokens.delete(form.get('refresh_token') ?? '')) return refused(response, 'invalid_grant')
    } else {
      const code = form.get('code') ?? ''
      const known = codes.get(code)
      codes.delete(code)
      const isHis = known?.challenge === sha256(form.get('code_verifier') ?? '')
      if (!known || !isHis || known.redirectUri !== form.get('redirect_uri')) return refused(response, 'invalid_grant')
      nonce = known.nonce
    }
    issuer.grants[grant] = (issuer.grants[grant] ?? 0) + 1
    const refreshToken = randomUUID()
    refreshTokens.add(refreshToken)
    const exp = Math.floor(Date.now() / 1000) + issuer.lifeSeconds
    const claims = { exp, jti: randomUUID(), ...(nonce === undefined ? {} : { nonce }), ...issuer.claims }
    return send(response, 200, { id_token: await issuer.token(claims), refresh_token: refreshToken })
  }

  const askPerson = (query: URLSearchParams, response: ServerResponse) => {
    const isRight =
      query.get('response_type') === 'code' &&
      query.get('client_id') === clientId &&
      query.get('code_challenge_method') === 'S256' &&
      (query.get('scope') ?? '').split(' ').includes('offline_access')
    if (!isRight) return refused(response, 'invalid_request')
    const back = new URL(query.get('redirect_uri') ?? '')
    back.searchParams.set('state', query.get('state') ?? '')
    const code = issuer.agree({
      challenge: query.get('code_challenge') ?? '',
      redirectUri: query.get('redirect_uri') ?? '',
      nonce: query.get('nonce') ?? '',
    })
    const link = (name: string, value: string, text: string) => {
      const to = new URL(back)
      to.searchParams.set(name, value)
      return `<a href="${to.href.replaceAll('&', '&amp;')}">${text}</a>`
    }
    response.writeHead(200, { 'content-type': 'text/html' })
    return response.end(`<h1>Who?</h1>${link('code', code, 'I am jane')} ${link('error', 'access_denied', 'Nobody')}`)
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'https://issuer')
    if (pathname === '/oidc/authorize') askPerson(searchParams, response)
    else if (pathname === '/oidc/token') {
      let body = ''
      for await (const chunk of request) body += chunk
      const form = new URLSearchParams(body)
      const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1]
      const [id, secret] =
        basic === undefined ? [form.get('client_id') ?? ''] : Buffer.from(basic, 'base64').toString().split(':')
      if (id === clientId) await tokens(form, secret, response)
      else refused(response, 'invalid_client')
    } else if (pathname === '/oidc/end') {
      if (searchParams.get('client_id') === clientId && searchParams.get('id_token_hint')) issuer.signOuts++
      response.writeHead(302, { location: searchParams.get('post_logout_redirect_uri') ?? '' }).end()
    } else return false
    return true
  }

  const issuer: SignInIssuer = Object.assign(
    await startIssuer({
      document: url => ({
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        end_session_endpoint: `${url}/end`,
        scopes_supported: ['openid', 'offline_access'],
      }),
      answer,
    }),
    {
      lifeSeconds: 600,
      clientSecret: undefined as string | undefined,
      claims: {},
      grants: {} as Record<string, number>,
      signOuts: 0,
      agree(to: Authorization) {
        const code = randomUUID()
        codes.set(code, to)
        return code
      },
    },
  )
  return issuer
}
