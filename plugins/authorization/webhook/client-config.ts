import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Clock, Credential, CredentialSource, HttpTransportConfig } from 'orch/sdk'
import { parse } from 'yaml'

interface Named {
  readonly name?: string
}
type Fields = Readonly<Record<string, unknown>>
interface ClientConfig {
  readonly clusters?: readonly (Named & { readonly cluster?: Fields })[]
  readonly users?: readonly (Named & { readonly user?: Fields })[]
  readonly contexts?: readonly (Named & { readonly context?: { readonly cluster?: string; readonly user?: string } })[]
  readonly 'current-context'?: string
}

/** Certificates and tokens in files are replaced while the server runs; they are read again this often. */
const rereadMs = 60_000

/** Reads a client config file: the server of its current context, how to trust it and how to prove who we are. */
export function readClientConfig(file: string, clock: Clock): HttpTransportConfig {
  const config = (parse(readFileSync(file, 'utf8')) ?? {}) as ClientConfig
  const context = entry(file, 'context', config.contexts, config['current-context'])?.context
  const cluster = entry(file, 'cluster', config.clusters, context?.cluster)?.cluster ?? {}
  const user = context?.user ? (entry(file, 'user', config.users, context.user)?.user ?? {}) : {}
  const folder = dirname(resolve(file))
  const server = text(cluster, 'server')
  if (server === undefined) throw new Error(`${file}: cluster "${context?.cluster}" has no server`)
  const caFile = text(cluster, 'certificate-authority')
  const caPem =
    decoded(cluster, 'certificate-authority-data') ?? (caFile && readFileSync(resolve(folder, caFile), 'utf8'))
  return {
    server,
    ...(caPem ? { caPem } : {}),
    ...(cluster['insecure-skip-tls-verify'] === true ? { skipTlsVerify: true } : {}),
    ...optional('serverName', text(cluster, 'tls-server-name')),
    ...optional('proxyUrl', text(cluster, 'proxy-url')),
    credentials: credentialOf(user, folder, clock),
  }
}

function entry<T extends Named>(file: string, what: string, list: readonly T[] | undefined, name: string | undefined) {
  const found = name ? list?.find(candidate => candidate.name === name) : undefined
  if (found === undefined)
    throw new Error(`${file}: there is no ${what} ${name ? `"${name}"` : '(current-context is empty)'}`)
  return found
}

function credentialOf(user: Fields, folder: string, clock: Clock): CredentialSource {
  const read = async (key: string, fileKey: string) => {
    const inline = decoded(user, key)
    const file = text(user, fileKey)
    return inline ?? (file === undefined ? undefined : await readFile(resolve(folder, file), 'utf8'))
  }
  const load = async (): Promise<Credential> => {
    const tokenFile = text(user, 'tokenFile')
    const token = text(user, 'token') ?? (tokenFile && (await readFile(resolve(folder, tokenFile), 'utf8')).trim())
    const username = text(user, 'username')
    return {
      ...optional('clientCertificatePem', await read('client-certificate-data', 'client-certificate')),
      ...optional('clientKeyPem', await read('client-key-data', 'client-key')),
      ...optional('token', token),
      ...(username === undefined ? {} : { basic: { username, password: text(user, 'password') ?? '' } }),
    }
  }
  let known: { readonly credential: Promise<Credential>; readonly at: number } | undefined
  return {
    current() {
      if (known === undefined || clock.now() - known.at >= rereadMs) known = { credential: load(), at: clock.now() }
      return known.credential
    },
    async refused() {
      known = undefined
      return false
    },
  }
}

const text = (fields: Fields, key: string): string | undefined => {
  const value = fields[key]
  return typeof value === 'string' && value !== '' ? value : undefined
}
const decoded = (fields: Fields, key: string): string | undefined => {
  const value = text(fields, key)
  return value === undefined ? undefined : Buffer.from(value, 'base64').toString('utf8')
}
const optional = <K extends string>(key: K, value: string | undefined) =>
  (value ? { [key]: value } : {}) as Partial<Record<K, string>>
