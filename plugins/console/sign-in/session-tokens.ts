import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Clock, defineService, parseDuration, services, serviceToken } from 'orch/sdk'

/** What a token says, sealed with a key that only this server has. */
interface Session {
  /** A random name, for the audit log. */
  readonly id: string
  /** When its holder signed in, and when this token ends; in ms since the epoch. */
  readonly since: number
  readonly until: number
}
export interface SessionToken {
  readonly token: string
  readonly expiresAt: number
}

/** Tokens are renewed for this many lifetimes after the sign-in; then a new link is needed. */
const renewals = 12
const prefix = 'console-session.'

/**
 * Tokens of administrators who signed in by a link. Nothing is stored: a token is its content with a signature, by a key made of
 * the server's own, so it outlives a restart and counts in every process.
 */
export class SessionTokens {
  readonly #key: Buffer
  readonly #clock: Clock
  readonly #lifeMs: number

  constructor(secret: string, clock: Clock, lifeMs: number) {
    this.#key = Buffer.from(hkdfSync('sha256', secret, '', 'console sessions', 32))
    this.#clock = clock
    this.#lifeMs = lifeMs
  }

  issue(since = this.#clock.now()): SessionToken {
    const until = this.#clock.now() + this.#lifeMs
    const session: Session = { id: randomBytes(9).toString('base64url'), since, until }
    const content = Buffer.from(JSON.stringify(session)).toString('base64url')
    return { token: `${prefix}${content}.${this.#signatureOf(content).toString('base64url')}`, expiresAt: until }
  }

  /** A new token for a valid one; undefined when it is not, or the sign-in was too long ago. */
  renew(token: string): SessionToken | undefined {
    const session = this.isOne(token) ? this.verify(token) : undefined
    if (!session || this.#clock.now() - session.since > renewals * this.#lifeMs) return undefined
    return this.issue(session.since)
  }

  isOne(token: string): boolean {
    return token.startsWith(prefix)
  }
  /** What a valid token says; undefined for any other. */
  verify(token: string): Session | undefined {
    const [content = '', signature = ''] = token.slice(prefix.length).split('.')
    const given = Buffer.from(signature, 'base64url')
    const expected = this.#signatureOf(content)
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
    const session = JSON.parse(Buffer.from(content, 'base64url').toString()) as Session
    return session.until > this.#clock.now() ? session : undefined
  }

  #signatureOf(content: string): Buffer {
    return createHmac('sha256', this.#key).update(content).digest()
  }
}

export const sessionTokensToken = serviceToken<SessionTokens>('console-session-tokens')
export const sessionTokens = (duration: string) =>
  defineService({
    token: sessionTokensToken,
    needs: { server: services.server, clock: services.clock },
    create({ server, clock }) {
      // A process without the keys of the server issues tokens that count nowhere else.
      const secret = server.serviceAccountKeyPem ?? server.servingKeyPem ?? randomBytes(32).toString('hex')
      return new SessionTokens(secret, clock, parseDuration(duration))
    },
  })
