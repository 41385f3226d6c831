import { seededRandom } from '../../../kernel/index.js'
import type { AuthenticatorDefinition, Credentials } from '../../identity/index.js'
import { type Check, type CheckSettings, forEachSeed } from './check.js'

const secret = 'conformance-secret-5f1c2a'
// biome-ignore lint/suspicious/noExplicitAny: methods with different needs
type AnyMethod = AuthenticatorDefinition<any>

/** Credentials that no method can know. */
const strangers: Readonly<Record<string, Partial<Credentials>>> = {
  'an unknown bearer token': { bearerToken: secret, headers: { authorization: `Bearer ${secret}` } },
  'an empty bearer token': { bearerToken: '', headers: { authorization: 'Bearer ' } },
  'a token that looks signed': { bearerToken: `a.${secret}.c`, headers: { authorization: `Bearer a.${secret}.c` } },
  'no credentials': {},
}

/** Credentials that nobody issued are rejected, and errors do not quote them. Needs are resolved by the caller. */
export function authenticatorChecks(
  method: AnyMethod,
  servicesOf: () => Promise<never>,
  settings: CheckSettings,
): Check[] {
  if (method.kind === 'anonymous') return []
  const subject = `authenticator ${method.name}`
  const known = Object.entries(strangers)
    .filter(([, { bearerToken }]) => method.kind === 'request' || bearerToken !== undefined)
    .map(([what, credentials]) => ({
      subject,
      title: `grants no access with ${what}, and does not quote it`,
      run: async () => letsNobodyIn(method, await servicesOf(), credentials),
    }))
  const garbage = {
    subject,
    title: 'grants no access with garbage, without an internal error',
    async run() {
      const services = await servicesOf()
      await forEachSeed(settings, seed => letsNobodyIn(method, services, garbageOf(seed)))
    },
  }
  return [...known, garbage]
}

async function letsNobodyIn(method: AnyMethod, services: never, credentials: Partial<Credentials>): Promise<void> {
  let answer: unknown
  try {
    answer = await method.authenticate({ ...nothing, ...credentials }, services)
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw new Error(`it throws a ${typeof thrown}, not an Error`)
    if (thrown.message.includes(secret)) throw new Error('its error quotes the credential')
    if (mistakes.some(mistake => thrown instanceof mistake)) throw new Error(`internal error: ${thrown.message}`)
    return
  }
  if (answer !== undefined) throw new Error(`it accepts the credential: ${JSON.stringify(answer)}`)
}

/** Programming errors, as opposed to invalid credentials. */
const mistakes = [TypeError, RangeError, ReferenceError, SyntaxError]

/** Bytes that a client may send as a token and in headers, in forms that parsers tend to accept. */
function garbageOf(seed: number): Credentials {
  const random = seededRandom(seed)
  const pick = <T>(options: readonly T[]): T => options[Math.floor(random() * options.length)]!
  const part = () => pick(parts)
  const token = pick([part(), `${part()}.${part()}`, `${part()}.${part()}.${part()}`, `${part()}:${part()}`])
  const headers = { authorization: `Bearer ${token}`, [pick(headerNames)]: part() }
  return {
    ...nothing,
    bearerToken: token,
    headers,
    headerValues: name => [headers[name] ?? []].flat(),
    audiences: pick([[], [part()]]),
  }
}
const base64 = (text: string) => Buffer.from(text).toString('base64url')
const parts = [
  ...['', ' ', 'null', '{}', '[]', '%00', '=', 'é', '\0', '__proto__', 'a'.repeat(5000), secret],
  ...['null', '{}', '[]', '{"alg":"none"}', '{"alg":"RS256","kid":{}}', '{"iss":1,"exp":"x"}', '{"'].map(base64),
]
const headerNames = ['x-remote-user', 'x-remote-group', 'x-remote-extra-%', 'authorization', 'x-forwarded-for']

const nothing: Credentials = {
  headers: {},
  path: () => '/',
  headerValues: () => [],
  clientCertificates: () => [],
  bearerToken: undefined,
  audiences: [],
}
