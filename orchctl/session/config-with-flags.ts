import { resolve } from 'node:path'
import type { ClientConfig, ClusterEntry, UserEntry } from 'orch/sdk/client'
import type { Flags } from '../arguments/flags.js'

const commandLineEntry = 'command line'

/** The config with server and credentials of the command line in place of the selected entries. */
export function configWithFlags(config: ClientConfig, flags: Flags): ClientConfig {
  const contextName = flags.text('context') ?? config.currentContext
  const context = config.contexts.get(contextName)
  const clusterName = flags.text('cluster') ?? context?.cluster ?? ''
  const userName = flags.text('user') ?? context?.user ?? ''
  const server = flags.text('server')
  const serverName = flags.text('tls-server-name')
  const authority = flags.text('certificate-authority')
  const isInsecure = flags.is('insecure-skip-tls-verify')
  const overridingFlags = [
    'server',
    'token',
    'certificate-authority',
    'client-certificate',
    'client-key',
    'username',
    'password',
    'tls-server-name',
  ]
  if (!isInsecure && !overridingFlags.some(name => flags.has(name))) return config
  const { 'certificate-authority-data': inline, ...cluster } = config.clusters.get(clusterName) ?? {}
  const chosenCluster: ClusterEntry = {
    ...cluster,
    ...(inline !== undefined && authority === undefined && !isInsecure ? { 'certificate-authority-data': inline } : {}),
    ...(server === undefined ? {} : { server }),
    ...(serverName === undefined ? {} : { 'tls-server-name': serverName }),
    ...(authority === undefined ? {} : { 'certificate-authority': resolve(authority) }),
    ...(isInsecure ? { 'insecure-skip-tls-verify': true } : {}),
  }
  if (isInsecure) delete chosenCluster['certificate-authority']
  const chosenUser: UserEntry = userOf(flags) ?? config.users.get(userName) ?? {}
  return {
    ...config,
    clusters: new Map([...config.clusters, [clusterName || commandLineEntry, chosenCluster]]),
    users: new Map([...config.users, [userName || commandLineEntry, chosenUser]]),
    contexts: new Map([
      ...config.contexts,
      [
        contextName || commandLineEntry,
        { ...context, cluster: clusterName || commandLineEntry, user: userName || commandLineEntry },
      ],
    ]),
    currentContext: contextName || commandLineEntry,
  }
}

/** Credentials of the command line replace those of the config completely. */
function userOf(flags: Flags): UserEntry | undefined {
  const token = flags.text('token')
  const certificate = flags.text('client-certificate')
  const key = flags.text('client-key')
  const [username, password] = [flags.text('username'), flags.text('password')]
  if ([token, certificate, key, username, password].every(one => one === undefined)) return undefined
  return {
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(token === undefined ? {} : { token }),
    ...(certificate === undefined ? {} : { 'client-certificate': resolve(certificate) }),
    ...(key === undefined ? {} : { 'client-key': resolve(key) }),
  }
}
