import { andThen, type Clock, isPromise, type UserInfo, unauthorized } from 'orch/sdk'
import type { AuthenticationAnswer } from 'orch/sdk/host'
import {
  type AuthenticationSuccess,
  type AuthenticatorDefinition,
  allAuthenticated,
  allUnauthenticated,
  anonymousUser,
  type Credentials,
  type TokenAuthentication,
} from 'orch/sdk/identity'
import type { Exchange } from '../contracts/exchange.js'
import { whenFilled } from '../watch/filled-caches.js'
import { bearerTokenOf, type ProtocolToken, protocolHeader, takeProtocolToken } from './bearer-token.js'
import { TokenResults } from './token-results.js'

interface Method {
  readonly definition: AuthenticatorDefinition
  readonly services: never
}

/** Where a credential leaves its audit annotations and its warnings. */
export interface CredentialNotes {
  readonly audit: { credentialAnnotations: AuthenticationSuccess['auditAnnotations'] }
  /** Sends the client a warning. */
  warn(text: string): void
}

/** Tries every method until one recognises the caller. Results for bearer tokens are cached briefly. */
export class AuthenticatorChain implements TokenAuthentication {
  readonly serverAudiences: readonly string[]
  readonly #requestMethods: readonly Method[]
  readonly #bearerMethods: readonly Method[]
  readonly #anonymousMethods: readonly Method[]
  readonly #results: TokenResults
  readonly #groupDomain: string

  /** `groupDomain`: the vendor's, which is part of the name of the WebSocket protocol that carries a token. */
  constructor(methods: readonly Method[], clock: Clock, serverAudiences: readonly string[], groupDomain: string) {
    const ofKind = (kind: AuthenticatorDefinition['kind']) => methods.filter(method => method.definition.kind === kind)
    this.#requestMethods = ofKind('request')
    this.#bearerMethods = ofKind('bearer')
    this.#anonymousMethods = ofKind('anonymous')
    this.#results = new TokenResults(clock)
    this.serverAudiences = serverAudiences
    this.#groupDomain = groupDomain
  }

  /** The user who sends this request; undefined when anonymous requests are not allowed. A 401 for an invalid credential. Synchronous when possible. */
  authenticate(exchange: Exchange, notes?: CredentialNotes): UserInfo | undefined | Promise<UserInfo | undefined> {
    if (exchange.trustedUser) return exchange.trustedUser
    const { headers } = exchange
    const protocolToken =
      headers[protocolHeader] === undefined ? undefined : takeProtocolToken(headers, this.#groupDomain)
    const credentials = new ExchangeCredentials(exchange, this.serverAudiences)
    const failures: string[] = []
    return andThen(this.#firstSuccess(this.#requestMethods, credentials, failures), identified => {
      if (identified) return withAuthenticated(withNotes(identified, notes).user)
      return andThen(
        this.#withoutCertificate(credentials, protocolToken, failures),
        success => success && withNotes(success, notes).user,
      )
    })
  }

