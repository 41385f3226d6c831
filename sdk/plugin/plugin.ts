import type { Static, TObject, TSchema } from '@sinclair/typebox'
import type { AdmissionDefinition } from '../admission/admission.js'
import type { StorageDefinition } from '../host/storage-engine.js'
import type { StoreLayerDefinition } from '../host/store-layer.js'
import type { AuthenticatorDefinition } from '../identity/authentication.js'
import type { AuthorizerDefinition } from '../identity/authorization.js'
import type { ResourceDefinition } from '../resource/resource.js'
import type { SubresourceDefinition } from '../resource/subresources.js'
import type { ConsolePageDefinition } from '../server/console-page.js'
import type { RouteDefinition } from '../server/route.js'
import type { TypeSourceDefinition } from '../server/type-source.js'
import { sdkVersionMark } from './across-copies.js'
import type { CommandDefinition } from './command.js'
import type { ControllerDefinition } from './controller.js'
import { sdkDoors } from './doors.js'
import type { FeatureGate } from './gates.js'
import type { FailurePolicy, PluginPermissions } from './isolation.js'
import type { Difference, Lifespan } from './level.js'
import type { Needs, Resolved, ServiceToken } from './service-token.js'
import type { Vendor } from './vendor.js'

/** The version of the main entry point; a plugin declares the range it was written for. */
export const sdkVersion: string = sdkDoors['orch/sdk']

/** A check that /healthz, /livez and /readyz show by name. */
export interface HealthCheckDefinition<N extends Needs = Needs> extends Lifespan {
  readonly name: string
  /** The endpoints that show it; all by default. */
  readonly endpoints?: readonly ('healthz' | 'livez' | 'readyz')[]
  readonly needs?: N
  /** Throw (or reject) when unhealthy. A check without it passes once the server has started, start tasks included. */
  check?(services: Resolved<N>): void | Promise<void>
}
/** Declares a health check; `needs` arrive typed. */
export const defineHealthCheck = <const N extends Needs = Record<never, never>>(
  definition: HealthCheckDefinition<N>,
): HealthCheckDefinition<N> => definition

/** A service this plugin offers to others. Built on first use, one instance per kernel. */
export interface ServiceDefinition<T, N extends Needs = Needs> {
  readonly token: ServiceToken<T>
  readonly needs?: N
  create(services: Resolved<N>): T
}
/** Declares a service; `needs` arrive typed, and the result must match the token's type. */
export const defineService = <T, const N extends Needs = Record<never, never>>(
  definition: ServiceDefinition<T, N>,
): ServiceDefinition<T, N> => definition

/** A subresource of a type that another plugin brings, such as `pods/eviction`. Require that plugin. */
export interface AddedSubresource extends Lifespan {
  /** Group and resource of the type. */
  readonly group: string
  readonly resource: string
  readonly name: string
  readonly subresource: SubresourceDefinition
}

