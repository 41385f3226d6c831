import { ClientConfigError, type ClusterEntry, type UserEntry } from './config-file.js'
import type { ClientConfig } from './load-client-config.js'

/** Overrides of the current context. */
export interface ContextChoice {
  readonly context?: string
  readonly cluster?: string
  readonly user?: string
  readonly namespace?: string
}

/** A context with its cluster and user. */
export interface ChosenContext {
  readonly contextName: string
  readonly cluster: ClusterEntry
  readonly clusterName: string
  readonly user: UserEntry
  readonly userName: string
  /** Empty when the context names none. */
  readonly namespace: string
}

/** Finds the cluster and user to use. */
export function chooseContext(config: ClientConfig, choice: ContextChoice = {}): ChosenContext {
  const contextName = choice.context ?? config.currentContext
  const context = config.contexts.get(contextName)
  const problems: string[] = []
  if (context === undefined && contextName !== '') problems.push(`no context exists with the name "${contextName}"`)
  const clusterName = choice.cluster ?? context?.cluster ?? ''
  const userName = choice.user ?? context?.user ?? ''
  const cluster = config.clusters.get(clusterName)
  const user = userName === '' ? {} : config.users.get(userName)
  if (clusterName === '' && problems.length === 0)
    problems.push(
      config.files.length === 0
        ? 'no configuration has been provided: there is no client config file'
        : 'no current context is set, and no context was chosen',
    )
  else if (cluster === undefined && clusterName !== '') problems.push(`cluster "${clusterName}" does not exist`)
  if (user === undefined) problems.push(`user "${userName}" does not exist`)
  if (problems.length > 0 || cluster === undefined || user === undefined) throw new ClientConfigError(problems)
  const namespace = choice.namespace ?? context?.namespace ?? ''
  return { contextName, cluster, clusterName, user, userName, namespace }
}
