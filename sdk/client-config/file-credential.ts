import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import type { Credential, CredentialSource } from '../client/credentials.js'
import type { Clock } from '../plugin/basic-services.js'
import { ClientConfigError, type UserEntry } from './config-file.js'

/** How often files are read again, so that they can be rotated without restarting the client. */
const rereadMs = 60_000

/** The credentials in the config itself or in files that it names: token, certificate, user and password. */
export function fileCredential(user: UserEntry, clock: Clock): CredentialSource {
  let cached: { readonly credential: Credential; readonly readAt: number } | undefined
  const current = async () => {
    if (cached && clock.now() - cached.readAt < rereadMs) return cached.credential
    const credential = await (cached ? checkedCredential(user) : readCredential(user)).catch((error: unknown) => {
      // The files are probably being replaced: the previous contents are used until the new ones are valid.
      if (cached) return cached.credential
      throw error
    })
    // Equal contents stay the same object, so that callers can compare by identity.
    const isUnchanged = cached && JSON.stringify(cached.credential) === JSON.stringify(credential)
    cached = { credential: isUnchanged && cached ? cached.credential : credential, readAt: clock.now() }
    return cached.credential
  }
  return {
    current,
    async refused(credential) {
      if (cached?.credential === credential) cached = { ...cached, readAt: Number.NEGATIVE_INFINITY }
      return (await current()) !== credential
    },
  }
}

/** The credential of a user. Throws when certificate and key, or the authorities, are invalid. */
export async function checkedCredential(user: UserEntry, caPem?: string): Promise<Credential> {
  const credential = await readCredential(user)
  const { clientCertificatePem: cert, clientKeyPem: key } = credential
  const ca = caPem === undefined ? {} : { ca: caPem }
  const pair = cert && key ? { cert, key } : {}
  if (!('ca' in ca || 'cert' in pair)) return credential
  try {
    createSecureContext({ ...ca, ...pair })
  } catch (error) {
    const { message } = error as Error
    throw new ClientConfigError([`certificates or key cannot be used: ${message}`], { cause: error })
  }
  return credential
}

async function readCredential(user: UserEntry): Promise<Credential> {
  const { username = '', password = '', tokenFile } = user
  const token = user.token || (tokenFile ? (await readText(tokenFile)).trim() : '')
  const certificate = await contents(user['client-certificate-data'], user['client-certificate'])
  const key = await contents(user['client-key-data'], user['client-key'])
  return {
    ...(token ? { token } : {}),
    ...(username || password ? { basic: { username, password } } : {}),
    ...(certificate && key ? { clientCertificatePem: certificate, clientKeyPem: key } : {}),
  }
}

/** The contents from the config itself, or else from the file that it names. */
export async function contents(base64: string | undefined, path: string | undefined): Promise<string | undefined> {
  if (base64) return Buffer.from(base64, 'base64').toString('utf8')
  return path ? readText(path) : undefined
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ClientConfigError([`cannot read ${path}: ${code ?? 'unknown error'}`], { cause: error })
  }
}
