import type { Vendor } from '../plugin/vendor.js'
import type { ChosenContext } from './choose-context.js'
import type { ClusterEntry, ExecEntry, UserEntry } from './config-file.js'
import { execApiVersions, interactiveModes } from './exec-protocol.js'

/** All problems of the chosen cluster and user. */
export function problemsOf({ cluster, clusterName, user, userName }: ChosenContext, vendor: Vendor): string[] {
  return [...clusterProblems(cluster, clusterName), ...userProblems(user, userName, vendor)]
}

function clusterProblems(cluster: ClusterEntry, name: string): string[] {
  const problems: string[] = []
  if (!cluster.server) problems.push(`no server found for cluster "${name}"`)
  else if (!isUrl(cluster.server, 'http:', 'https:'))
    problems.push(`cluster "${name}": server is not an http or https URL`)
  if (cluster['proxy-url'] && !isUrl(cluster['proxy-url'], 'http:', 'https:'))
    problems.push(`cluster "${name}": proxy-url must be an http or https URL`)
  const hasAuthority = cluster['certificate-authority'] || cluster['certificate-authority-data']
  if (cluster['insecure-skip-tls-verify'] && hasAuthority)
    problems.push(`cluster "${name}": a certificate authority together with insecure-skip-tls-verify is not allowed`)
  return problems
}

function isUrl(text: string, ...schemes: string[]): boolean {
  try {
    return schemes.includes(new URL(text).protocol)
  } catch {
    return false
  }
}

function userProblems(user: UserEntry, name: string, vendor: Vendor): string[] {
  const problems: string[] = []
  const hasCertificate = user['client-certificate'] || user['client-certificate-data']
  const hasKey = user['client-key'] || user['client-key-data']
  if (hasCertificate && !hasKey)
    problems.push(`client-key-data or client-key must be specified for "${name}" to use its client certificate`)
  if (hasKey && !hasCertificate)
    problems.push(`client-certificate-data or client-certificate must be specified for "${name}" to use its client key`)
  const methods = [
    ...(user.token || user.tokenFile ? ['token'] : []),
    ...(user.username || user.password ? ['basicAuth'] : []),
  ]
  if (methods.length > 1)
    problems.push(
      `more than one authentication method found for "${name}": found ${methods.join(', ')}, only one is allowed`,
    )
  if ((user['as-uid'] || user['as-groups']?.length || user['as-user-extra']) && !user.as)
    problems.push(`requesting uid, groups or user-extra for "${name}" without impersonating a user`)
  const provider = user['auth-provider']?.name
  if (provider !== undefined && provider !== 'oidc') problems.push(`no auth provider found for name "${provider}"`)
  if (user.exec && provider !== undefined)
    problems.push(`auth-provider cannot be provided in combination with an exec plugin for "${name}"`)
  return user.exec ? [...problems, ...execProblems(user.exec, name, vendor)] : problems
}

function execProblems(exec: ExecEntry, name: string, vendor: Vendor): string[] {
  const problems: string[] = []
  const { v1, v1beta1 } = execApiVersions(vendor)
  const needed = (field: string) =>
    problems.push(`${field} must be specified for "${name}" to use exec authentication plugin`)
  if (!exec.command) needed('command')
  if (!exec.apiVersion) needed('apiVersion')
  else if (exec.apiVersion !== v1 && exec.apiVersion !== v1beta1)
    problems.push(`exec plugin of "${name}": invalid apiVersion "${exec.apiVersion}", supported are ${v1}, ${v1beta1}`)
  if (exec.env?.some(one => !one.name)) needed('env variable name')
  if (!exec.interactiveMode) {
    if (exec.apiVersion !== v1beta1) needed('interactiveMode')
  } else if (!interactiveModes.includes(exec.interactiveMode))
    problems.push(`invalid interactiveMode for "${name}": "${exec.interactiveMode}"`)
  return problems
}
