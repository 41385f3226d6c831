/** Proves the identity of a client. Several may be given; the server decides which one it uses. */
export interface Credential {
  readonly token?: string
  readonly basic?: { readonly username: string; readonly password: string }
  /** PEM; certificate and key belong together. */
  readonly clientCertificatePem?: string
  readonly clientKeyPem?: string
}

/** A source of credentials that change: files that are replaced, tokens that are refreshed, plugins that are run. */
export interface CredentialSource {
  /** Called before every request; caches what it can. */
  current(): Promise<Credential>
  /** The server answered 401 to this credential. True when `current` may now return a better one: the request is sent once more. */
  refused(credential: Credential): Promise<boolean>
}

/** A source whose credential never changes. */
export const fixedCredential = (credential: Credential): CredentialSource => ({
  current: async () => credential,
  refused: async () => false,
})

/** The user to impersonate; the server checks whether the caller may. */
export interface Impersonation {
  readonly user: string
  readonly uid?: string
  readonly groups?: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

/** The headers that carry a credential. */
export function credentialHeaders({ token, basic }: Credential): Record<string, string> {
  if (token) return { authorization: `Bearer ${token}` }
  if (!basic) return {}
  return { authorization: `Basic ${Buffer.from(`${basic.username}:${basic.password}`).toString('base64')}` }
}

/** The headers of impersonation; groups and extra values repeat their header. */
export function impersonationHeaders(who: Impersonation | undefined): Record<string, string | string[]> {
  if (who === undefined) return {}
  const headers: Record<string, string | string[]> = { 'Impersonate-User': who.user }
  if (who.uid) headers['Impersonate-Uid'] = who.uid
  if (who.groups?.length) headers['Impersonate-Group'] = [...who.groups]
  for (const [key, values] of Object.entries(who.extra ?? {}))
    headers[`Impersonate-Extra-${headerNamePart(key)}`] = [...values]
  return headers
}

/** Percent-encodes characters that are not allowed in a header name. */
const headerNamePart = (key: string) =>
  [...Buffer.from(key)]
    .map(byte => {
      const character = String.fromCharCode(byte)
      return /[A-Za-z0-9!#$&'*+.^_`|~-]/.test(character)
        ? character
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')
