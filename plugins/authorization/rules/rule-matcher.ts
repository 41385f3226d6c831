import { withoutTrailing } from 'orch/sdk/files'
import type { AccessAttributes, ResourceAccess } from 'orch/sdk/identity'
import { everything } from './describe-rule.js'
import type { PolicyRule } from './schema.js'

/** A rule whose lists are ready for one lookup each; undefined stands for "any". */
export interface ReadyRule {
  readonly verbs: ReadonlySet<string> | undefined
  readonly groups: ReadonlySet<string> | undefined
  readonly names: ReadonlySet<string> | undefined
  readonly resources: ReadonlySet<string>
  readonly urls: ReadonlySet<string>
}

const unlessAny = (values: readonly string[]): ReadonlySet<string> | undefined =>
  values.includes(everything) ? undefined : new Set(values)

/** Prepares rules for matchers; the result can be shared by many of them. */
export const readyRules = (rules: readonly PolicyRule[]): readonly ReadyRule[] =>
  rules.map(({ verbs, apiGroups, resourceNames, resources, nonResourceURLs }) => ({
    verbs: unlessAny(verbs),
    groups: unlessAny(apiGroups ?? []),
    names: (resourceNames ?? []).length === 0 ? undefined : new Set(resourceNames),
    resources: new Set(resources),
    urls: new Set(nonResourceURLs),
  }))

/** A rule and its owner. */
interface OwnedRule<Owner> {
  readonly rule: ReadyRule
  readonly owner: Owner
}

/** Rules of one or many owners, indexed so that a request is matched only against the rules about its resource. */
export class RuleMatcher<Owner> {
  readonly #byResource = new Map<string, OwnedRule<Owner>[]>()
  readonly #bySubresource = new Map<string, OwnedRule<Owner>[]>()
  readonly #onAnyResource: OwnedRule<Owner>[] = []
  readonly #byPath = new Map<string, OwnedRule<Owner>[]>()
  readonly #byPathPrefix: { readonly prefix: string; readonly owned: OwnedRule<Owner> }[] = []

  add(rules: readonly ReadyRule[], owner: Owner): void {
    for (const rule of rules) this.#add({ rule, owner })
  }

  /** The owner of a rule that allows the request; undefined when there is none. */
  find(access: AccessAttributes): Owner | undefined {
    return access.path === undefined ? this.#findForResource(access) : this.#findForPath(access.verb, access.path)
  }

  #add(owned: OwnedRule<Owner>): void {
    for (const resource of owned.rule.resources) {
      if (resource === everything) this.#onAnyResource.push(owned)
      else append(this.#byResource, resource, owned)
      if (resource.startsWith('*/')) append(this.#bySubresource, resource.slice(2), owned)
    }
    for (const url of owned.rule.urls) {
      append(this.#byPath, url, owned)
      if (url.endsWith('*')) this.#byPathPrefix.push({ prefix: withoutTrailing(url, '*'), owned })
    }
  }

  #findForResource(access: ResourceAccess): Owner | undefined {
    const { resource, subresource } = access
    const named = this.#byResource.get(subresource === '' ? resource : `${resource}/${subresource}`)
    return (
      ownerThatAllows(this.#onAnyResource, access) ??
      (named && ownerThatAllows(named, access)) ??
      (subresource === '' ? undefined : ownerThatAllows(this.#bySubresource.get(subresource) ?? [], access))
    )
  }

  #findForPath(verb: string, path: string): Owner | undefined {
    for (const { rule, owner } of this.#byPath.get(path) ?? []) if (includes(rule.verbs, verb)) return owner
    for (const { prefix, owned } of this.#byPathPrefix)
      if (path.startsWith(prefix) && includes(owned.rule.verbs, verb)) return owned.owner
    return undefined
  }
}

const includes = (set: ReadonlySet<string> | undefined, value: string): boolean => set === undefined || set.has(value)

function ownerThatAllows<Owner>(rules: readonly OwnedRule<Owner>[], access: ResourceAccess): Owner | undefined {
  for (const { rule, owner } of rules)
    if (includes(rule.verbs, access.verb) && includes(rule.groups, access.group) && includes(rule.names, access.name))
      return owner
  return undefined
}

function append<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}
