import type { Registrar } from 'orch/sdk'
import { BootError, type BootProblem, problem } from '../boot/boot-errors.js'
import { type DefinitionOf, identitiesOf } from './identities.js'

/** Something a plugin brought, kept with the plugin's name. */
export interface Contribution<D> {
  readonly plugin: string
  readonly definition: D
}
type ListOf<K extends keyof Registrar> = readonly Contribution<DefinitionOf<K>>[]

/**
 * What all plugins registered, in the order they did. Duplicates are collected as problems, so that one boot reports
 * all of them; after `seal` nothing can be added.
 */
export class Registry {
  readonly #lists: { readonly [K in keyof Registrar]: Contribution<DefinitionOf<K>>[] } = {
    resource: [],
    admission: [],
    authenticator: [],
    authorizer: [],
    controller: [],
    storage: [],
    healthCheck: [],
    route: [],
    command: [],
    service: [],
    onStart: [],
  }
  readonly #owners = new Map<string, Map<unknown, string>>()
  readonly #problems: BootProblem[] = []
  #sealed = false

  get resources(): ListOf<'resource'> {
    return this.#lists.resource
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
  get healthChecks(): ListOf<'healthCheck'> {
    return this.#lists.healthCheck
  }
  get routes(): ListOf<'route'> {
    return this.#lists.route
  }
  get commands(): ListOf<'command'> {
    return this.#lists.command
  }
  get services(): ListOf<'service'> {
    return this.#lists.service
  }
  get startTasks(): ListOf<'onStart'> {
    return this.#lists.onStart
  }
  /** Duplicates found so far. */
  get problems(): readonly BootProblem[] {
    return this.#problems
  }
  get isSealed(): boolean {
    return this.#sealed
  }

  /** What a plugin's `register` receives: everything it brings is kept under its name. */
  registrarFor(plugin: string): Registrar {
    const adds =
      <K extends keyof Registrar>(kind: K) =>
      (...definitions: DefinitionOf<K>[]) => {
        for (const definition of definitions) this.#add(plugin, kind, definition)
      }
    return {
      resource: adds('resource'),
      admission: adds('admission'),
      authenticator: adds('authenticator'),
      authorizer: adds('authorizer'),
      controller: adds('controller'),
      storage: adds('storage'),
      healthCheck: adds('healthCheck'),
      route: adds('route'),
      command: adds('command'),
      service: adds('service'),
      onStart: adds('onStart'),
    }
  }

  /** Ends registration. */
  seal(): void {
    this.#sealed = true
    for (const list of Object.values(this.#lists)) Object.freeze(list)
  }

  #add<K extends keyof Registrar>(plugin: string, kind: K, definition: DefinitionOf<K>): void {
    const identities = identitiesOf[kind](definition)
    if (this.#sealed) {
      const name = identities[0] ? `${kind} "${identities[0].name}"` : kind
      throw new BootError([problem('ORCH_REGISTRY_SEALED', { plugin, name })])
    }
    const reported = new Set<string>()
    for (const { code, name, key = name } of identities) {
      const owners = this.#owners.get(code) ?? new Map<unknown, string>()
      this.#owners.set(code, owners)
      const first = owners.get(key)
      if (first === undefined) owners.set(key, plugin)
      else if (!reported.has(code)) {
        // A route clashes once per method; one line is enough to act on.
        reported.add(code)
        this.#problems.push(problem(code, { plugin, first, name }))
      }
    }
    this.#lists[kind].push({ plugin, definition })
  }
}
