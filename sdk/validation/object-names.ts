import { addAll } from '../resource/field-errors.js'

/**
 * The rules for names, keys and values that many types share. Each function returns a text for every broken rule and an
 * empty list when there is none; validation turns the texts into field errors.
 */

const maxLength = (max: number) => `must be no more than ${max} characters`
const empty = 'must be non-empty'
const outOfRange = (min: number, max: number) => `must be between ${min} and ${max}, inclusive`
/** Limits count bytes, not characters. */
const byteLength = (value: string) => Buffer.byteLength(value)

interface Pattern {
  readonly source: string
  readonly regexp: RegExp
  readonly broken: string
}
function pattern(source: string, rule: string, ...examples: string[]): Pattern {
  const shown = examples.map(example => `'${example}', `).join(' or ')
  const hint = examples.length === 0 ? '' : `e.g. ${shown}`
  return {
    source,
    regexp: new RegExp(`^(?:${source})$`),
    broken: `${rule} (${hint}regex used for validation is '${source}')`,
  }
}
/** Longer texts with a limit are reported as too long without being matched. */
const longestJudged = 1024
const checked = ({ regexp, broken }: Pattern, value: string, max?: number): string[] => {
  if (max !== undefined && value.length > longestJudged) return [maxLength(max)]
  const errors = max !== undefined && byteLength(value) > max ? [maxLength(max)] : []
  return regexp.test(value) ? errors : [...errors, broken]
}

const labelSource = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const subdomainSource = `${labelSource}(\\.${labelSource})*`
const qualifiedSource = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'
const alphanumericRule = `consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character`

const dns1123Label = pattern(
  labelSource,
  `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character`,
  'my-name',
  '123-abc',
)
const dns1123Subdomain = pattern(
  subdomainSource,
  `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character`,
  'example.com',
)
const looseLabelSource = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?'
const looseSubdomain = pattern(
  `${looseLabelSource}(\\.${looseLabelSource})*`,
  `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character`,
  'example.com',
)
const wildcardSubdomain = pattern(
  `\\*\\.${subdomainSource}`,
  `a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character`,
  '*.example.com',
)
const dns1035Label = pattern(
  '[a-z]([-a-z0-9]*[a-z0-9])?',
  `a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character`,
  'my-name',
  'abc-123',
)
const qualifiedName = pattern(qualifiedSource, `must ${alphanumericRule}`, 'MyName', 'my.name', '123-abc')
const labelValue = pattern(
  `(${qualifiedSource})?`,
  `a valid label must be an empty string or ${alphanumericRule}`,
  'MyValue',
  'my_value',
  '12345',
)
const cIdentifier = pattern(
  '[A-Za-z_][A-Za-z0-9_]*',
  `a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'`,
  'my_name',
  'MY_NAME',
  'MyName',
)
const configMapKey = pattern(
  '[-._a-zA-Z0-9]+',
  `a valid config key must consist of alphanumeric characters, '-', '_' or '.'`,
  'key.name',
  'KEY_NAME',
  'key-name',
)
const environmentVariable = pattern(
  '[-._a-zA-Z][-._a-zA-Z0-9]*',
  `a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit`,
  'my.env-name',
  'MY_ENV.NAME',
  'MyEnvName1',
)
const httpHeaderName = pattern(
  '[-A-Za-z0-9]+',
  `a valid HTTP header must consist of alphanumeric characters or '-'`,
  'X-Header-Name',
)
const percent = pattern(
  '[0-9]+%',
  `a valid percent string must be a numeric string followed by an ending '%'`,
  '1%',
  '93%',
)

/** Longest DNS label: a Namespace name, a port of a Service. */
export const dnsLabelMaxLength = 63
/** Longest DNS subdomain: most object names. */
export const dnsSubdomainMaxLength = 253

/** Lower-case letters, digits and `-`: `my-name`. */
export const isDns1123Label = (value: string): string[] => checked(dns1123Label, value, dnsLabelMaxLength)
/** Labels joined by dots: `my.example.com`. */
export const isDns1123Subdomain = (value: string): string[] => checked(dns1123Subdomain, value, dnsSubdomainMaxLength)
/** The same with underscores, as in names of service records: `_sip._tcp.example.com`. */
export const isSubdomainWithUnderscores = (value: string): string[] =>
  checked(looseSubdomain, value, dnsSubdomainMaxLength)
/** `*.` and a subdomain. */
export const isWildcardDns1123Subdomain = (value: string): string[] =>
  checked(wildcardSubdomain, value, dnsSubdomainMaxLength)
/** Like a DNS-1123 label, but starts with a letter. */
export const isDns1035Label = (value: string): string[] => checked(dns1035Label, value, dnsLabelMaxLength)
/** A label value: empty, or at most 63 letters, digits, `-`, `_`, `.`. */
export const isValidLabelValue = (value: string): string[] => checked(labelValue, value, dnsLabelMaxLength)
/** An identifier of the C language. */
export const isCIdentifier = (value: string): string[] => checked(cIdentifier, value)
/** The name of an HTTP header. */
export const isHttpHeaderName = (value: string): string[] => checked(httpHeaderName, value)
/** Digits and `%`. */
export const isValidPercent = (value: string): string[] => checked(percent, value)

