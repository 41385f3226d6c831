import type { AdmissionConfiguration } from '../admission/admission.js'
import type { Client } from '../client/client.js'
import type { ServedStore } from '../host/served-store.js'
import type { TokenAuthentication } from '../identity/authentication.js'
import type { Authorizer } from '../identity/authorization.js'
import type { ResourceCatalogue } from '../resource/resource.js'
import type { ContributedConsolePage } from '../server/console-page.js'
import type { DescribedObjects } from '../server/described-objects.js'
import type { RequestLimits } from '../server/request-limiter.js'
import type { ServerInventory } from '../server/server-inventory.js'
import type { Clock, Logger, Metrics } from './basic-services.js'
import type { Caches } from './caches.js'
import type { DeclaredController } from './controller.js'
import { serviceToken } from './service-token.js'
import type { StoreReader } from './store-reader.js'
import type { Vendor } from './vendor.js'

/**
 * Files and addresses of the server that control loops may need. A process that runs control loops apart from the
 * server has the keys only if it can read the server's data folder.
 */
export interface ServerFacts {
  /** Where the server can be reached, for example `https://127.0.0.1:6443`. Known once it listens. */
  baseUrl(): string
  /** PEM of the signing CA, followed by its predecessors, which are still trusted; undefined without TLS. */
  readonly caCertificatePem: string | undefined
  /** PEM private key of the signing CA, or undefined if this process does not have it. */
  readonly caKeyPem: string | undefined
  readonly dataDir: string
  /**
   * The command line of the server, to start another process of the same program; undefined if it is embedded, and in
   * workers.
   */
  readonly program?: readonly string[] | undefined
  /** PEM private key of the serving certificate, or undefined if this process does not have it. */
  readonly servingKeyPem: string | undefined
  /** PEM private key that signs service account tokens unless an option names another one, or undefined as above. */
  readonly serviceAccountKeyPem: string | undefined
  /** Undefined when this process does not have it. */
  readonly frontProxy: FrontProxy | undefined
}

/**
 * The client certificate with which this server identifies itself to servers that it forwards requests to. It is created in the data
 * folder, and renewed there: read the files again when they change.
 */
export interface FrontProxy {
  readonly certificateFile: string
  readonly keyFile: string
  /** The CA that signs this certificate and nothing else. */
  readonly caFile: string
  readonly commonName: string
  /** Whether it is used. If so, the CA is published for those servers. */
  readonly isUsed: boolean
  /** The plugin that uses it must call this before start tasks run. */
  use(): void
}

/** The services the kernel itself provides. */
export const services = {
  clock: serviceToken<Clock>('clock'),
  logger: serviceToken<Logger>('logger'),
  metrics: serviceToken<Metrics>('metrics'),
  vendor: serviceToken<Vendor>('vendor'),
  /** The API as a client. A control loop acts as its own service account, everything else as the server itself. */
  client: serviceToken<Client>('client'),
  /** The authorizer chain. */
  authorizer: serviceToken<Authorizer>('authorizer'),
  /** The authenticator chain, for tokens that arrive in bodies. */
  tokens: serviceToken<TokenAuthentication>('tokens'),
  /** Every registered type. */
  resources: serviceToken<ResourceCatalogue>('resources'),
  /** In-memory views of collections, kept up to date by watches; reads are synchronous. */
  caches: serviceToken<Caches>('caches'),
  /** Direct reads from the store: always current, no authorization. */
  reader: serviceToken<StoreReader>('reader'),
  /** Stored objects of types that are described by objects, for the plugin that brings the source of these types. */
  describedObjects: serviceToken<DescribedObjects>('describedObjects'),
  server: serviceToken<ServerFacts>('server'),
  /** The limits on concurrent requests. */
  requestLimits: serviceToken<RequestLimits>('requestLimits'),
  /** The control loops of all plugins with their declared permissions, for the plugin that grants them. */
  controllers: serviceToken<readonly DeclaredController[]>('controllers'),
  /** The contents of --admission-control-config-file. */
  admissionConfiguration: serviceToken<AdmissionConfiguration>('admissionConfiguration'),
  /** The console pages and panels of all plugins, for the plugin that shows them. */
  consolePages: serviceToken<readonly ContributedConsolePage[]>('consolePages'),
  /** The store itself, for plugins that maintain it. */
  servedStore: serviceToken<ServedStore>('servedStore'),
  /** What this server consists of. */
  inventory: serviceToken<ServerInventory>('inventory'),
} as const