  async authenticateToken(
    token: string,
    audiences: readonly string[],
  ): Promise<{ success: AuthenticationSuccess } | { error: string }> {
    const failures: string[] = []
    const success = await this.#authenticateToken(
      {
        headers: {},
        path: () => '',
        headerValues: () => [],
        clientCertificates: () => [],
        bearerToken: token,
        audiences: audiences.length > 0 ? audiences : this.serverAudiences,
      },
      failures,
    )
    if (success) return { success }
    return { error: failures.length > 1 ? `[${failures.join(', ')}]` : (failures[0] ?? noReason) }
  }

  /** Neither a certificate nor a proxy identifies the caller: a token may; without one the caller is anonymous. */
  #withoutCertificate(
    credentials: ExchangeCredentials,
    protocolToken: ProtocolToken | undefined,
    failures: string[],
  ): AuthenticationAnswer | Promise<AuthenticationAnswer> {
    const { bearerToken } = credentials
    if (bearerToken === undefined && protocolToken === undefined) {
      if (failures.length > 0) throw unauthorized()
      return this.#firstSuccess(this.#anonymousMethods, credentials, failures)
    }
    const fromHeader = bearerToken === undefined ? undefined : this.#authenticateToken(credentials, failures)
    return andThen(fromHeader, success => {
      if (success) return success
      if (protocolToken === undefined || 'problem' in protocolToken) throw unauthorized()
      return andThen(this.#authenticateToken(credentials.withToken(protocolToken.token), failures), late => {
        if (!late) throw unauthorized()
        return late
      })
    })
  }

  #authenticateToken(
    credentials: Credentials,
    failures: string[],
  ): AuthenticationAnswer | Promise<AuthenticationAnswer> {
    const { bearerToken = '', audiences } = credentials
    const connection = credentials instanceof ExchangeCredentials ? credentials.connection : undefined
    const key = this.#results.keyOf(bearerToken, audiences, connection)
    const known = this.#results.find(key)
    if (known) return known
    return andThen(this.#firstSuccess(this.#bearerMethods, credentials, failures), success => {
      if (!success) return undefined
      const complete = { ...success, user: withAuthenticated(success.user) }
      this.#results.remember(key, complete)
      return complete
    })
  }

  #firstSuccess(
    methods: readonly Method[],
    credentials: Credentials,
    failures: string[],
    start = 0,
  ): AuthenticationAnswer | Promise<AuthenticationAnswer> {
    for (let i = start; i < methods.length; i++) {
      const method = methods[i]!
      try {
        const answer = this.#ask(method, credentials)
        if (isPromise(answer))
          return answer
            .catch((thrown: unknown) => void failures.push(reasonOf(thrown)))
            .then(late => late || this.#firstSuccess(methods, credentials, failures, i + 1))
        if (answer) return answer
      } catch (thrown) {
        failures.push(reasonOf(thrown))
      }
    }
    return undefined
  }

  #ask(
    { definition, services }: Method,
    credentials: Credentials,
  ): AuthenticationAnswer | Promise<AuthenticationAnswer> {
    const { audiences } = credentials
    const authenticate = () => whenFilled(() => definition.authenticate(credentials, services))
    if (definition.kind !== 'bearer' || audiences.length === 0)
      return andThen(authenticate(), answer => {
        if (answer && definition.consumesHeaders) removeHeaders(credentials.headers, definition.consumesHeaders)
        return answer
      })
    const own = audiences.filter(audience => this.serverAudiences.includes(audience))
    if (!definition.audienceAware && own.length === 0) return undefined
    return andThen(authenticate(), answer => {
      if (!answer || !definition.audienceAware) return answer && { ...answer, audiences: own }
      // A method that supports audiences and confirms none of the requested ones has not checked them.
      const requested = new Set(audiences)
      const confirmed = answer.audiences?.filter(audience => requested.has(audience)) ?? []
      if (confirmed.length === 0) throw new Error('the token is not valid for the requested audiences')
      return { ...answer, audiences: confirmed }
    })
  }
}

/**
 * The credentials of a request. A class, because every request creates one. Plugin authors destructure it
 * (`authenticate({ headerValues })`), so its functions are created on access and do not need `this`.
 */
class ExchangeCredentials implements Credentials {
  readonly #exchange: Exchange
  readonly headers: Credentials['headers']
  readonly connection: object | undefined
  readonly bearerToken: string | undefined
  readonly audiences: readonly string[]

  constructor(exchange: Exchange, audiences: readonly string[], token = bearerTokenOf(exchange.headers.authorization)) {
    this.#exchange = exchange
    this.headers = exchange.headers
    this.connection = exchange.connection
    this.bearerToken = token
    this.audiences = audiences
  }

  /** The same request with another token. */
  withToken(token: string): ExchangeCredentials {
    return new ExchangeCredentials(this.#exchange, this.audiences, token)
  }

  get path(): Credentials['path'] {
    const { url } = this.#exchange
    return () => url.split('?', 1)[0]!
  }
  get headerValues(): Credentials['headerValues'] {
    const exchange = this.#exchange
    return name => exchange.headerValues(name)
  }
  get clientCertificates(): Credentials['clientCertificates'] {
    const exchange = this.#exchange
    return () => exchange.clientCertificates()
  }
}

function withNotes(success: AuthenticationSuccess, notes: CredentialNotes | undefined): AuthenticationSuccess {
  if (notes && success.auditAnnotations) notes.audit.credentialAnnotations = success.auditAnnotations
  for (const text of success.warnings ?? []) notes?.warn(text)
  return success
}

/** For a token that no method recognises. */
const noReason = 'invalid bearer token'

/** An error of a method appears in token reviews only; it is never logged, since it may quote the credential. */
const reasonOf = (thrown: unknown) => (thrown instanceof Error ? thrown.message : 'invalid credential')

function removeHeaders(headers: Credentials['headers'], isConsumed: (name: string) => boolean): void {
  for (const name of Object.keys(headers)) if (isConsumed(name)) delete headers[name]
}

function withAuthenticated(user: UserInfo): UserInfo {
  const { name, groups } = user
  if (name === anonymousUser.name || groups.includes(allAuthenticated) || groups.includes(allUnauthenticated))
    return user
  return { ...user, groups: [...groups, allAuthenticated] }
}
