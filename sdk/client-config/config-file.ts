import { dirname, isAbsolute, join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import { recognizedAcrossCopies } from '../plugin/across-copies.js'
import { type Static, Type } from '../resource/schema.js'
import { readYaml, YamlError } from '../yaml/read-yaml.js'

/** Thrown for client config that cannot be used; each problem is a sentence for its author. */
export class ClientConfigError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(`invalid client config: ${problems.join('; ')}`, options)
    this.name = 'ClientConfigError'
    this.problems = problems
  }
}
recognizedAcrossCopies(ClientConfigError, 'ClientConfigError')

const text = Type.Optional(Type.String())
const flag = Type.Optional(Type.Boolean())
const Extensions = Type.Optional(
  Type.Array(Type.Object({ name: Type.String(), extension: Type.Optional(Type.Unknown()) })),
)

const ClusterEntry = Type.Object({
  server: text,
  'certificate-authority': text,
  'certificate-authority-data': text,
  'insecure-skip-tls-verify': flag,
  'tls-server-name': text,
  'proxy-url': text,
  extensions: Extensions,
})
const ExecEntry = Type.Object({
  command: text,
  args: Type.Optional(Type.Array(Type.String())),
  env: Type.Optional(Type.Array(Type.Object({ name: text, value: text }))),
  apiVersion: text,
  installHint: text,
  provideClusterInfo: flag,
  interactiveMode: text,
})
const UserEntry = Type.Object({
  'client-certificate': text,
  'client-certificate-data': text,
  'client-key': text,
  'client-key-data': text,
  token: text,
  tokenFile: text,
  username: text,
  password: text,
  as: text,
  'as-uid': text,
  'as-groups': Type.Optional(Type.Array(Type.String())),
  'as-user-extra': Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
  'auth-provider': Type.Optional(
    Type.Object({ name: Type.String(), config: Type.Optional(Type.Record(Type.String(), Type.String())) }),
  ),
  exec: Type.Optional(ExecEntry),
})
const ContextEntry = Type.Object({ cluster: text, user: text, namespace: text })
const ConfigFile = Type.Object({
  clusters: Type.Optional(Type.Array(Type.Object({ name: Type.String(), cluster: Type.Optional(ClusterEntry) }))),
  users: Type.Optional(Type.Array(Type.Object({ name: Type.String(), user: Type.Optional(UserEntry) }))),
  contexts: Type.Optional(Type.Array(Type.Object({ name: Type.String(), context: Type.Optional(ContextEntry) }))),
  'current-context': text,
})

/** A server: where it is and how to trust it. */
export type ClusterEntry = Static<typeof ClusterEntry>
/** A program that supplies credentials. */
export type ExecEntry = Static<typeof ExecEntry>
/** The credentials of a client. */
export type UserEntry = Static<typeof UserEntry>
/** A server and a user that belong together. */
export type ContextEntry = Static<typeof ContextEntry>
/** One file, as it is written. */
export type ConfigFile = Static<typeof ConfigFile>

/** Reads the text of a config file; YAML or JSON. Paths in it are made absolute: they are relative to the file. */
export function parseConfigFile(source: string, path: string): ConfigFile {
  let value: unknown
  try {
    value = withoutNulls(readYaml(source).documents[0]) ?? {}
  } catch (error) {
    const line = error instanceof YamlError ? ` (line ${error.line ?? '?'})` : ''
    throw new ClientConfigError([`${path} is not valid YAML${line}`])
  }
  const problem = Value.Errors(ConfigFile, value).First()
  if (problem) throw new ClientConfigError([`${path}: ${problem.path || 'the file'}: ${problem.message}`])
  return withAbsolutePaths(value as ConfigFile, dirname(path))
}

/** Tools write `users: null` for an empty list. */
function withoutNulls(value: unknown): unknown {
  if (value === null) return undefined
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, inner]) => [key, withoutNulls(inner)])
      .filter(([, inner]) => inner !== undefined),
  )
}

function withAbsolutePaths(file: ConfigFile, folder: string): ConfigFile {
  const resolve = <E extends object>(entry: E, ...fields: (keyof E)[]): E => {
    const copy = { ...entry }
    for (const field of fields) {
      const path = copy[field]
      if (typeof path === 'string' && path !== '' && !isAbsolute(path))
        copy[field] = join(folder, path) as E[typeof field]
    }
    return copy
  }
  const resolveUser = (user: UserEntry): UserEntry => {
    const { exec, ...rest } = resolve(user, 'client-certificate', 'client-key', 'tokenFile')
    if (exec === undefined) return rest
    // A bare command is looked up in PATH; only one with a folder in it is a path.
    return { ...rest, exec: /[\\/]/.test(exec.command ?? '') ? resolve(exec, 'command') : exec }
  }
  return {
    ...file,
    clusters: (file.clusters ?? []).map(({ name, cluster = {} }) => ({
      name,
      cluster: resolve(cluster, 'certificate-authority'),
    })),
    users: (file.users ?? []).map(({ name, user = {} }) => ({ name, user: resolveUser(user) })),
  }
}

/** The cluster and the user of the current context, as far as the file has them. */
export function currentEntries(file: ConfigFile): { readonly cluster: ClusterEntry; readonly user: UserEntry } {
  const context = file.contexts?.find(({ name }) => name === file['current-context'])?.context
  const cluster = file.clusters?.find(({ name }) => name === context?.cluster)?.cluster
  const user = file.users?.find(({ name }) => name === context?.user)?.user
  return { cluster: cluster ?? {}, user: user ?? {} }
}

/** The files that entries name: authorities, certificates, keys and tokens. */
export const filesNamedBy = (entries: readonly (ClusterEntry | UserEntry)[]): string[] =>
  entries
    .flatMap((entry: ClusterEntry & UserEntry) => [
      entry['certificate-authority'],
      entry['client-certificate'],
      entry['client-key'],
      entry.tokenFile,
    ])
    .filter((path): path is string => path !== undefined && path !== '')
