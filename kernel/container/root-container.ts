import 'reflect-metadata'
import { type Logger, type ServiceToken, services } from 'orch/sdk'
import { serviceNameOf } from 'orch/sdk/host'
import { type DependencyContainer, container as globalContainer, instanceCachingFactory } from 'tsyringe'
import { BootError, problem } from '../contracts/boot-errors.js'
import { PluginScope } from './plugin-scope.js'

type LoggerOf = (plugin: string, logger: Logger) => Logger

interface Recipe {
  readonly create: () => unknown
  made?: { readonly value: unknown }
}

/**
 * Every service of one kernel, by token: the kernel's own and those that plugins offer. Each plugin gets one child
 * container, so that it has its own logger. In tsyringe a later registration silently replaces an earlier one; here it throws.
 *
 * Example: `root.provide(services.clock, clock)`, `root.provideLazily(services.client, () => makeClient(...))`,
 * `root.scopeOf('namespaces').resolve({ client: services.client })`.
 */
export class RootContainer {
  readonly #container: DependencyContainer = globalContainer.createChildContainer()
  readonly #scopes = new Map<string, PluginScope>()
  /** The factories of services that are built on first use, and their instances. */
  readonly #recipes = new Map<ServiceToken<unknown>, Recipe>()
  /** Every token that ever had a recipe. */
  readonly #lazy = new Set<ServiceToken<unknown>>()
  /** Services being built, outermost first: a token that is already in the list needs itself. */
  readonly #building: ServiceToken<unknown>[] = []

  readonly #loggerOf: LoggerOf

  /** `loggerOf` may wrap the logger of a plugin. */
  constructor(loggerOf: LoggerOf = (_, logger) => logger) {
    this.#loggerOf = loggerOf
  }

  /** Registers an instance. */
  provide<T>(token: ServiceToken<T>, value: T): void {
    this.#refuseDuplicate(token)
    this.#container.register<T>(token as symbol, { useValue: value })
  }

  /** Registers a service that is built on first use, once. */
  provideLazily<T>(token: ServiceToken<T>, create: () => T): void {
    this.#refuseDuplicate(token)
    const isRegistered = this.#container.isRegistered(token as symbol)
    this.#lazy.add(token)
    this.#recipes.set(token, { create })
    if (!isRegistered) this.#container.register<T>(token as symbol, { useFactory: () => this.#madeOf(token) as T })
  }

  /**
   * Replaces services that are built on first use: later resolutions get new instances. A service without a factory is withdrawn.
   * Returns a function that reverts the change.
   */
  renew(recipes: ReadonlyMap<ServiceToken<unknown>, (() => unknown) | undefined>): () => void {
    const before = new Map([...recipes.keys()].map(token => [token, this.#recipes.get(token)]))
    for (const [token, create] of recipes) {
      this.#recipes.delete(token)
      if (create) this.provideLazily(token, create)
    }
    return () => {
      for (const [token, recipe] of before) {
        if (recipe) this.#recipes.set(token, recipe)
        else this.#recipes.delete(token)
      }
    }
  }
  /** The factory of a service that was provided lazily, to build it again. */
  recipeOf(token: ServiceToken<unknown>): (() => unknown) | undefined {
    return this.#recipes.get(token)?.create
  }

  has(token: ServiceToken<unknown>): boolean {
    const isWithdrawn = this.#lazy.has(token) && !this.#recipes.has(token)
    return !isWithdrawn && this.#container.isRegistered(token as symbol)
  }

  /** A service as the kernel itself sees it. */
  resolve<T>(token: ServiceToken<T>): T {
    return this.#container.resolve<T>(token as symbol)
  }

  /** The scope of a plugin; the same one every time. */
  scopeOf(plugin: string): PluginScope {
    let scope = this.#scopes.get(plugin)
    if (!scope) {
      const child = this.#container.createChildContainer()
      child.register<Logger>(services.logger as symbol, {
        useFactory: instanceCachingFactory(() =>
          this.#loggerOf(plugin, this.resolve(services.logger).child({ plugin })),
        ),
      })
      scope = new PluginScope(plugin, child)
      this.#scopes.set(plugin, scope)
    }
    return scope
  }

  #madeOf(token: ServiceToken<unknown>): unknown {
    const recipe = this.#recipes.get(token)
    if (recipe === undefined) throw new Error(`service "${serviceNameOf(token)}" is no longer provided`)
    recipe.made ??= { value: this.#build(token, recipe.create) }
    return recipe.made.value
  }

  #build<T>(token: ServiceToken<T>, create: () => T): T {
    const start = this.#building.indexOf(token)
    if (start >= 0) {
      const chain = [...this.#building.slice(start), token].map(serviceNameOf)
      // Needs of plugin services are checked before anything is built, so this cycle includes services of the kernel.
      throw new BootError([problem('ORCH_SERVICE_CYCLE', { plugin: 'kernel', chain })])
    }
    this.#building.push(token)
    try {
      return create()
    } finally {
      this.#building.pop()
    }
  }

  #refuseDuplicate(token: ServiceToken<unknown>): void {
    if (this.has(token)) throw new Error(`service "${serviceNameOf(token)}" is provided twice`)
  }
}
