import { addAll, type Registrar } from 'orch/sdk'
import { BootError, type BootProblem, problem } from '../contracts/boot-errors.js'
import { type DefinitionOf, identitiesOf } from './identities.js'

/** A contribution of a plugin, with the name of the plugin. */
export interface Contribution<D> {
  readonly plugin: string
  readonly definition: D
}
/** A type with the subresources that other plugins add to it. */
export interface ResourceContribution extends Contribution<DefinitionOf<'resource'>> {
  /** The plugin that added each subresource, by name. */
  readonly addedBy?: Readonly<Record<string, string>>
  /** The type as its own plugin registered it, and the subresources of others. */
  readonly from?: ResourceContribution
  readonly added?: readonly Contribution<DefinitionOf<'subresource'>>[]
}
/** A definition at the version that is served; undefined if that version does not have it. */
export type CutDefinition = <K extends keyof Registrar>(
  kind: K,
  definition: DefinitionOf<K>,
) => DefinitionOf<K> | undefined
type ListOf<K extends keyof Registrar> = readonly Contribution<DefinitionOf<K>>[]

type Lists = { readonly [K in keyof Registrar]: Contribution<DefinitionOf<K>>[] }

/**
 * The contributions of all plugins, in order of registration. Duplicates are collected as problems, so that one boot reports
 * all of them; after `seal` nothing can be added. When a plugin is loaded or unloaded later, another registry is built
 * (`without`), which replaces the contents of this one in a single step (`become`).
 */
