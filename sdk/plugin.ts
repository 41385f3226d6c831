import type { IncomingHttpHeaders } from 'node:http'
import type { Static, TObject, TSchema } from '@sinclair/typebox'
import type { AdmissionDefinition } from './admission.js'
import type { AuthenticatorDefinition } from './authentication.js'
import type { AuthorizerDefinition } from './authorization.js'
import type { ControllerDefinition } from './controller.js'
import type { ResourceDefinition } from './resource.js'
import type { Needs, Resolved, ServiceToken } from './services.js'
import type { StorageDefinition } from './storage.js'
import type { UserInfo } from './user.js'
import type { Vendor } from './vendor.js'

/** The version of this sdk; a plugin says which range it was written for. */
export const sdkVersion = '1.0.0'

/** A check that /healthz, /livez and /readyz show by name. */
export interface HealthCheckDefinition<N extends Needs = Needs> {
  readonly name: string
  /** Which endpoints show it; all by default. */
  readonly endpoints?: readonly ('healthz' | 'livez' | 'readyz')[]
  readonly needs?: N
  /** Throw (or reject) when unhealthy. */
  check(services: Resolved<N>): void | Promise<void>
}

/** A request to a route. */
export interface RouteRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly user: UserInfo
  /** The whole body, bounded by the server's limit. */
  body(): Promise<Buffer>
}
/** What a route answers. */
export interface RouteAnswer {
  /** 200 by default. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

/** A path outside the resource API. Requests reach it authenticated and authorized (verb = lower-case method, on the path). */
export interface RouteDefinition<N extends Needs = Needs> {
  /** Exact path, or a prefix when it ends with `/*`. */
  readonly path: string
  /** Methods it answers; GET by default. */
  readonly methods?: readonly string[]
  readonly needs?: N
  handle(request: RouteRequest, services: Resolved<N>): RouteAnswer | Promise<RouteAnswer>
}

/** A subcommand of the binary. */
export interface CommandDefinition {
  readonly name: string
  readonly summary: string
  run(argv: readonly string[], io: { out: (text: string) => void; err: (text: string) => void }): Promise<number>
}

/** A service this plugin offers to others. Built on first use, one instance per kernel. */
export interface ServiceDefinition<T, N extends Needs = Needs> {
  readonly token: ServiceToken<T>
  readonly needs?: N
  create(services: Resolved<N>): T
}

/** What a plugin can bring. Registering is synchronous and has no side effects. */
export interface Registrar {
  resource(...definitions: ResourceDefinition[]): void
  // biome-ignore lint/suspicious/noExplicitAny: definitions of different object types and needs stand in one list
  admission(...definitions: AdmissionDefinition<any, any>[]): void
  // biome-ignore lint/suspicious/noExplicitAny: as above
  authenticator(...definitions: AuthenticatorDefinition<any>[]): void
  // biome-ignore lint/suspicious/noExplicitAny: as above
  authorizer(...definitions: AuthorizerDefinition<any>[]): void
  // biome-ignore lint/suspicious/noExplicitAny: as above
  controller(...definitions: ControllerDefinition<any>[]): void
  storage(...definitions: StorageDefinition[]): void
  // biome-ignore lint/suspicious/noExplicitAny: as above
  healthCheck(...definitions: HealthCheckDefinition<any>[]): void
  // biome-ignore lint/suspicious/noExplicitAny: as above
  route(...definitions: RouteDefinition<any>[]): void
  command(...definitions: CommandDefinition[]): void
  // biome-ignore lint/suspicious/noExplicitAny: as above
  service(...definitions: ServiceDefinition<any, any>[]): void
  /** Work to do once, when everything is registered and the store is open, before requests are served. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  onStart(...tasks: StartTask<any>[]): void
}

/** Work at start, such as creating the objects that must exist. A returned function runs at stop. */
export interface StartTask<N extends Needs = Needs> {
  readonly name: string
  /** Set it for work on what all processes of a server share, such as objects that must exist: only one of them does it. */
  readonly once?: boolean
  readonly needs?: N
  run(services: Resolved<N>): Promise<void | (() => Promise<void>)> | void | (() => Promise<void>)
}

/** What a plugin knows when it registers: whose names to use, and the options it was given. */
export interface RegisterContext<Options> {
  readonly vendor: Vendor
  readonly options: Options
}

/** All that a plugin is. `register` only declares: it opens nothing and asks nobody. */
export interface PluginDefinition<S extends TObject = TObject> {
  readonly name: string
  /** The range of sdk versions this plugin works with; any when left out. */
  readonly sdk?: string
  /** Names of plugins that must be enabled too. They start first. */
  readonly requires?: readonly string[]
  /** Options as a TypeBox object: they become config keys and --flags (kebab-case). */
  readonly options?: S
  register(to: Registrar, context: RegisterContext<Static<S>>): void
}

/** A plugin together with the options given to it in the config. */
export interface ConfiguredPlugin {
  readonly definition: PluginDefinition
  readonly given: Readonly<Record<string, unknown>>
}
/** What `definePlugin` returns: call it with options in the config, or list it as it is. */
export interface Plugin<S extends TObject = TObject> {
  (options?: Partial<Static<S>>): ConfiguredPlugin
  readonly definition: PluginDefinition<S>
}

/** Declares a plugin: its table of contents. */
export function definePlugin<S extends TObject = TObject<Record<string, TSchema>>>(
  definition: PluginDefinition<S>,
): Plugin<S> {
  const configure = (options: Partial<Static<S>> = {}): ConfiguredPlugin => ({
    definition: definition as unknown as PluginDefinition,
    given: options as Record<string, unknown>,
  })
  return Object.assign(configure, { definition })
}
