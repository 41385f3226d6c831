import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Clock, defineService, parseDuration, services, serviceToken } from 'orch/sdk'
import { KnownSessions } from './known-sessions.js'

/** What a token says, sealed with a key that only this server has. */
interface Session {
  /** A random name, the same for all tokens of a session: for the audit log, and to end it by. */
  readonly id: string
  /** When this token ends, and when the session does at the latest; in ms since the epoch. */
  readonly until: number
  readonly sessionUntil: number
}
export interface SessionToken {
  readonly token: string
  readonly expiresAt: number
}

const prefix = 'console-session.'

/** How long the tokens of a session are valid. */
export interface SessionLimits {
  /** Of one token. */
  readonly tokenMs: number
  /** From the sign-in on, however often tokens are renewed; then another link is required. */
  readonly sessionMs: number
}

/**
 * Tokens of administrators who signed in by a link. A token is its content with a signature, by a key made of the server's own, so
 * it outlives a restart and counts in every process. It counts for as long as its session is known.
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

  /** Begins a session. */
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

  /** A new token for a valid one, until the session ends; undefined for any other. */
  renew(token: string): SessionToken | undefined {
    const session = this.isOne(token) ? this.verify(token) : undefined
    return session && this.#issue(session.id, session.sessionUntil)
  }
  /** Ends the session of a valid token: no token of it counts any more. */
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
  /** What a valid token says; undefined for any other. */
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
      // A process without the keys of the server issues tokens that count nowhere else.
      const secret = server.serviceAccountKeyPem ?? server.servingKeyPem ?? randomBytes(32).toString('hex')
      const limits = { tokenMs: parseDuration(tokenDuration), sessionMs: parseDuration(sessionDuration) }
      return new SessionTokens(secret, clock, limits, KnownSessions.in(server.dataDir, clock))
    },
  })
