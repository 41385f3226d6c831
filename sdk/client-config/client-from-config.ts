import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { isSeq, parseDocument } from 'yaml'
import type { Client } from '../client/client.js'
import { createClient } from '../client/create-client.js'
import type { CredentialSource, Impersonation } from '../client/credentials.js'
import { type HttpTransportConfig, httpTransport } from '../client/http-transport.js'
import { waitingClock } from '../client/waiting.js'
import type { Clock } from '../plugin/basic-services.js'
import { problemsOf } from './check-entries.js'
import { type ChosenContext, type ContextChoice, chooseContext } from './choose-context.js'
import { ClientConfigError, type UserEntry } from './config-file.js'
import { combined, execCredential } from './exec-credential.js'
import { clusterForPlugin } from './exec-protocol.js'
import { contents, fileCredential } from './file-credential.js'
import { type ClientConfig, type ClientConfigSource, loadClientConfig } from './load-client-config.js'
import { oidcCredential } from './oidc-credential.js'

/** Changes settings of a user's auth-provider in a config file; the rest of the file, including comments, stays unchanged. */
async function saveAuthProviderSettings(
  path: string,
  userName: string,
  changed: Readonly<Record<string, string>>,
): Promise<void> {
  const document = parseDocument(await readFile(path, 'utf8'))
  const users = document.get('users')
  const index = isSeq(users) ? users.items.findIndex((_, i) => document.getIn(['users', i, 'name']) === userName) : -1
  if (index < 0) return
  for (const [key, value] of Object.entries(changed))
    document.setIn(['users', index, 'user', 'auth-provider', 'config', key], value)
  // Written to another file and renamed, so that no reader ever sees a partial file.
  const beside = `${path}.${randomUUID()}`
  try {
    await writeFile(beside, document.toString(), { mode: (await stat(path)).mode & 0o777 })
    await rename(beside, path)
  } finally {
    await rm(beside, { force: true })
  }
}

/** Which config to use, which part of it, and as whom. */
export interface ClientFromConfigOptions extends ClientConfigSource, ContextChoice {
  /** Overrides the impersonated user of the config. */
  readonly impersonate?: Impersonation
  /** May credential plugins be interactive? By default if standard input is a terminal. */
  readonly isTerminal?: boolean
  readonly clock?: Clock
  /** The name of the program, sent to the server. */
  readonly userAgent?: string
  /** Called with every warning in a response. */
  onWarning?(text: string): void
}

/** How to reach the server of a context. */
export interface Connection {
  readonly transport: HttpTransportConfig
  readonly contextName: string
  /** Empty when the context names none. */
  readonly namespace: string
}

/** A client for the chosen context: `clientFromConfig({ vendor, environment: process.env })`. */
export async function clientFromConfig(options: ClientFromConfigOptions): Promise<Client> {
  const { transport } = await connectionFromConfig(await loadClientConfig(options), options)
  const { clock, userAgent, onWarning } = options
  return createClient({ transport: httpTransport(transport), clock, userAgent, onWarning })
}

/** The server, trust and credentials of the chosen context. Throws a ClientConfigError with all problems. */
export async function connectionFromConfig(
  config: ClientConfig,
  options: ClientFromConfigOptions,
): Promise<Connection> {
  const chosen = chooseContext(config, options)
  const problems = problemsOf(chosen, options.vendor)
  if (problems.length > 0) throw new ClientConfigError(problems)
  const { cluster, user, contextName, namespace } = chosen
  const caPem = await contents(cluster['certificate-authority-data'], cluster['certificate-authority'])
  const impersonate = options.impersonate ?? impersonationOf(user)
  return {
    contextName,
    namespace,
    transport: {
      server: cluster.server ?? '',
      ...(caPem === undefined ? {} : { caPem }),
      ...(cluster['tls-server-name'] ? { serverName: cluster['tls-server-name'] } : {}),
      ...(cluster['insecure-skip-tls-verify'] ? { skipTlsVerify: true } : {}),
      ...(cluster['proxy-url'] ? { proxyUrl: cluster['proxy-url'] } : {}),
      ...(impersonate ? { impersonate } : {}),
      credentials: credentialsOf(chosen, config, options, caPem),
    },
  }
}

function credentialsOf(
  { user, userName, cluster }: ChosenContext,
  config: ClientConfig,
  { vendor, environment, isTerminal = process.stdin.isTTY === true, clock = waitingClock }: ClientFromConfigOptions,
  caPem: string | undefined,
): CredentialSource {
  const own = fileCredential(user, clock)
  // With a token or password in the config no plugin is run.
  if (user.token || user.tokenFile || user.username) return own
  if (user.exec) {
    const about = clusterForPlugin(cluster, caPem, vendor)
    return combined(own, execCredential({ exec: user.exec, vendor, clock, environment, cluster: about, isTerminal }))
  }
  const settings = user['auth-provider']?.config
  if (!settings) return own
  const file = config.fileOfUser.get(userName)
  const persist = async (changed: Readonly<Record<string, string>>) => {
    if (file !== undefined) await saveAuthProviderSettings(file, userName, changed)
  }
  return combined(own, oidcCredential({ settings, clock, persist }))
}

function impersonationOf(user: UserEntry): Impersonation | undefined {
  if (!user.as) return undefined
  return {
    user: user.as,
    ...(user['as-uid'] ? { uid: user['as-uid'] } : {}),
    ...(user['as-groups'] ? { groups: user['as-groups'] } : {}),
    ...(user['as-user-extra'] ? { extra: user['as-user-extra'] } : {}),
  }
}
