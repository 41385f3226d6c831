import type { Static, TObject } from '@sinclair/typebox'
import type { IsolationGrade, IsolationSettings } from './isolation.js'
import type { ConfiguredPlugin, Plugin } from './plugin.js'
import type { VendorProfile } from './vendor.js'

/** A plugin by package name or path, with options: imported plugins take theirs as arguments. */
export interface NamedPlugin {
  readonly plugin: string
  readonly options?: Readonly<Record<string, unknown>>
  /** Where its code runs; `in-process` by default. */
  readonly isolation?: IsolationGrade | IsolationSettings
  /**
   * The accepted permissions, as `orch plugins` shows them. A plugin that requests more is not loaded. All by default.
   */
  readonly permissions?: readonly string[]
}

/** An entry of `plugins`: an imported plugin (with or without options), a package name, or a path to a .ts or .js file. */
// biome-ignore lint/suspicious/noExplicitAny: plugins with different options stand in one list
export type PluginEntry = Plugin<any> | ConfiguredPlugin<any> | NamedPlugin | string

/** The options of the server itself; `orch help serve` describes them. A test compares them with the kernel's. */
export interface ServerOptions {
  readonly config?: string
  readonly vendor?: 'orch' | 'kubernetes' | VendorProfile | (string & {})
  readonly kubernetesVersion?: string
  readonly emulatedVersion?: string
  readonly dataDir?: string
  readonly storageEngine?: string
  readonly bindAddress?: string
  readonly securePort?: number
  readonly workers?: number | 'auto'
  readonly tls?: boolean
  readonly tlsCertFile?: string
  readonly tlsPrivateKeyFile?: string
  readonly enableAdmissionPlugins?: readonly string[] | string
  readonly disableAdmissionPlugins?: readonly string[] | string
  readonly admissionOrder?: readonly string[] | string
  readonly admissionControlConfigFile?: string
  readonly featureGates?: Readonly<Record<string, string>> | string
  readonly runtimeConfig?: Readonly<Record<string, string>> | string
  readonly controllers?: readonly string[] | string
  readonly replaceablePlugins?: readonly string[] | string
  readonly leaderElect?: boolean
  readonly leaderElectLeaseDuration?: string
  readonly leaderElectRenewDeadline?: string
  readonly leaderElectRetryPeriod?: string
  readonly leaderElectResourceName?: string
  readonly leaderElectResourceNamespace?: string
  readonly maxRequestsInflight?: number
  readonly maxMutatingRequestsInflight?: number
  readonly maxRequestBodyBytes?: number
  readonly maxRequestHeadBytes?: number
  readonly maxUnfinishedHeadBytes?: number
  readonly maxRequestHeaders?: number
  readonly maxYamlNodes?: number
  readonly yamlTimeout?: string
  readonly requestTimeout?: string
  readonly eventLoopWarning?: string
  readonly maxObjectItems?: number
  readonly maxConnections?: number
  readonly maxConnectionsPerAddress?: number
  readonly tlsHandshakeTimeout?: string
  readonly headerTimeout?: string
  readonly idleTimeout?: string
  readonly minTransferRate?: number
  readonly slowClientTimeout?: string
  readonly responseTimeout?: string
  readonly maxUnsentResponseBytes?: number
  readonly compressResponseBytes?: number
  readonly maxCompressedResponses?: number
  readonly disableHttp2Serving?: boolean
  readonly http2MaxStreamsPerConnection?: number
  readonly http2MaxResetsPerMinute?: number
  readonly minRequestTimeout?: number
  readonly livezGracePeriod?: string
  readonly shutdownDelayDuration?: string
  readonly shutdownGracePeriod?: string
  readonly shutdownLingerDuration?: string
  readonly pluginStartTimeout?: string
  readonly watchHistory?: string
  readonly watchBufferBytes?: number
  readonly watchBookmarkInterval?: string
  readonly auditLogPath?: string
  readonly auditPolicyFile?: string
  readonly auditLogMaxsize?: number
  readonly auditLogMaxbackup?: number
  readonly auditLogMaxage?: number
  readonly auditLogTruncateEnabled?: boolean
  readonly auditLogTruncateMaxEventSize?: number
  readonly auditWebhookConfigFile?: string
  readonly auditWebhookMode?: 'batch' | 'blocking' | 'blocking-strict'
  readonly auditWebhookBatchMaxSize?: number
  readonly auditWebhookBatchMaxWait?: string
  readonly auditWebhookBatchBufferSize?: number
  readonly auditWebhookBatchBufferBytes?: number
  readonly auditWebhookBatchThrottleEnable?: boolean
  readonly auditWebhookBatchThrottleQps?: number
  readonly auditWebhookBatchThrottleBurst?: number
  readonly auditWebhookTruncateEnabled?: boolean
  readonly auditWebhookTruncateMaxEventSize?: number
  readonly auditWebhookTruncateMaxBatchSize?: number
  readonly auditWebhookInitialBackoff?: string
  readonly accessLog?: string
  readonly accessLogMaxsize?: number
  readonly accessLogMaxbackup?: number
  readonly accessLogMaxage?: number
  readonly logFormat?: 'json' | 'text'
  readonly v?: number
}

/**
 * The configuration of a server. Every key that is not an option of the server belongs to a plugin option of that name
 * (`tokenAuthFile` is `--token-auth-file`), so that flags and config keys are the same thing.
 */
export interface OrchConfig extends ServerOptions {
  readonly plugins: readonly PluginEntry[]
  readonly [option: string]: unknown
}

/** A configuration with the types of its plugins, for others that are derived from it. */
export type TypedConfig<P extends readonly PluginEntry[]> = ServerOptions & {
  readonly plugins: P
  readonly [option: string]: unknown
}

/**
 * Options of plugins whose type is known. It is unknown for plugins given by name, or in a list of arbitrary plugins.
 */
type OptionsOf<E> = E extends { readonly definition: { readonly options?: infer S } } ? Known<NonNullable<S>> : Unknown
type Known<S> = S extends TObject ? (string extends keyof Static<S> ? Unknown : Partial<Static<S>>) : Unknown
type Unknown = Record<never, never>
type All<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void ? I : never

/**
 * Declares a configuration; the default export of orch.config.ts. A key that is no option of the server or of an imported
 * plugin is an error of the compiler. Options of a plugin that is named go with its name: `{ plugin: './wishes.ts', options }`.
 */
export const defineConfig = <const P extends readonly PluginEntry[]>(
  config: ServerOptions & All<OptionsOf<P[number]>> & { readonly plugins: P },
): TypedConfig<P> => config as TypedConfig<P>
