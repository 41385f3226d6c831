import { type Resolved, services } from 'orch/sdk'
import { type Credentials, defineAuthenticator } from 'orch/sdk/identity'
import type { AuthenticationOptions } from '../options.js'
import { readOnce } from '../read-once.js'
import { certificateBundle } from '../x509/certificate-bundle.js'
import { subjectOf } from '../x509/certificate-subject.js'
import { ClientVerifier } from '../x509/client-verifier.js'
import type { Method } from './method.js'

const needs = { clock: services.clock, logger: services.logger, metrics: services.metrics }
const lowered = (names: readonly string[]) => names.map(name => name.toLowerCase())

/** A proxy with the right client certificate passes the user in headers. From other clients the headers are ignored. */
export function authenticatingProxy(
  options: AuthenticationOptions,
  caFile: string,
  readsUid: boolean,
): Method<typeof needs> {
  const userHeaders = lowered(options.requestheaderUsernameHeaders)
  const uidHeaders = readsUid ? lowered(options.requestheaderUidHeaders) : []
  const groupHeaders = lowered(options.requestheaderGroupHeaders)
  const extraPrefixes = lowered(options.requestheaderExtraHeadersPrefix)
  const allowedNames = options.requestheaderAllowedNames
  const verifier = readOnce((given: Resolved<typeof needs>) => {
    const bundle = certificateBundle(caFile, 'authorities of the authenticating proxy', given)
    return new ClientVerifier(() => bundle.current(), given.clock)
  })
  return {
    authenticator: defineAuthenticator({
      name: 'authenticating-proxy',
      kind: 'request',
      needs,
      consumesHeaders: header =>
        userHeaders.includes(header) ||
        uidHeaders.includes(header) ||
        groupHeaders.includes(header) ||
        extraPrefixes.some(prefix => header.startsWith(prefix)),
      authenticate(credentials, given) {
        const presented = credentials.clientCertificates()
        const [own] = presented
        if (!own) return undefined
        verifier(given).verify(presented)
        if (allowedNames.length > 0 && !allowedNames.includes(subjectOf(own).commonName))
          throw new Error('the common name of the client certificate is not one of the allowed names')
        // Of a repeated header the first one counts, even an empty one: the next may have been sent by the client.
        const name = userHeaders.map(header => credentials.headerValues(header)[0]).find(Boolean)
        if (!name) return undefined
        const uid = uidHeaders.map(header => credentials.headerValues(header)[0]).find(Boolean)
        const extra = extrasOf(credentials, extraPrefixes)
        return {
          user: {
            name,
            ...(uid ? { uid } : {}),
            groups: groupHeaders.flatMap(header => credentials.headerValues(header)).filter(value => value !== ''),
            ...(Object.keys(extra).length === 0 ? {} : { extra }),
          },
        }
      },
    }),
    check: { name: 'authorities of the authenticating proxy', needs, run: given => void verifier(given) },
  }
}

function extrasOf(credentials: Credentials, prefixes: readonly string[]): Record<string, string[]> {
  const extra = Object.create(null) as Record<string, string[]>
  for (const prefix of prefixes)
    for (const header of Object.keys(credentials.headers).filter(each => each.startsWith(prefix))) {
      const key = decoded(header.slice(prefix.length))
      extra[key] = [...(extra[key] ?? []), ...credentials.headerValues(header)]
    }
  return extra
}

/** Percent-decodes a key; one that is not valid percent-encoding stays as it is. */
function decoded(key: string): string {
  try {
    return decodeURIComponent(key)
  } catch {
    return key
  }
}
