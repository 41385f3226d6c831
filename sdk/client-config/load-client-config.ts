import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Vendor } from '../plugin/vendor.js'
import {
  ClientConfigError,
  type ClusterEntry,
  type ContextEntry,
  parseConfigFile,
  type UserEntry,
} from './config-file.js'

/** Where client config comes from. */
export interface ClientConfigSource {
  readonly vendor: Vendor
  /** Usually `process.env`: it names the files, and is passed to credential plugins. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Read only this file. */
  readonly path?: string
}

/** The merged config of all files. */
export interface ClientConfig {
  readonly clusters: ReadonlyMap<string, ClusterEntry>
  readonly users: ReadonlyMap<string, UserEntry>
  readonly contexts: ReadonlyMap<string, ContextEntry>
  readonly currentContext: string
  /** The file that defines each user, for credentials that are written back. */
  readonly fileOfUser: ReadonlyMap<string, string>
  /** The files that were read, in order. */
  readonly files: readonly string[]
}

/** The files to read: the given one, those the environment names, or the one in the home folder. */
export function clientConfigPaths({ vendor, environment, path }: ClientConfigSource): string[] {
  if (path !== undefined) return [path]
  const named = (environment[vendor.profile.env.clientConfig] ?? '').split(delimiter).filter(one => one !== '')
  return named.length > 0 ? [...new Set(named)] : [join(homedir(), vendor.profile.clientConfigPath)]
}

/**
 * Reads and merges client config. The first entry with a name counts, and so does the first current context. A missing
 * file is skipped, unless it was given by path.
 */
export async function loadClientConfig(source: ClientConfigSource): Promise<ClientConfig> {
  checkSource(source)
  const clusters = new Map<string, ClusterEntry>()
  const users = new Map<string, UserEntry>()
  const contexts = new Map<string, ContextEntry>()
  const fileOfUser = new Map<string, string>()
  const files: string[] = []
  let currentContext = ''
  for (const path of clientConfigPaths(source)) {
    const text = await readText(path, source.path !== undefined)
    if (text === undefined) continue
    files.push(path)
    const file = parseConfigFile(text, path)
    for (const { name, cluster = {} } of file.clusters ?? []) if (!clusters.has(name)) clusters.set(name, cluster)
    for (const { name, context = {} } of file.contexts ?? []) if (!contexts.has(name)) contexts.set(name, context)
    for (const { name, user = {} } of file.users ?? [])
      if (!users.has(name)) {
        users.set(name, user)
        fileOfUser.set(name, path)
      }
    currentContext ||= file['current-context'] ?? ''
  }
  return { clusters, users, contexts, currentContext, fileOfUser, files }
}

/** For programs in JavaScript, which have no compiler to check this. */
function checkSource(source: Partial<ClientConfigSource> | undefined): void {
  const { vendor, environment, path } = source ?? {}
  if (vendor?.profile?.env === undefined)
    throw new TypeError('vendor must be a Vendor, such as new Vendor(orchProfile) with a profile of "orch/sdk"')
  if (typeof environment !== 'object' || environment === null)
    throw new TypeError('environment must be an object with environment variables, usually process.env')
  if (path !== undefined && typeof path !== 'string')
    throw new TypeError(`path must be the path of a client config file, not ${typeof path}`)
}

async function readText(path: string, isRequired: boolean): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && !isRequired) return undefined
    throw new ClientConfigError([`cannot read ${path}: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}`], {
      cause: error,
    })
  }
}
