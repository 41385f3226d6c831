/**
 * A simple and slow server-side apply, for comparison in tests. An object is a flat table of values by path; ownership is a
 * set of paths per manager; every rule is a loop over all of them. It supports one type only:
 *
 *     data: map of text · spec.size, spec.mode: scalars · spec.args: atomic list
 *     spec.tags: set · spec.parts: list by name, with image
 *
 * It shares no code with the implementation that it checks.
 */
export interface Sample {
  data?: Record<string, string>
  spec?: { size?: number; mode?: string; args?: string[]; tags?: string[]; parts?: { name: string; image?: string }[] }
}

/** Each existing path with its value, which is irrelevant for a container. */
type Facts = Map<string, string>
const container = '…'

/** Named fields with parts. They exist as long as their parts do; stating a part does not state them. */
const named = ['data', 'spec', 'spec/tags', 'spec/parts']

export class ReferenceModel {
  #facts: Facts = new Map([['spec', container]])
  readonly #owners = new Map<string, Set<string>>()

  /** The paths in conflict; if there are any and `force` is not set, nothing was changed. */
  apply(manager: string, config: Sample, force: boolean): string[] {
    const self = `${manager} Apply`
    const isUntracked = this.#owners.size === 0
    // Fields from before the first apply belong to no manager in particular.
    if (isUntracked)
      this.#setOwner('before-first-apply Update', new Set([...this.#facts.keys()].filter(path => path !== 'spec')))
    const stated = factsOf(config)
    const fields = new Set([...stated.keys()].filter(path => !isNamed(path)))
    if (config.spec && Object.keys(config.spec).length === 0) fields.add('spec')
    if (config.data && Object.keys(config.data).length === 0) fields.add('data')
    const after: Facts = new Map([...this.#facts, ...stated])
    const last = this.#owners.get(self) ?? new Set()
    const kept = withNamed(new Set([...fields, ...this.#ownedBut(self)]))
    for (const path of withNamed(last)) {
      if (!kept.has(path)) for (const each of [...after.keys()]) if (isBelow(each, path)) after.delete(each)
    }
    const conflicts: string[] = []
    for (const [owner, owned] of this.#owners) {
      if (owner === self) continue
      for (const path of owned) if (isChanged(this.#facts, after, path)) conflicts.push(`${owner}: ${path}`)
    }
    if (conflicts.length > 0 && !force) {
      if (isUntracked) this.#owners.clear()
      return conflicts.sort()
    }
    this.#disown(after, self)
    this.#setOwner(self, fields)
    this.#facts = settled(after)
    return []
  }

  update(manager: string, object: Sample): void {
    const self = `${manager} Update`
    const isFirst = this.#owners.size === 0
    const after: Facts = new Map([['spec', container], ...factsOf(object)])
    if (isFirst) {
      // An untracked object stays untracked.
      this.#facts = after
      return
    }
    const taken = [...after.keys()].filter(path => isChanged(this.#facts, after, path))
    this.#disown(after, self)
    const rest = [...(this.#owners.get(self) ?? [])].filter(path => after.has(path) || !this.#facts.has(path))
    this.#setOwner(self, new Set([...rest, ...taken]))
    this.#facts = after
  }

  /** The fields of all owners, as sorted texts. */
  owners(): Record<string, string[]> {
    return Object.fromEntries([...this.#owners].sort().map(([owner, owned]) => [owner, [...owned].sort()]))
  }
  facts(): string[] {
    return [...this.#facts]
      .filter(([, value]) => value !== container)
      .map(fact => fact.join('='))
      .sort()
  }

  #ownedBut(self: string): string[] {
    return [...this.#owners].flatMap(([owner, owned]) => (owner === self ? [] : [...owned]))
  }
  /** Removes changed and removed fields from all other owners. */
  #disown(after: Facts, self: string): void {
    for (const [owner, owned] of [...this.#owners]) {
      if (owner === self) continue
      const isLost = (path: string) =>
        isChanged(this.#facts, after, path) || (this.#facts.has(path) && !after.has(path))
      this.#setOwner(owner, new Set([...owned].filter(path => !isLost(path))))
    }
  }
  #setOwner(owner: string, owned: Set<string>): void {
    if (owned.size === 0) this.#owners.delete(owner)
    else this.#owners.set(owner, owned)
  }
}

export function factsOf(object: Sample): Facts {
  const facts: Facts = new Map()
  const { data, spec } = object
  if (data) {
    facts.set('data', container)
    for (const [key, value] of Object.entries(data)) facts.set(`data/${key}`, value)
  }
  if (!spec) return facts
  facts.set('spec', container)
  if (spec.size !== undefined) facts.set('spec/size', String(spec.size))
  if (spec.mode !== undefined) facts.set('spec/mode', spec.mode)
  if (spec.args) facts.set('spec/args', JSON.stringify(spec.args))
  if (spec.tags) facts.set('spec/tags', container)
  for (const tag of spec.tags ?? []) facts.set(`spec/tags/[${tag}]`, tag)
  if (spec.parts) facts.set('spec/parts', container)
  for (const part of spec.parts ?? []) {
    facts.set(`spec/parts/[${part.name}]`, container)
    facts.set(`spec/parts/[${part.name}]/name`, part.name)
    if (part.image !== undefined) facts.set(`spec/parts/[${part.name}]/image`, part.image)
  }
  return facts
}

const isNamed = (path: string) => named.includes(path)
const isBelow = (path: string, root: string) => path === root || path.startsWith(`${root}/`)
const isChanged = (before: Facts, after: Facts, path: string) => after.has(path) && before.get(path) !== after.get(path)

function withNamed(paths: ReadonlySet<string>): Set<string> {
  const all = new Set(paths)
  for (const path of paths) for (const name of named) if (isBelow(path, name)) all.add(name)
  return all
}

/** As it is stored: containers without parts are absent, except for the one that every object has. */
function settled(facts: Facts): Facts {
  const result = new Map(facts)
  for (const name of named) if (![...facts.keys()].some(path => path.startsWith(`${name}/`))) result.delete(name)
  return result.set('spec', container)
}
