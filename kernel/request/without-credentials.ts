const credentialWords = [
  'token',
  'password',
  'passwd',
  'secret',
  'credential',
  'signature',
  'authorization',
  'assertion',
]
const credentialNames = new Set(['key', 'apikey', 'api_key', 'code', 'sig', 'jwt', 'auth'])

/** The URL of a request, with the values of credential-like parameters hidden. */
export function withoutCredentials(url: string): string {
  const mark = url.indexOf('?')
  if (mark < 0) return url
  const parts = url.slice(mark + 1).split('&')
  return `${url.slice(0, mark)}?${parts.map(hiddenIfCredential).join('&')}`
}

function hiddenIfCredential(part: string): string {
  const at = part.indexOf('=')
  if (at < 0) return part
  const name = plainName(part.slice(0, at))
  const isCredential = credentialNames.has(name) || credentialWords.some(word => name.includes(word))
  return isCredential ? `${part.slice(0, at)}=[hidden]` : part
}
function plainName(name: string): string {
  try {
    return decodeURIComponent(name).toLowerCase()
  } catch {
    // Not valid percent-encoding: compared as it is.
    return name.toLowerCase()
  }
}
