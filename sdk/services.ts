import type { AdmissionConfiguration } from './admission.js'
import type { TokenAuthentication } from './authentication.js'
import type { Authorizer } from './authorization.js'
import type { Caches } from './caches.js'
import type { Client } from './client/client.js'
import type { ResourceCatalogue } from './resource.js'
import type { SharedWork } from './shared-work.js'
import type { StoreReader } from './store-reader.js'
import type { Vendor } from './vendor.js'

declare const serves: unique symbol
/** Names a service: a symbol for the container, a type for the author. */
export type ServiceToken<T> = symbol & { readonly [serves]?: T }

/** Makes a token. A token that two plugins share is declared in the sdk. */
export const serviceToken = <T>(name: string): ServiceToken<T> => Symbol(name)

/** What a control, authenticator or controller asks for under `needs`: local name → token. */
export type Needs = Readonly<Record<string, ServiceToken<unknown>>>
/** What it then receives: local name → instance. */
export type Resolved<N extends Needs> = { readonly [K in keyof N]: N[K] extends ServiceToken<infer T> ? T : never }

/** The time, injected so that tests can move it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Calls back once after `delayMs`; the return value cancels. Does not keep the process alive. */
  after(delayMs: number, call: () => void): () => void
}

/** Structured logging. Never pass a credential or a Secret's data. */
export interface Logger {
  debug(message: string, fields?: Record<string, unknown>): void
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
  child(fields: Record<string, unknown>): Logger
}

/** A number that only grows. */
export interface Counter {
  inc(labels?: Record<string, string>, by?: number): void
}
/** A number that goes up and down. */
export interface Gauge {
  set(value: number, labels?: Record<string, string>): void
}
/** How often something took how long. */
export interface Histogram {
  observe(seconds: number, labels?: Record<string, string>): void
}
/** Metrics of a plugin; they appear at /metrics. Asking twice for one name returns the same instrument. */
export interface Metrics {
  counter(name: string, help: string, labels?: readonly string[]): Counter
  gauge(name: string, help: string, labels?: readonly string[]): Gauge
  histogram(name: string, help: string, labels?: readonly string[], buckets?: readonly number[]): Histogram
}

/**
 * Files and addresses of the server that control loops may need. A process that runs control loops apart from the server
 * has the keys only where it finds the server's data folder.
 */
export interface ServerFacts {
  /** Where the server can be reached, for example `https://127.0.0.1:6443`. Known once it listens. */
  baseUrl(): string
  /** PEM of the CA that signed the serving certificate, or undefined without TLS. */
  readonly caCertificatePem: string | undefined
  /** PEM private key of that CA, or undefined when this process does not have it. */
  readonly caKeyPem: string | undefined
  readonly dataDir: string
  /** PEM private key of the serving certificate, or undefined when this process does not have it. */
  readonly servingKeyPem: string | undefined
  /** PEM private key that signs service account tokens unless an option names another one, or undefined as above. */
  readonly serviceAccountKeyPem: string | undefined
}

/** The services the kernel itself provides. */
export const services = {
  clock: serviceToken<Clock>('clock'),
  logger: serviceToken<Logger>('logger'),
  metrics: serviceToken<Metrics>('metrics'),
  vendor: serviceToken<Vendor>('vendor'),
  /** The API as a client inside this process, acting as the server itself. */
  client: serviceToken<Client>('client'),
  /** The authorizer chain. */
  authorizer: serviceToken<Authorizer>('authorizer'),
  /** The authenticator chain, for tokens that arrive in bodies. */
  tokens: serviceToken<TokenAuthentication>('tokens'),
  /** Every registered type. */
  resources: serviceToken<ResourceCatalogue>('resources'),
  /** In-memory views of collections, kept fresh by watch; reads are synchronous. */
  caches: serviceToken<Caches>('caches'),
  /** Direct reads from the store: always current, no authorization. */
  reader: serviceToken<StoreReader>('reader'),
  server: serviceToken<ServerFacts>('server'),
  /** Work that is done in one place, however many processes the server has. */
  sharedWork: serviceToken<SharedWork>('sharedWork'),
  /** What --admission-control-config-file says. */
  admissionConfiguration: serviceToken<AdmissionConfiguration>('admissionConfiguration'),
} as const
