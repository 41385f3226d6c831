import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Clock, defineService, parseDuration, services, serviceToken } from 'orch/sdk'
import { KnownSessions } from './known-sessions.js'

/** The signed content of a token. */
interface Session {
  /** Random, and the same for all tokens of a session; used in the audit log, and to end the session. */
  readonly id: string
  /** The expiry of the token, and the latest end of the session; in ms since the epoch. */
  readonly until: number
  readonly sessionUntil: number
}
export interface SessionToken {
  readonly token: string
  readonly expiresAt: number
}

const prefix = 'console-session.'

export interface SessionLimits {
  /** The lifetime of a token. */
  readonly tokenMs: number
  /** The lifetime of a session, however often its token is renewed. */
  readonly sessionMs: number
}

/**
 * Tokens of administrators who signed in by a link. Tokens are signed with a key that is derived from the server's, so they are
 * valid in all of its processes, and after restarts; as long as their session has not ended.
 */
export class SessionTokens {
  readonly #key: Buffer
  readonly #clock: Clock
  readonly #limits: SessionLimits
  readonly #known: KnownSessions

  constructor(secret: string, clock: Clock, limits: SessionLimits, known: KnownSessions) {
    this.#key = Buffer.from(hkdfSync('sha256', secret, '', 'console sessions', 32))
    this.#clock = clock
    this.#limits = limits
    this.#known = known
  }

  /** Starts a session. */
  begin(): SessionToken {
    const id = randomBytes(9).toString('base64url')
    const since = this.#clock.now()
    const sessionUntil = since + this.#limits.sessionMs
    this.#known.add({ id, since, until: sessionUntil })
    return this.#issue(id, sessionUntil)
  }
  #issue(id: string, sessionUntil: number): SessionToken {
    const until = Math.min(this.#clock.now() + this.#limits.tokenMs, sessionUntil)
    const session: Session = { id, until, sessionUntil }
    const content = Buffer.from(JSON.stringify(session)).toString('base64url')
    return { token: `${prefix}${content}.${this.#signatureOf(content).toString('base64url')}`, expiresAt: until }
  }

  /** A new token for a valid one; undefined for an invalid one. */
  renew(token: string): SessionToken | undefined {
    const session = this.isOne(token) ? this.verify(token) : undefined
    return session && this.#issue(session.id, session.sessionUntil)
  }
  /** Ends the session of a valid token, which invalidates all of its tokens. */
  end(token: string): void {
    const session = this.isOne(token) ? this.verify(token) : undefined
    if (session) this.#known.end(session.id)
  }
  /** The sessions that have not ended. */
  get known(): KnownSessions {
    return this.#known
  }

  isOne(token: string): boolean {
    return token.startsWith(prefix)
  }
  /** The content of a valid token; undefined for an invalid one. */
  verify(token: string): Session | undefined {
    const [content = '', signature = ''] = token.slice(prefix.length).split('.')
    const given = Buffer.from(signature, 'base64url')
    const expected = this.#signatureOf(content)
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
    const session = JSON.parse(Buffer.from(content, 'base64url').toString()) as Session
    return session.until > this.#clock.now() && this.#known.has(session.id) ? session : undefined
  }

  #signatureOf(content: string): Buffer {
    return createHmac('sha256', this.#key).update(content).digest()
  }
}

export const sessionTokensToken = serviceToken<SessionTokens>('console-session-tokens')
export const sessionTokens = (tokenDuration: string, sessionDuration: string) =>
  defineService({
    token: sessionTokensToken,
    needs: { server: services.server, clock: services.clock },
    create({ server, clock }) {
      // Without keys of the server, tokens are valid only in this process.
      const secret = server.serviceAccountKeyPem ?? server.servingKeyPem ?? randomBytes(32).toString('hex')
      const limits = { tokenMs: parseDuration(tokenDuration), sessionMs: parseDuration(sessionDuration) }
      return new SessionTokens(secret, clock, limits, KnownSessions.in(server.dataDir, clock))
    },
  })
