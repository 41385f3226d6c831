/** The client that requests tokens from an OpenID provider. A public client has no secret. */
export interface OpenIdClientIdentity {
  readonly id: string
  readonly secret?: string | undefined
}

/**
 * The request for a grant to the token endpoint of an OpenID provider. `methods` is `token_endpoint_auth_methods_supported`
 * of its discovery document: it decides how the client authenticates.
 */
export function openIdTokenRequest(
  grant: Readonly<Record<string, string>>,
  { id, secret = '' }: OpenIdClientIdentity,
  methods: unknown,
): { method: 'POST'; headers: Record<string, string>; body: string } {
  const form = new URLSearchParams(grant)
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' }
  // Without a list, the Authorization header is supported. A public client has no secret for it.
  const inHeader = secret !== '' && (!Array.isArray(methods) || methods.includes('client_secret_basic'))
  if (inHeader) {
    const pair = `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`
    headers['authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`
  } else {
    form.set('client_id', id)
    if (secret !== '') form.set('client_secret', secret)
  }
  return { method: 'POST', headers, body: form.toString() }
}
