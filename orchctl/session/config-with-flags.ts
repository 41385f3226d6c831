import { resolve } from 'node:path'
import type { ClientConfig, ClusterEntry, UserEntry } from 'orch/sdk'
import type { Flags } from '../arguments/flags.js'

const madeUp = 'command line'

/** The config with what the command line says about server and credentials put in the place of the chosen entries. */
export function configWithFlags(config: ClientConfig, flags: Flags): ClientConfig {
  const contextName = flags.text('context') ?? config.currentContext
  const context = config.contexts.get(contextName)
  const clusterName = flags.text('cluster') ?? context?.cluster ?? ''
  const userName = flags.text('user') ?? context?.user ?? ''
  const server = flags.text('server')
  const token = flags.text('token')
  const authority = flags.text('certificate-authority')
  const isInsecure = flags.is('insecure-skip-tls-verify')
  if (server === undefined && token === undefined && authority === undefined && !isInsecure) return config
  const { 'certificate-authority-data': inline, ...cluster } = config.clusters.get(clusterName) ?? {}
  const chosenCluster: ClusterEntry = {
    ...cluster,
    ...(inline !== undefined && authority === undefined && !isInsecure ? { 'certificate-authority-data': inline } : {}),
    ...(server === undefined ? {} : { server }),
    ...(authority === undefined ? {} : { 'certificate-authority': resolve(authority) }),
    ...(isInsecure ? { 'insecure-skip-tls-verify': true } : {}),
  }
  if (isInsecure) delete chosenCluster['certificate-authority']
  const chosenUser: UserEntry = token === undefined ? (config.users.get(userName) ?? {}) : { token }
  return {
    ...config,
    clusters: new Map([...config.clusters, [clusterName || madeUp, chosenCluster]]),
    users: new Map([...config.users, [userName || madeUp, chosenUser]]),
    contexts: new Map([
      ...config.contexts,
      [contextName || madeUp, { ...context, cluster: clusterName || madeUp, user: userName || madeUp }],
    ]),
    currentContext: contextName || madeUp,
  }
}
