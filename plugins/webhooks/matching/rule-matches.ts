import type { RuleWithOperations } from '../webhook-configurations/schema.js'

/** What a rule is compared with: a request under one of the names its objects are served by. */
export interface RuleTarget {
  readonly operation: string
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly subresource: string
  readonly isNamespaced: boolean
}

const hasOrAll = (values: readonly string[] | undefined, value: string) =>
  values?.some(each => each === '*' || each === value) ?? false

export function ruleMatches(rule: RuleWithOperations, target: RuleTarget): boolean {
  return (
    scopeMatches(rule.scope, target.isNamespaced) &&
    hasOrAll(rule.operations, target.operation) &&
    hasOrAll(rule.apiGroups, target.group) &&
    hasOrAll(rule.apiVersions, target.version) &&
    (rule.resources?.some(name => resourceMatches(name, target)) ?? false)
  )
}

const scopeMatches = (scope: string | undefined, isNamespaced: boolean) =>
  scope === 'Namespaced' ? isNamespaced : scope === 'Cluster' ? !isNamespaced : true

/** `*` alone leaves subresources out. */
function resourceMatches(name: string, { resource, subresource }: RuleTarget): boolean {
  const slash = name.indexOf('/')
  const wantedResource = slash < 0 ? name : name.slice(0, slash)
  const wantedSubresource = slash < 0 ? '' : name.slice(slash + 1)
  return (
    (wantedResource === '*' || wantedResource === resource) &&
    (wantedSubresource === '*' || wantedSubresource === subresource)
  )
}
