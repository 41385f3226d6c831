import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from './json-paths.js'
import { valueAt } from './json-paths.js'

/** The fixed answers of the services that profile `external` points the server at. */
export interface ExternalAnswer {
  readonly status?: number
  readonly body: unknown
}

const users: readonly [tokenPrefix: string, status: JsonObject][] = [
  [
    'wh-full',
    {
      authenticated: true,
      user: { username: 'hooked', uid: 'u-1', groups: ['hg1', 'hg2'], extra: { scope: ['a', 'b'] } },
    },
  ],
  ['wh-name', { authenticated: true, user: { username: 'justname' } }],
  ['wh-admin', { authenticated: true, user: { username: 'root', groups: ['system:masters'] } }],
  ['wh-error', { authenticated: false, error: 'expired' }],
  ['wh-empty', { authenticated: true, user: {} }],
]

/** OpenID issuer, token review and image review; records the reviews. */
export class ExternalServices {
  readonly #fixtures: string
  readonly seen: Record<string, unknown[]> = { tokenreview: [], imagepolicy: [] }

  constructor(fixtures: string) {
    this.#fixtures = fixtures
  }

  /** The response for a path; undefined if there is no service. `issuer` is the address of this receiver. */
  answer(path: string, review: unknown, issuer: string): ExternalAnswer | undefined {
    if (path === '/oidc/.well-known/openid-configuration') return { body: discoveryDocument(issuer) }
    if (path === '/oidc/keys') return { body: JSON.parse(readFileSync(join(this.#fixtures, 'oidc-jwks.json'), 'utf8')) }
    if (path === '/tokenreview') return this.#reviewToken(review)
    if (path === '/imagepolicy') return this.#reviewImages(review)
    return undefined
  }

  #reviewToken(review: unknown): ExternalAnswer {
    const token = String(valueAt(review, 'spec.token') ?? '')
    if (token.startsWith('wh-')) this.seen['tokenreview']?.push(review)
    if (token.startsWith('wh-500')) return { status: 500, body: {} }
    const status = users.find(([prefix]) => token.startsWith(prefix))?.[1] ?? { authenticated: false }
    return { body: { apiVersion: valueAt(review, 'apiVersion'), kind: 'TokenReview', status } }
  }

  #reviewImages(review: unknown): ExternalAnswer {
    this.seen['imagepolicy']?.push(review)
    const containers = (valueAt(review, 'spec.containers') as { image: string }[] | undefined) ?? []
    const isAbout = (word: string) => containers.some(({ image }) => image.includes(word))
    if (isAbout('broken')) return { status: 500, body: {} }
    const status = isAbout('forbidden') ? { allowed: false, reason: 'image not allowed' } : { allowed: true }
    return { body: { apiVersion: valueAt(review, 'apiVersion'), kind: 'ImageReview', status } }
  }
}

const discoveryDocument = (issuer: string) => ({
  issuer,
  jwks_uri: `${issuer}/keys`,
  authorization_endpoint: `${issuer}/auth`,
  token_endpoint: `${issuer}/token`,
  response_types_supported: ['id_token'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
})
