import { ConfigurationReader, withoutTrailing } from 'orch/sdk/files'
import { repeats } from 'orch/sdk/validation'
import type { AuthenticationNames } from '../names.js'
import { isHttps } from '../openid-connect/issuer.js'
import { parseCertificates } from '../x509/certificate-bundle.js'

/** A value from claims: one of them with a prefix, or the result of an expression. */
export type ClaimSource =
  | { readonly claim: string; readonly prefix: string }
  | { readonly expression: string; readonly claim?: undefined }
/** An expression that must be true. */
export interface Rule {
  readonly expression: string
  readonly message?: string
}
/** An issuer of tokens, and how its claims map to users. */
export interface JwtConfiguration {
  readonly issuer: {
    readonly url: string
    readonly discoveryUrl: string | undefined
    readonly audiences: readonly string[]
    readonly caPem: string | undefined
  }
  readonly requiredClaims: Readonly<Record<string, string>>
  readonly claimRules: readonly Rule[]
  readonly username: ClaimSource
  readonly groups: ClaimSource | undefined
  readonly uid: ClaimSource | undefined
  readonly extra: readonly { readonly key: string; readonly expression: string }[]
  readonly userRules: readonly Rule[]
}
export interface AuthenticationConfiguration {
  readonly jwt: readonly JwtConfiguration[]
  /** Undefined leaves it to --anonymous-auth. */
  readonly anonymous: AnonymousConfiguration | undefined
}
/** Whether anonymous requests are allowed. */
export interface AnonymousConfiguration {
  readonly enabled: boolean
  /** Only to these paths; undefined stands for all. */
  readonly paths: ReadonlySet<string> | undefined
}