export class Registry {
  #lists: Lists = {
    resource: [],
    typeSource: [],
    subresource: [],
    admission: [],
    authenticator: [],
    authorizer: [],
    controller: [],
    storage: [],
    storeLayer: [],
    healthCheck: [],
    route: [],
    command: [],
    consolePage: [],
    service: [],
    onStart: [],
    startNotice: [],
  }
  #owners = new Map<string, Map<string, string>>()
  readonly #problems: BootProblem[] = []
  readonly #cut: CutDefinition
  #resources: readonly ResourceContribution[] | undefined
  #sealed = false

  constructor(cut: CutDefinition = (_, definition) => definition) {
    this.#cut = cut
  }

  /** From `seal` on with the subresources that other plugins add. */
  get resources(): readonly ResourceContribution[] {
    return this.#resources ?? this.#lists.resource
  }
  get subresources(): ListOf<'subresource'> {
    return this.#lists.subresource
  }
  get typeSources(): ListOf<'typeSource'> {
    return this.#lists.typeSource
  }
  get admissions(): ListOf<'admission'> {
    return this.#lists.admission
  }
  get authenticators(): ListOf<'authenticator'> {
    return this.#lists.authenticator
  }
  get authorizers(): ListOf<'authorizer'> {
    return this.#lists.authorizer
  }
  get controllers(): ListOf<'controller'> {
    return this.#lists.controller
  }
  get storages(): ListOf<'storage'> {
    return this.#lists.storage
  }
  get storeLayers(): ListOf<'storeLayer'> {
    return this.#lists.storeLayer
  }
  get healthChecks(): ListOf<'healthCheck'> {
    return this.#lists.healthCheck
  }
  get routes(): ListOf<'route'> {
    return this.#lists.route
  }
  get commands(): ListOf<'command'> {
    return this.#lists.command
  }
  get consolePages(): ListOf<'consolePage'> {
    return this.#lists.consolePage
  }
  get services(): ListOf<'service'> {
    return this.#lists.service
  }
  get startTasks(): ListOf<'onStart'> {
    return this.#lists.onStart
  }
  get startNotices(): ListOf<'startNotice'> {
    return this.#lists.startNotice
  }
  /** Duplicates found so far. */
  get problems(): readonly BootProblem[] {
    return this.#problems
  }
  get isSealed(): boolean {
    return this.#sealed
  }

  /** The contributions of a kind, named by the method of the registrar. */
  ofKind<K extends keyof Registrar>(kind: K): ListOf<K> {
    return this.#lists[kind]
  }
  get kinds(): readonly (keyof Registrar)[] {
    return Object.keys(this.#lists) as (keyof Registrar)[]
  }

  /** A registry without the contributions of a plugin, open for additions. The remaining contributions are the same objects. */
  without(plugin: string, cut: CutDefinition = this.#cut): Registry {
    const rest = new Registry(cut)
    for (const kind of this.kinds) rest.#take(kind, this.#lists, plugin)
    for (const [code, owners] of this.#owners)
      rest.#owners.set(code, new Map([...owners].filter(([, owner]) => owner !== plugin)))
    return rest
  }
  #take<K extends keyof Registrar>(kind: K, lists: Lists, except: string): void {
    addAll(
      this.#lists[kind],
      lists[kind].filter(each => each.plugin !== except),
    )
  }

  /** A registry with the same contents, which does not follow later changes of this one. */
  copy(): Registry {
    const copy = new Registry(this.#cut)
    copy.become(this)
    copy.#sealed = this.#sealed
    return copy
  }
  /** Replaces the contents by those of another registry. */
  become(other: Registry): void {
    this.#lists = other.#lists
    this.#owners = other.#owners
    this.#resources = other.#resources
  }

  /** The argument of a plugin's `register`; all contributions are stored with its name. */
  registrarFor(plugin: string): Registrar {
    const adds =
      <K extends keyof Registrar>(kind: K) =>
      (...definitions: DefinitionOf<K>[]) => {
        for (const definition of definitions) this.#add(plugin, kind, definition)
      }
    return {
      resource: adds('resource'),
      typeSource: adds('typeSource'),
      subresource: adds('subresource'),
      admission: adds('admission'),
      authenticator: adds('authenticator'),
      authorizer: adds('authorizer'),
      controller: adds('controller'),
      storage: adds('storage'),
      storeLayer: adds('storeLayer'),
      healthCheck: adds('healthCheck'),
      route: adds('route'),
      command: adds('command'),
      consolePage: adds('consolePage'),
      service: adds('service'),
      onStart: adds('onStart'),
      startNotice: adds('startNotice'),
    }
  }

  /** Ends registration. If an order of plugins is given, contributions are sorted by it. */
  seal(order?: readonly string[], before?: Registry): void {
    this.#sealed = true
    const byPlugin = (left: Contribution<unknown>, right: Contribution<unknown>) =>
      (order?.indexOf(left.plugin) ?? 0) - (order?.indexOf(right.plugin) ?? 0)
    if (order) for (const list of Object.values(this.#lists)) list.sort(byPlugin)
    const known = new Map(before?.resources.map(each => [each.from, each]))
    this.#resources = this.#lists.resource.map(each => this.#complete(each, known.get(each)))
    for (const list of Object.values(this.#lists)) Object.freeze(list)
  }

  /** `known` is the result of the previous registry, which is reused unless the subresources changed. */
  #complete(contribution: ResourceContribution, known?: ResourceContribution): ResourceContribution {
    const { plugin, definition } = contribution
    const { group, resource } = definition
    const added = this.#lists.subresource.filter(
      each => each.definition.group === group && each.definition.resource === resource,
    )
    if (added.length === 0) return contribution
    if (known?.added?.length === added.length && added.every((each, index) => each === known.added?.[index]))
      return known
    const subresources = added.map(each => [each.definition.name, each.definition.subresource])
    return {
      plugin,
      definition: { ...definition, subresources: { ...Object.fromEntries(subresources), ...definition.subresources } },
      addedBy: Object.fromEntries(added.map(each => [each.definition.name, each.plugin])),
      from: contribution,
      added,
    }
  }

  #add<K extends keyof Registrar>(plugin: string, kind: K, definition: DefinitionOf<K>): void {
    const identities = identitiesOf[kind](definition)
    if (this.#sealed) {
      const name = identities[0] ? `${kind} "${identities[0].name}"` : kind
      throw new BootError([problem('ORCH_REGISTRY_SEALED', { plugin, name })])
    }
    const reported = new Set<string>()
    for (const { code, name } of identities) {
      const owners = this.#owners.get(code) ?? new Map<string, string>()
      this.#owners.set(code, owners)
      const first = owners.get(name)
      if (first === undefined) owners.set(name, plugin)
      else if (!reported.has(code)) {
        // A route conflicts once per method; one report is enough.
        reported.add(code)
        this.#problems.push(problem(code, { plugin, first, name }))
      }
    }
    const cut = this.#cut(kind, definition)
    if (cut !== undefined) this.#lists[kind].push({ plugin, definition: cut })
  }
}
