/** Who asks an OpenID provider for tokens. A public client has no secret. */
export interface OpenIdClientIdentity {
  readonly id: string
  readonly secret?: string | undefined
}

/**
 * The request to the token endpoint of an OpenID provider for a grant. `methods` is what its discovery document says under
 * `token_endpoint_auth_methods_supported`: it decides how the client proves who it is.
 */
export function openIdTokenRequest(
  grant: Readonly<Record<string, string>>,
  { id, secret = '' }: OpenIdClientIdentity,
  methods: unknown,
): { method: 'POST'; headers: Record<string, string>; body: string } {
  const form = new URLSearchParams(grant)
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' }
  // Without a list, a provider understands the Authorization header. A public client has no secret to put there.
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
