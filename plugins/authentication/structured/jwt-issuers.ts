import { type Clock, defineService, type Logger, type Metrics, services, serviceToken } from 'orch/sdk'
import { type Expressions, expressions } from 'orch/sdk/expressions'
import { FollowedFiles } from 'orch/sdk/files'
import { signingAlgorithms } from '../check-options.js'
import type { AuthenticationNames } from '../names.js'
import { Issuer } from '../openid-connect/issuer.js'
import { IssuerKeys } from '../openid-connect/issuer-keys.js'
import type { IdTokenRules } from '../openid-connect/verify-id-token.js'
import {
  type AnonymousConfiguration,
  type AuthenticationConfiguration,
  readAuthenticationConfiguration,
} from './authentication-configuration.js'
import { type ClaimMapping, compileMapping } from './claim-mapping.js'

/** Verifies the tokens of one issuer. */
export interface JwtIssuer {
  readonly keys: IssuerKeys
  readonly rules: IdTokenRules
  readonly userOf: ClaimMapping
}
/** The current configuration. */
export interface CurrentIssuers {
  readonly byUrl: ReadonlyMap<string, JwtIssuer>
  readonly anonymous: AnonymousConfiguration | undefined
}

export const jwtIssuers = serviceToken<JwtIssuers>('authentication.jwt-issuers')
export const jwtIssuersService = (
  path: string,
  names: AuthenticationNames,
  ownIssuers: readonly string[],
  isAnonymousDisabled: boolean,
) =>
  defineService({
    token: jwtIssuers,
    needs: { clock: services.clock, logger: services.logger, metrics: services.metrics, language: expressions },
    create: given => new JwtIssuers({ path, names, ownIssuers, isAnonymousDisabled, ...given }),
  })

interface JwtIssuersParts {
  readonly path: string
  readonly names: AuthenticationNames
  /** The issuers of service accounts, whose tokens another method verifies. */
  readonly ownIssuers: readonly string[]
  /** Whether --anonymous-auth is false. */
  readonly isAnonymousDisabled: boolean
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
  readonly language: Expressions
}

/**
 * The issuers that --authentication-config names. A changed file takes effect once all its expressions are compiled.
 */
export class JwtIssuers {
  readonly #parts: JwtIssuersParts
  readonly #files: FollowedFiles<AuthenticationConfiguration>
  #current: CurrentIssuers = { byUrl: new Map(), anonymous: undefined }

  constructor(parts: JwtIssuersParts) {
    this.#parts = parts
    this.#files = new FollowedFiles({
      ...parts,
      what: 'the authentication configuration',
      paths: [parts.path],
      parse: ([text = '']) => this.#read(text),
      apply: configuration => this.#apply(configuration),
    })
  }
  /** The same object until the file changes. */
  get current(): CurrentIssuers {
    return this.#current
  }

  /** Rejects when the file cannot be used. */
  async start(): Promise<void> {
    await this.#files.start().catch((error: Error) => {
      throw new Error(`--authentication-config ${this.#parts.path}: ${error.message}`, { cause: error })
    })
  }
  stop(): Promise<void> {
    return this.#files.stop()
  }

  #read(text: string): AuthenticationConfiguration {
    const configuration = readAuthenticationConfiguration(text, this.#parts.names)
    const own = configuration.jwt.findIndex(({ issuer }) => this.#parts.ownIssuers.includes(issuer.url))
    if (own >= 0) throw new Error(`jwt[${own}].issuer.url is an issuer of service accounts`)
    if (configuration.anonymous?.enabled && this.#parts.isAnonymousDisabled)
      throw new Error('anonymous.enabled must not be true with --anonymous-auth=false')
    return configuration
  }

  async #apply(configuration: AuthenticationConfiguration): Promise<void> {
    const { clock, logger, language } = this.#parts
    const made = configuration.jwt.map(async (entry, at): Promise<readonly [string, JwtIssuer]> => {
      const { url, caPem, discoveryUrl, audiences } = entry.issuer
      const userOf = await compileMapping(entry, language, `jwt[${at}]`)
      const keys = new IssuerKeys(new Issuer(url, caPem, clock, discoveryUrl), clock, logger)
      return [url, { keys, userOf, rules: { issuer: url, clientIds: audiences, algorithms: signingAlgorithms } }]
    })
    const byUrl = new Map(await Promise.all(made))
    this.#current = { byUrl, anonymous: configuration.anonymous }
    // An issuer may start later than this server, so the start does not wait for it.
    for (const { keys } of byUrl.values()) keys.current().catch(() => {})
  }
}
