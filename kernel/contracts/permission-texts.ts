import type { ControllerRule, PluginPermissions } from 'orch/sdk'

/** Permissions one by one, as they are shown and compared: `network api.example.com:443`, `create configmaps`. */
export function permissionTexts(
  {
    resources = [],
    network = [],
    files = {},
    environment = [],
    childProcesses = false,
    services = [],
  }: PluginPermissions,
  loopRules: readonly ControllerRule[] = [],
): string[] {
  const texts = [
    ...[...resources, ...loopRules].flatMap(ruleTexts),
    ...network.map(host => `connect to ${host}`),
    ...(files.read ?? []).map(path => `read ${path}`),
    ...(files.write ?? []).map(path => `write ${path}`),
    ...environment.map(name => `environment ${name}`),
    ...(childProcesses ? ['start programs'] : []),
    ...services.map(name => `service ${name}`),
  ]
  return [...new Set(texts)].sort()
}

function ruleTexts({ verbs, apiGroups, resources, resourceNames, namespace }: ControllerRule): string[] {
  const where = namespace === undefined ? '' : ` in ${namespace}`
  const which = (resourceNames ?? []).length === 0 ? [''] : (resourceNames ?? []).map(name => ` "${name}"`)
  const targets = (resources ?? []).flatMap(resource =>
    (apiGroups ?? ['']).map(group => (group === '' ? resource : `${resource}.${group}`)),
  )
  return verbs.flatMap(verb => targets.flatMap(target => which.map(name => `${verb} ${target}${name}${where}`)))
}