/** The limit of the reference. */
const maxIssuers = 64
const extraKey = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?\/[a-z0-9._~!$&'()*+,;=:@%/-]+$/

/** Reads an AuthenticationConfiguration. Throws one error that lists all problems. */
export function readAuthenticationConfiguration(
  text: string,
  { configurationKinds: kinds, reservedDomains }: Pick<AuthenticationNames, 'configurationKinds' | 'reservedDomains'>,
): AuthenticationConfiguration {
  const reader = new ConfigurationReader()
  const { jwt, anonymous } = reader.record(ConfigurationReader.fieldsOf(text, kinds), '', [
    'jwt',
    'anonymous',
    'metadata',
  ])
  const entries = reader.list(jwt, 'jwt', true)
  if (entries.length > maxIssuers) reader.refuse('jwt', `must have at most ${maxIssuers} entries`)
  const read = entries.map((each, at) => readJwt(reader, each, `jwt[${at}]`, reservedDomains))
  const isUsed = 'is already used by another entry'
  rejectDuplicates(
    reader,
    read.map(({ issuer }) => issuer.url),
    at => `jwt[${at}].issuer.url`,
    isUsed,
  )
  rejectDuplicates(
    reader,
    read.map(({ issuer }) => issuer.discoveryUrl ?? ''),
    at => `jwt[${at}].issuer.discoveryURL`,
    isUsed,
  )
  const configuration = { jwt: read, anonymous: readAnonymous(reader, anonymous) }
  reader.finish()
  return configuration
}

/** Empty values are reported elsewhere. */
function rejectDuplicates(
  reader: ConfigurationReader,
  values: readonly string[],
  placeOf: (at: number) => string,
  why = 'is a duplicate',
): void {
  for (const [at, isRepeat] of repeats(values).entries())
    if (isRepeat && values[at] !== '') reader.refuse(placeOf(at), why)
}

function readAnonymous(reader: ConfigurationReader, value: unknown): AnonymousConfiguration | undefined {
  if (value === undefined) return undefined
  const fields = reader.record(value, 'anonymous', ['enabled', 'conditions'])
  const enabled = reader.flag(fields['enabled'], 'anonymous.enabled')
  const paths = reader.list(fields['conditions'], 'anonymous.conditions', true).map((each, at) => {
    const place = `anonymous.conditions[${at}]`
    const path = reader.text(reader.record(each, place, ['path'])['path'], `${place}.path`)
    if (path !== '' && !path.startsWith('/')) reader.refuse(`${place}.path`, 'must begin with /')
    return path
  })
  if (paths.length > 0 && !enabled) reader.refuse('anonymous.conditions', 'require anonymous.enabled to be true')
  return { enabled, paths: paths.length === 0 ? undefined : new Set(paths) }
}

function readJwt(
  reader: ConfigurationReader,
  value: unknown,
  place: string,
  reservedDomains: readonly string[],
): JwtConfiguration {
  const fields = reader.record(value, place, ['issuer', 'claimValidationRules', 'claimMappings', 'userValidationRules'])
  const mappings = reader.record(fields['claimMappings'], `${place}.claimMappings`, [
    'username',
    'groups',
    'uid',
    'extra',
  ])
  const at = `${place}.claimMappings`
  const claimRules = readClaimRules(reader, fields['claimValidationRules'], `${place}.claimValidationRules`)
  const extra = readExtra(reader, mappings['extra'], `${at}.extra`, reservedDomains)
  const username = readSource(reader, mappings['username'], `${at}.username`, true)
  const expressions = [username, ...claimRules.rules, ...extra].map(each =>
    'expression' in each ? each.expression : '',
  )
  checkEmail(reader, username, expressions, `${at}.username.expression`)
  return {
    issuer: readIssuer(reader, fields['issuer'], `${place}.issuer`),
    requiredClaims: claimRules.required,
    claimRules: claimRules.rules,
    username,
    groups: mappings['groups'] === undefined ? undefined : readSource(reader, mappings['groups'], `${at}.groups`, true),
    uid: mappings['uid'] === undefined ? undefined : readSource(reader, mappings['uid'], `${at}.uid`, false),
    extra,
    userRules: readRules(reader, fields['userValidationRules'], `${place}.userValidationRules`),
  }
}

function readIssuer(reader: ConfigurationReader, value: unknown, place: string): JwtConfiguration['issuer'] {
  const known = ['url', 'discoveryURL', 'certificateAuthority', 'audiences', 'audienceMatchPolicy']
  const { url, discoveryURL, certificateAuthority, audiences, audienceMatchPolicy } = reader.record(value, place, known)
  const address = (given: unknown, name: string): string => {
    if (!isHttps(given)) {
      reader.refuse(`${place}.${name}`, 'must be an https URL')
      return ''
    }
    const { username, password, search, hash } = new URL(given)
    if (username || password || search || hash)
      reader.refuse(`${place}.${name}`, 'must not have a user, a query or a fragment')
    return given
  }
  const wanted = reader.list(audiences, `${place}.audiences`)
  if (wanted.length > 1 || audienceMatchPolicy !== undefined)
    reader.choice(audienceMatchPolicy, `${place}.audienceMatchPolicy`, ['MatchAny'])
  const isBundle = (pem: string) => {
    try {
      return parseCertificates(pem).length > 0
    } catch {
      return false
    }
  }
  const caPem =
    certificateAuthority === undefined ? undefined : reader.text(certificateAuthority, `${place}.certificateAuthority`)
  if (caPem && !isBundle(caPem)) reader.refuse(`${place}.certificateAuthority`, 'must hold PEM certificates')
  const ownUrl = address(url, 'url')
  const discoveryUrl = discoveryURL === undefined ? undefined : address(discoveryURL, 'discoveryURL')
  if (discoveryUrl && withoutTrailing(discoveryUrl, '/') === withoutTrailing(ownUrl, '/'))
    reader.refuse(`${place}.discoveryURL`, 'must not be the url')
  const texts = wanted.map((each, at) => reader.text(each, `${place}.audiences[${at}]`))
  rejectDuplicates(reader, texts, at => `${place}.audiences[${at}]`)
  return { url: ownUrl, discoveryUrl, audiences: texts, caPem }
}

function readSource(reader: ConfigurationReader, value: unknown, place: string, hasPrefix: boolean): ClaimSource {
  const { claim, prefix, expression } = reader.record(value, place, [
    'claim',
    'expression',
    ...(hasPrefix ? ['prefix'] : []),
  ])
  if ((claim === undefined) === (expression === undefined)) reader.refuse(place, 'must have either claim or expression')
  if (expression !== undefined) {
    if (prefix !== undefined) reader.refuse(`${place}.prefix`, 'is allowed only with a claim, not with an expression')
    return { expression: reader.text(expression, `${place}.expression`) }
  }
  if (hasPrefix && claim !== undefined && typeof prefix !== 'string')
    reader.refuse(`${place}.prefix`, 'is required with a claim; "" means none')
  return { claim: claim === undefined ? '' : reader.text(claim, `${place}.claim`), prefix: String(prefix ?? '') }
}

/** An expression that uses the email address as the user name must check that the address was verified. */
function checkEmail(
  reader: ConfigurationReader,
  username: ClaimSource,
  expressions: readonly string[],
  place: string,
): void {
  if (username.claim !== undefined || !/\bclaims\.\??email\b/.test(username.expression)) return
  if (!expressions.some(text => /\bclaims\.\??email_verified\b/.test(text)))
    reader.refuse(place, 'uses claims.email, so it, a claimValidationRule or an extra must use claims.email_verified')
}

function readExtra(
  reader: ConfigurationReader,
  value: unknown,
  place: string,
  reservedDomains: readonly string[],
): { key: string; expression: string }[] {
  const read = reader.list(value, place, true).map((each, at) => {
    const { key, valueExpression } = reader.record(each, `${place}[${at}]`, ['key', 'valueExpression'])
    const name = reader.text(key, `${place}[${at}].key`)
    if (name !== '' && !extraKey.test(name))
      reader.refuse(`${place}[${at}].key`, 'must be a path after a domain, in lower case, such as example.com/tenant')
    const [domain = ''] = name.split('/')
    // Authorizers trust values in such a domain to come from this server.
    if (reservedDomains.some(reserved => domain === reserved || domain.endsWith(`.${reserved}`)))
      reader.refuse(`${place}[${at}].key`, `must not be in the domain ${domain}, which is reserved`)
    return { key: name, expression: reader.text(valueExpression, `${place}[${at}].valueExpression`) }
  })
  rejectDuplicates(
    reader,
    read.map(({ key }) => key),
    at => `${place}[${at}].key`,
  )
  return read
}

function readRules(reader: ConfigurationReader, value: unknown, place: string): Rule[] {
  const rules = reader.list(value, place, true).map((each, at) => readRule(reader, each, `${place}[${at}]`))
  rejectDuplicates(
    reader,
    rules.map(({ expression }) => expression),
    at => `${place}[${at}].expression`,
  )
  return rules
}

function readRule(reader: ConfigurationReader, value: unknown, place: string): Rule {
  const { expression, message } = reader.record(value, place, ['expression', 'message'])
  return {
    expression: reader.text(expression, `${place}.expression`),
    ...(message === undefined ? {} : { message: reader.text(message, `${place}.message`) }),
  }
}

function readClaimRules(reader: ConfigurationReader, value: unknown, place: string) {
  const required: Record<string, string> = {}
  const rules: Rule[] = []
  for (const [at, each] of reader.list(value, place, true).entries()) {
    const here = `${place}[${at}]`
    const fields = reader.record(each, here, ['claim', 'requiredValue', 'expression', 'message'])
    const { claim, requiredValue, expression, message } = fields
    if ((claim === undefined) === (expression === undefined))
      reader.refuse(here, 'must have either claim or expression')
    else if (claim === undefined) {
      if (requiredValue !== undefined) reader.refuse(`${here}.requiredValue`, 'is allowed only with a claim')
      const rule = readRule(reader, { expression, ...(message === undefined ? {} : { message }) }, here)
      if (rules.some(other => other.expression === rule.expression))
        reader.refuse(`${here}.expression`, 'is a duplicate')
      rules.push(rule)
    } else {
      if (message !== undefined) reader.refuse(`${here}.message`, 'is allowed only with an expression')
      const name = reader.text(claim, `${here}.claim`)
      if (Object.hasOwn(required, name)) reader.refuse(`${here}.claim`, 'is a duplicate')
      if (requiredValue !== undefined && typeof requiredValue !== 'string')
        reader.refuse(`${here}.requiredValue`, 'must be a string')
      required[name] = String(requiredValue ?? '')
    }
  }
  return { required, rules }
}
