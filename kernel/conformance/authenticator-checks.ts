import type { AuthenticatorDefinition, Credentials } from 'orch/sdk'
import type { Check } from './check.js'

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

/** Nobody comes in with credentials that nobody issued, and errors do not quote them. Needs are resolved by the caller. */
export function authenticatorChecks(method: AnyMethod, servicesOf: () => Promise<never>): Check[] {
  const subject = `authenticator ${method.name}`
  return Object.entries(strangers)
    .filter(
      ([, { bearerToken }]) => method.kind === 'request' || (method.kind === 'bearer' && bearerToken !== undefined),
    )
    .map(([what, credentials]) => ({
      subject,
      title: `lets nobody in with ${what}, and does not quote it`,
      async run() {
        const services = await servicesOf()
        let answer: unknown
        try {
          answer = await method.authenticate({ ...nothing, ...credentials }, services)
        } catch (thrown) {
          if (!(thrown instanceof Error)) throw new Error(`it throws ${typeof thrown}, not an Error`)
          if (thrown.message.includes(secret)) throw new Error('its error quotes the credential')
          return
        }
        if (answer !== undefined) throw new Error(`it answers ${JSON.stringify(answer)}`)
      },
    }))
}

const nothing: Credentials = {
  headers: {},
  headerValues: () => [],
  clientCertificates: () => [],
  bearerToken: undefined,
  audiences: [],
}
