import { accessSync, constants, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { parseDuration } from 'orch/sdk'
import { type BootProblem, problem } from '../contracts/boot-errors.js'
import { nearestName } from '../contracts/nearest-name.js'
import { KernelOptions, kernelName } from '../options/kernel-options.js'
import type { Registry } from '../registry/registry.js'

/** Options that name a file to be read at start. */
const fileOptions = ['tlsCertFile', 'tlsPrivateKeyFile', 'auditPolicyFile', 'auditWebhookConfigFile'] as const

/** More frequent bookmarks would cost more than the watches themselves. */
const minBookmarkIntervalMs = 100

/** Rules that a schema cannot express: between options, and about names that must be registered. */
export function checkKernelOptions(options: KernelOptions, registry: Registry): BootProblem[] {
  const invalid = (path: string, why: string) => problem('ORCH_OPTION_INVALID', { plugin: kernelName, path, why })
  const problems: BootProblem[] = []
  if (!options.tls && !isLoopback(options.bindAddress)) {
    problems.push(invalid('tls', `false is allowed on a loopback address only, not on ${options.bindAddress}`))
  }
  if ((options.tlsCertFile === undefined) !== (options.tlsPrivateKeyFile === undefined)) {
    const lacking = options.tlsCertFile === undefined ? 'tlsCertFile' : 'tlsPrivateKeyFile'
    problems.push(invalid(lacking, 'certificate and private key must be given together'))
  }
  if (parseDuration(options.watchBookmarkInterval) < minBookmarkIntervalMs) {
    problems.push(invalid('watchBookmarkInterval', `it must be at least ${minBookmarkIntervalMs}ms`))
  }
  if (
    options.auditWebhookTruncateEnabled &&
    options.auditWebhookTruncateMaxBatchSize < options.auditWebhookTruncateMaxEventSize
  ) {
    const why = 'it must be at least auditWebhookTruncateMaxEventSize'
    problems.push(invalid('auditWebhookTruncateMaxBatchSize', why))
  }
  for (const path of fileOptions) {
    const file = options[path]
    if (file !== undefined && !isReadable(file)) problems.push(invalid(path, `the file "${file}" cannot be read`))
  }

  const unknown = (path: string, what: string, given: readonly string[], known: readonly string[]) => {
    for (const name of given.filter(candidate => !known.includes(candidate))) {
      const nearest = nearestName(name, known)
      problems.push(invalid(path, `there is no ${what} "${name}"${nearest ? `, did you mean "${nearest}"` : ''}`))
    }
  }
  const controls = registry.admissions.map(c => c.definition.name)
  unknown('enableAdmissionPlugins', 'admission control', options.enableAdmissionPlugins, controls)
  unknown('disableAdmissionPlugins', 'admission control', options.disableAdmissionPlugins, controls)
  for (const name of options.enableAdmissionPlugins.filter(n => options.disableAdmissionPlugins.includes(n))) {
    problems.push(invalid('disableAdmissionPlugins', `"${name}" is in enableAdmissionPlugins too`))
  }
  const loops = registry.controllers.map(c => c.definition.name)
  const namedLoops = options.controllers.map(name => name.replace(/^-/, '')).filter(name => name !== '*')
  unknown('controllers', 'controller', namedLoops, loops)
  problems.push(...electionProblems(options).map(([path, why]) => invalid(path, why)))
  const engines = registry.storages.map(c => c.definition.name)
  unknown('storageEngine', 'storage engine', [options.storageEngine], engines)
  const isDefault = options.storageEngine === KernelOptions.properties.storageEngine.default
  for (const { name, meantBy } of isDefault ? registry.storages.map(c => c.definition) : [])
    if (meantBy !== undefined)
      problems.push(
        invalid('storageEngine', `${meantBy} is set, but the engine is "${options.storageEngine}": choose "${name}"`),
      )
  return problems
}

/** Retry periods are extended by up to this factor, so that candidates do not run in lockstep. */
const retrySpread = 1.2

/** A leader must give up before others may take over, and must have retried by then. */
function electionProblems(options: KernelOptions): [path: string, why: string][] {
  const { leaderElectLeaseDuration, leaderElectRenewDeadline, leaderElectRetryPeriod } = options
  const [leaseMs, renewMs, retryMs] = [leaderElectLeaseDuration, leaderElectRenewDeadline, leaderElectRetryPeriod].map(
    parseDuration,
  ) as [number, number, number]
  const problems: [string, string][] = []
  if (leaseMs < 1000) problems.push(['leaderElectLeaseDuration', 'it must be at least 1s'])
  if (retryMs <= 0) problems.push(['leaderElectRetryPeriod', 'it must be more than 0s'])
  if (leaseMs <= renewMs)
    problems.push(['leaderElectRenewDeadline', 'it must be shorter than leaderElectLeaseDuration'])
  if (renewMs <= retryMs * retrySpread)
    problems.push(['leaderElectRetryPeriod', `${retrySpread} times it must be shorter than leaderElectRenewDeadline`])
  return problems
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** Whether only this machine can reach the address. */
export const isLoopback = (address: string): boolean =>
  address === 'localhost' || address === '::1' || (isIP(address) === 4 && address.startsWith('127.'))