/** What a plugin can contribute. Registering is synchronous and has no side effects. */
export interface Registrar {
  resource(...definitions: ResourceDefinition[]): void
  subresource(...definitions: AddedSubresource[]): void
  // biome-ignore lint/suspicious/noExplicitAny: definitions of different object types and needs stand in one list
  typeSource(...definitions: TypeSourceDefinition<any>[]): void
  // biome-ignore lint/suspicious/noExplicitAny: as above
  admission(...definitions: AdmissionDefinition<any, any>[]): void
  // biome-ignore lint/suspicious/noExplicitAny: as above
  authenticator(...definitions: AuthenticatorDefinition<any>[]): void
  // biome-ignore lint/suspicious/noExplicitAny: as above
  authorizer(...definitions: AuthorizerDefinition<any>[]): void
  // biome-ignore lint/suspicious/noExplicitAny: as above
  controller(...definitions: ControllerDefinition<any>[]): void
  storage(...definitions: StorageDefinition[]): void
  /** The first one registered is next to the engine. */
  storeLayer(...definitions: StoreLayerDefinition[]): void
  // biome-ignore lint/suspicious/noExplicitAny: as above
  healthCheck(...definitions: HealthCheckDefinition<any>[]): void
  // biome-ignore lint/suspicious/noExplicitAny: as above
  route(...definitions: RouteDefinition<any>[]): void
  command(...definitions: CommandDefinition[]): void
  consolePage(...definitions: ConsolePageDefinition[]): void
  // biome-ignore lint/suspicious/noExplicitAny: as above
  service(...definitions: ServiceDefinition<any, any>[]): void
  /** Work to do once, when everything is registered and the store is open, before requests are served. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  onStart(...tasks: StartTask<any>[]): void
  // biome-ignore lint/suspicious/noExplicitAny: as above
  startNotice(...notices: StartNotice<any>[]): void
}

/** Work at start, such as creating the objects that must exist. A returned function runs at stop. */
export interface StartTask<N extends Needs = Needs> extends Lifespan {
  readonly name: string
  /**
   * Set it for work on state that all processes of a server share, such as objects that must exist: only one process
   * does it.
   */
  readonly once?: boolean
  /**
   * Set it for a task that only checks options and files, and throws if the server cannot start with them: `orch
   * doctor` runs it, too, if it needs only the clock, the logger and metrics.
   */
  readonly isCheck?: boolean
  readonly needs?: N
  run(services: Resolved<N>): Promise<void | (() => Promise<void>)> | void | (() => Promise<void>)
}
/** Declares work at start; `needs` arrive typed. */
export const defineStartTask = <const N extends Needs = Record<never, never>>(task: StartTask<N>): StartTask<N> => task

/**
 * Lines that `serve` prints to standard output for the person at the terminal once requests are served. They never go
 * to the logger, but standard output may be stored: a secret among them must be single-use and short-lived.
 */
export interface StartNotice<N extends Needs = Needs> {
  readonly name: string
  readonly needs?: N
  /** `address` is where clients on this machine reach the server. Return no lines to print nothing. */
  lines(address: string, services: Resolved<N>): readonly string[] | Promise<readonly string[]>
}
/** Declares lines for the person who starts the server; `needs` arrive typed. */
export const defineStartNotice = <const N extends Needs = Record<never, never>>(
  notice: StartNotice<N>,
): StartNotice<N> => notice

/** What a plugin knows when it registers: the vendor's names and its own options. */
export interface RegisterContext<Options> {
  readonly vendor: Vendor
  readonly options: Options
  /** Whether a gate that this plugin declares is on. A gate that it does not declare is off. */
  isEnabled(gate: string): boolean
}

/** The definition of a plugin. `register` only declares: it opens nothing and sends no requests. */
export interface PluginDefinition<S extends TObject = TObject> {
  readonly name: string
  /**
   * The versions of `orch/sdk` that this plugin works with, such as `^1.1.0`; any if omitted. To name other entry points,
   * too: `{ 'orch/sdk': '^1.1.0', 'orch/sdk/server': '^1.0.0' }`.
   */
  readonly sdk?: string | Readonly<Record<string, string>>
  /** The names of `orch/sdk/proposed` that it uses, which may change in any minor version. */
  readonly proposed?: readonly string[]
  /** Names of plugins that must be enabled too. They start first. */
  readonly requires?: readonly string[]
  /**
   * Additional keys of --runtime-config, such as `imagepolicy.example.com/v1alpha1`, that operators may use although
   * the plugin registers no type of that group and version.
   */
  runtimeConfigKeys?(vendor: Vendor): readonly string[]
  /** Behaviours of this plugin that differ between versions, for docs/versions.md. */
  readonly differences?: readonly Difference[]
  /** Gates by name, such as `AnyVolumeDataSource`. `register` can query which are on. */
  readonly gates?: Readonly<Record<string, FeatureGate>>
  /** Options as a TypeBox object: they become config keys and --flags (kebab-case). */
  readonly options?: S
  /** What it does beyond its contributions. If it is isolated, everything else is denied. */
  readonly permissions?: PluginPermissions
  /** What happens to requests when it is isolated and does not answer: `Fail` by default. */
  readonly failurePolicy?: FailurePolicy
  register(to: Registrar, context: RegisterContext<Static<S>>): void
}

/** A plugin together with the options given to it in the config. */
export interface ConfiguredPlugin<S extends TObject = TObject> {
  readonly definition: PluginDefinition<S>
  /** The version of the sdk that it was built with. */
  readonly [sdkVersionMark]?: string
  readonly given: Readonly<Record<string, unknown>>
}
/** What `definePlugin` returns: call it with options in the config, or list it without a call. */
export interface Plugin<S extends TObject = TObject> {
  (options?: Partial<Static<S>>): ConfiguredPlugin<S>
  readonly definition: PluginDefinition<S>
}

/** The version of the sdk that a plugin was built with, which may differ from this one; undefined if unknown. */
export const sdkVersionOf = (plugin: object): string | undefined =>
  (plugin as Partial<ConfiguredPlugin>)[sdkVersionMark]

/** Declares a plugin: its table of contents. */
export function definePlugin<S extends TObject = TObject<Record<string, TSchema>>>(
  definition: PluginDefinition<S>,
): Plugin<S> {
  const configure = (options: Partial<Static<S>> = {}): ConfiguredPlugin<S> => ({
    definition,
    given: options as Record<string, unknown>,
    [sdkVersionMark]: sdkVersion,
  })
  return Object.assign(configure, { definition, [sdkVersionMark]: sdkVersion })
}
