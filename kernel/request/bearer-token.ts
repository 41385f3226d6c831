/** The token of `Bearer <token>`; undefined for other schemes, and for a token that is empty or preceded by two spaces. */
export function bearerTokenOf(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined
  const [scheme = '', token = ''] = authorization.trim().split(' ')
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined
}
