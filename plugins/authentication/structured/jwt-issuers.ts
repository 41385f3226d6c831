import {
  ChangingFiles,
  type Clock,
  defineService,
  type Expressions,
  expressions,
  type Logger,
  services,
  serviceToken,
} from 'orch/sdk'
import { signingAlgorithms } from '../check-options.js'
import type { AuthenticationNames } from '../names.js'
import { Issuer } from '../openid-connect/issuer.js'
import { IssuerKeys } from '../openid-connect/issuer-keys.js'
import type { IdTokenRules } from '../openid-connect/verify-id-token.js'
import { type AuthenticationConfiguration, readAuthenticationConfiguration } from './authentication-configuration.js'
import { type ClaimMapping, compileMapping } from './claim-mapping.js'

/** How often the file is looked at. */
const lookEveryMs = 1000

/** One issuer, ready to check its tokens. */
export interface JwtIssuer {
  readonly keys: IssuerKeys
  readonly rules: IdTokenRules
  readonly userOf: ClaimMapping
}
/** What the configuration says now. */
export interface CurrentIssuers {
  readonly byUrl: ReadonlyMap<string, JwtIssuer>
  readonly anonymous: boolean | undefined
}

export const jwtIssuers = serviceToken<JwtIssuers>('authentication.jwt-issuers')
export const jwtIssuersService = (path: string, names: AuthenticationNames, ownIssuers: readonly string[]) =>
  defineService({
    token: jwtIssuers,
    needs: { clock: services.clock, logger: services.logger, language: expressions },
    create: given => new JwtIssuers({ path, kinds: names.configurationKinds, ownIssuers, ...given }),
  })

interface JwtIssuersParts {
  readonly path: string
  readonly kinds: readonly string[]
  /** Those of service accounts, whose tokens are checked otherwise. */
  readonly ownIssuers: readonly string[]
  readonly clock: Clock
  readonly logger: Logger
  readonly language: Expressions
}

/** The issuers that --authentication-config names. A changed file counts once all its expressions are compiled. */
export class JwtIssuers {
  readonly #parts: JwtIssuersParts
  #file: ChangingFiles<AuthenticationConfiguration> | undefined
  #used: AuthenticationConfiguration | undefined
  #current: CurrentIssuers = { byUrl: new Map(), anonymous: undefined }
  #isStopped = false
  #cancel = () => {}

  constructor(parts: JwtIssuersParts) {
    this.#parts = parts
  }
  /** The same until the file changes. */
  get current(): CurrentIssuers {
    return this.#current
  }

  /** Rejects when the file cannot be used. */
  async start(): Promise<void> {
    const { path, clock, logger } = this.#parts
    const parse = ([text = '']: readonly string[]) => this.#read(text)
    try {
      this.#file = new ChangingFiles({ what: 'the authentication configuration', paths: [path], parse, clock, logger })
      await this.#take(this.#file.current())
    } catch (error) {
      throw new Error(`--authentication-config ${path}: ${(error as Error).message}`, { cause: error })
    }
    this.#lookAgain()
  }
  stop(): void {
    this.#isStopped = true
    this.#cancel()
  }

  #read(text: string): AuthenticationConfiguration {
    const configuration = readAuthenticationConfiguration(text, this.#parts.kinds)
    const own = configuration.jwt.findIndex(({ issuer }) => this.#parts.ownIssuers.includes(issuer.url))
    if (own >= 0) throw new Error(`jwt[${own}].issuer.url is an issuer of service accounts`)
    return configuration
  }

  #lookAgain(): void {
    const { clock, logger } = this.#parts
    this.#cancel = clock.after(lookEveryMs, () => {
      const next = this.#file!.current()
      const taken = next === this.#used ? Promise.resolve() : this.#take(next)
      void taken
        .catch((error: unknown) => {
          this.#used = next
          logger.warn('the new authentication configuration is not used', { error })
        })
        .finally(() => {
          if (!this.#isStopped) this.#lookAgain()
        })
    })
  }

  async #take(configuration: AuthenticationConfiguration): Promise<void> {
    const { clock, logger, language } = this.#parts
    const made = configuration.jwt.map(async (entry, at): Promise<readonly [string, JwtIssuer]> => {
      const { url, caPem, discoveryUrl, audiences } = entry.issuer
      const userOf = await compileMapping(entry, language, `jwt[${at}]`)
      const keys = new IssuerKeys(new Issuer(url, caPem, clock, discoveryUrl), clock, logger)
      return [url, { keys, userOf, rules: { issuer: url, clientIds: audiences, algorithms: signingAlgorithms } }]
    })
    const byUrl = new Map(await Promise.all(made))
    this.#used = configuration
    this.#current = { byUrl, anonymous: configuration.anonymous }
    // An issuer may start later than this server, so nobody waits for it.
    for (const { keys } of byUrl.values()) keys.current().catch(() => {})
  }
}
