import type { AccessAttributes, ResourceAccess } from 'orch/sdk'
import { everything } from './describe-rule.js'
import type { PolicyRule } from './schema.js'

/** A rule whose lists are ready for one lookup each; undefined stands for "any". */
interface ReadyRule {
  readonly verbs: ReadonlySet<string> | undefined
  readonly groups: ReadonlySet<string> | undefined
  readonly names: ReadonlySet<string> | undefined
}

const unlessAny = (values: readonly string[]): ReadonlySet<string> | undefined =>
  values.includes(everything) ? undefined : new Set(values)

/** The part of a request that is worth computing once, before it is compared with the rules of many roles. */
export type PreparedAccess = AccessAttributes & {
  /** `resource`, or `resource/subresource`. */
  readonly combinedResource?: string
}

/** Prepares a request for `RuleMatcher.allows`. */
export function prepareAccess(access: AccessAttributes): PreparedAccess {
  if (access.path !== undefined) return access
  const combinedResource = access.subresource === '' ? access.resource : `${access.resource}/${access.subresource}`
  return { ...access, combinedResource }
}

/** The rules of one role, arranged so that a request meets only the rules about its resource. */
export class RuleMatcher {
  readonly #byResource = new Map<string, ReadyRule[]>()
  readonly #bySubresource = new Map<string, ReadyRule[]>()
  readonly #onAnyResource: ReadyRule[] = []
  readonly #byPath = new Map<string, ReadyRule[]>()
  readonly #byPathPrefix: { readonly prefix: string; readonly rule: ReadyRule }[] = []

  constructor(rules: readonly PolicyRule[]) {
    for (const rule of rules) this.#add(rule)
  }

  allows(access: PreparedAccess): boolean {
    return access.path === undefined ? this.#allowsResource(access) : this.#allowsPath(access.verb, access.path)
  }

  #add(rule: PolicyRule): void {
    const resourceNames = rule.resourceNames ?? []
    const ready: ReadyRule = {
      verbs: unlessAny(rule.verbs),
      groups: unlessAny(rule.apiGroups ?? []),
      names: resourceNames.length === 0 ? undefined : new Set(resourceNames),
    }
    for (const resource of new Set(rule.resources)) {
      if (resource === everything) this.#onAnyResource.push(ready)
      else append(this.#byResource, resource, ready)
      if (resource.startsWith('*/')) append(this.#bySubresource, resource.slice(2), ready)
    }
    for (const url of new Set(rule.nonResourceURLs)) {
      append(this.#byPath, url, ready)
      if (url.endsWith('*')) this.#byPathPrefix.push({ prefix: url.replace(/\*+$/, ''), rule: ready })
    }
  }

  #allowsResource(access: ResourceAccess & PreparedAccess): boolean {
    return (
      someAllow(this.#onAnyResource, access) ||
      someAllow(this.#byResource.get(access.combinedResource ?? access.resource), access) ||
      (access.subresource !== '' && someAllow(this.#bySubresource.get(access.subresource), access))
    )
  }

  #allowsPath(verb: string, path: string): boolean {
    for (const rule of this.#byPath.get(path) ?? []) if (includes(rule.verbs, verb)) return true
    for (const { prefix, rule } of this.#byPathPrefix)
      if (path.startsWith(prefix) && includes(rule.verbs, verb)) return true
    return false
  }
}

const includes = (set: ReadonlySet<string> | undefined, value: string): boolean => set === undefined || set.has(value)

function someAllow(rules: readonly ReadyRule[] | undefined, access: ResourceAccess): boolean {
  if (rules === undefined) return false
  for (const rule of rules)
    if (includes(rule.verbs, access.verb) && includes(rule.groups, access.group) && includes(rule.names, access.name))
      return true
  return false
}

function append<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}