/** A label, annotation, finalizer or resource name: `name` or `dns.prefix/Name`. */
export function isQualifiedName(value: string): string[] {
  const slash = value.indexOf('/')
  const name = value.slice(slash + 1)
  if (slash >= 0 && name.includes('/'))
    return [
      `a qualified name ${qualifiedName.broken} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ]
  const errors: string[] = []
  if (slash === 0) errors.push(`prefix part ${empty}`)
  else if (slash > 0)
    addAll(
      errors,
      isDns1123Subdomain(value.slice(0, slash)).map(text => `prefix part ${text}`),
    )
  if (name === '') errors.push(`name part ${empty}`)
  addAll(
    errors,
    checked(qualifiedName, name, dnsLabelMaxLength).map(text => `name part ${text}`),
  )
  return errors
}

const serverFinalizers: readonly string[] = ['orphan', 'foregroundDeletion']
/** Does a finalizer have a domain, or is it one of those without that the server itself knows or that is the vendor's own? */
export const isKnownFinalizer = (finalizer: string, vendorName?: string): boolean =>
  finalizer.includes('/') || serverFinalizers.includes(finalizer) || finalizer === vendorName

/** Names that would climb out of a folder when used as a file name. */
function climbsOut(value: string): string[] {
  if (value === '.') return [`must not be '.'`]
  if (value === '..') return [`must not be '..'`]
  return value.startsWith('..') ? [`must not start with '..'`] : []
}
/** A key of ConfigMap and Secret data: usable as a file name. */
export const isConfigMapKey = (value: string): string[] => [
  ...checked(configMapKey, value, dnsSubdomainMaxLength),
  ...climbsOut(value),
]
/** The name of an environment variable, relaxed: every printable ASCII character but the one that ends the name. */
export const isRelaxedEnvVarName = (value: string): string[] => {
  if (value === '') return ['environment variable name must be non-empty']
  return /^[\x20-\x3c\x3e-\x7e]*$/.test(value)
    ? []
    : ["a valid environment variable name must consist only of printable ASCII characters other than '='"]
}
/** The name of an environment variable of a container. */
export const isEnvVarName = (value: string): string[] => [...checked(environmentVariable, value), ...climbsOut(value)]

/** A port number: 1 to 65535. */
export const isValidPortNumber = (port: number): string[] => isInRange(port, 1, 65535)
/** A number between two others, both allowed. */
export const isInRange = (value: number, min: number, max: number): string[] =>
  value >= min && value <= max ? [] : [outOfRange(min, max)]
/** A numeric user of a process. */
export const isValidUserId = (uid: number): string[] => isInRange(uid, 0, 0x7fffffff)
/** A numeric group of a process. */
export const isValidGroupId = (gid: number): string[] => isInRange(gid, 0, 0x7fffffff)

const portNameMaxLength = 15
/** The name of a container port: an IANA service name. */
export function isValidPortName(port: string): string[] {
  if (port.length > longestJudged) return [maxLength(portNameMaxLength)]
  const errors: string[] = []
  if (byteLength(port) > portNameMaxLength) errors.push(maxLength(portNameMaxLength))
  if (!/^[-a-z0-9]+$/.test(port)) errors.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)')
  if (!/[a-z]/.test(port)) errors.push('must contain at least one letter (a-z)')
  if (port.includes('--')) errors.push('must not contain consecutive hyphens')
  if (port.startsWith('-') || port.endsWith('-')) errors.push('must not begin or end with a hyphen')
  return errors
}

/** A name that can be one segment of a URL path. */
export function isPathSegmentName(name: string): string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`]
  return isPathSegmentPrefix(name)
}
/** The beginning of such a name. */
export const isPathSegmentPrefix = (name: string): string[] =>
  ['/', '%'].filter(illegal => name.includes(illegal)).map(illegal => `may not contain '${illegal}'`)

/** Checks an object name (or the prefix for a generated one): what `validateName` of a resource type is. */
export type NameRule = (name: string, isPrefix: boolean) => string[]
/** A prefix may end in `-`, which the generated suffix follows. */
const asWhole = (name: string, isPrefix: boolean) =>
  isPrefix && name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name
/** The rule of most types, and the default. */
export const nameIsDnsSubdomain: NameRule = (name, isPrefix) => isDns1123Subdomain(asWhole(name, isPrefix))
/** The rule of Namespaces. */
export const nameIsDnsLabel: NameRule = (name, isPrefix) => isDns1123Label(asWhole(name, isPrefix))
/** The rule of Services. */
export const nameIsDns1035Label: NameRule = (name, isPrefix) => isDns1035Label(asWhole(name, isPrefix))
/** The rule of types whose names need only fit in a URL, such as RBAC roles. */
export const nameIsPathSegment: NameRule = (name, isPrefix) =>
  isPrefix ? isPathSegmentPrefix(name) : isPathSegmentName(name)
