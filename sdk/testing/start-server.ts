import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKernel, createLogger, defaultPlugins } from '../../kernel/index.js'
import type { Client } from '../client/client.js'
import type { HttpTransportConfig } from '../client/http-transport.js'
import type { ConfigFile } from '../client-config/config-file.js'
import type { Clock } from '../plugin/basic-services.js'
import type { OrchConfig, PluginEntry } from '../plugin/config.js'
import type { VendorProfile } from '../plugin/vendor.js'
import type { ApiObject } from '../resource/meta.js'
import { installDefinitions } from './install-definitions.js'
import { installWebhooks, type WebhookInstallation } from './install-webhooks.js'
import type { ManifestSource } from './read-manifests.js'
import { StoredState } from './stored-state.js'
import { TestRecording, withRecording } from './test-recording.js'
import { administrator, type TestUser, type TestUserRequest, TestUsers } from './test-users.js'

/** The configuration of a test server. */
export interface TestServerOptions {
  /** By default all first-party plugins, as in `orch serve`, and the store in memory. */
  readonly plugins?: readonly PluginEntry[]
  /** Further plugins. */
  readonly morePlugins?: readonly PluginEntry[]
  /** `orch`, `kubernetes`, or a profile of your own. */
  readonly vendor?: string | VendorProfile
  /** The version of the API, such as `1.31`, where the vendor has several. */
  readonly kubernetesVersion?: string
  /** Further config keys: options of the kernel and of plugins. */
  readonly options?: Readonly<Record<string, unknown>>
  /** Moves time in tests; real by default. */
  readonly clock?: Clock
  /** Serve with TLS. Default false: a loopback port in a test rarely needs it, and it starts faster. */
  readonly tls?: boolean
  /** A folder to use and keep, instead of a temporary one. */
  readonly dataDir?: string
  /** Gets the lines of the server's log, which are JSON. */
  readonly log?: (line: string) => void
  /** Records requests and changes of objects, for `recorded` and `saveRecording`: the folder for the recordings. */
  readonly record?: string
}

/** A server inside a test. */
export interface TestServer {
  readonly baseUrl: string
  /** A bearer token of an administrator. */
  readonly token: string
  /** How to reach the server as an administrator, for `httpTransport`. */
  readonly clientConfig: HttpTransportConfig
  /** The API over HTTP as an administrator. */
  readonly client: Client
  readonly dataDir: string
  /** The client config of an administrator, for other clients; the same in a file. */
  readonly kubeconfig: ConfigFile
  readonly kubeconfigPath: string
  /** Adds a user, with a client of their own. They may do what roles grant them, where the plugins have roles. */
  addUser(user: TestUserRequest): Promise<TestUser>
  /**
   * Creates or updates definitions of custom resources and waits until their types are served. What it takes are paths of
   * YAML or JSON files, of folders of them, and objects.
   */
  installCrds(...sources: ManifestSource[]): Promise<readonly ApiObject[]>
  /** Creates or updates webhook configurations that point to a webhook server of the test. */
  installWebhooks(installation: WebhookInstallation): Promise<readonly ApiObject[]>
  /** Saves everything that is stored, for `reset`. The start of the server saves it once. */
  snapshot(): Promise<void>
  /** Restores the last `snapshot`. Watches and control loops see that as ordinary changes. */
  reset(): Promise<void>
  /**
   * Runs a test. When it fails, what the server saw so far is kept in the folder `record`, and the failure says where: `orch replay`
   * shows it as a timeline of each object. Without that option it only runs the test.
   */
  recorded<T>(title: string, test: () => T | Promise<T>): Promise<T>
  /** Saves the recording so far, and returns the path of the file. Needs the option `record`. */
  saveRecording(title?: string): string
  /** Stops the server and removes its folder. Twice is harmless. */
  stop(): Promise<void>
}

/** Starts a real server in this process: its own temporary store, a free port, the given plugins or all of them. */
export async function startServer(options: TestServerOptions = {}): Promise<TestServer> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'orch-test-'))
  const users = new TestUsers()
  const recording = new TestRecording(dataDir, options.record)
  const plugins = [...(options.plugins ?? (await defaultPlugins())), ...(options.morePlugins ?? [])]
  const config: OrchConfig = {
    ...(options.vendor === undefined ? {} : { vendor: options.vendor }),
    ...(options.kubernetesVersion === undefined ? {} : { kubernetesVersion: options.kubernetesVersion }),
    dataDir,
    securePort: 0,
    tls: options.tls ?? false,
    // Do not wait for open connections: the test has read the responses that it needs.
    shutdownLingerDuration: '0s',
    ...(options.plugins === undefined ? { storageEngine: 'memory' } : {}),
    ...options.options,
    ...recording.options,
    plugins: [...(options.record === undefined ? plugins : await withRecording(plugins)), users.plugin],
  }
  const verbosity = Number(options.options?.['v'] ?? 0)
  const logger = createLogger({ verbosity, destination: { write: options.log ?? (() => {}) } })
  const kernel = await createKernel(config, { logger, ...(options.clock ? { clock: options.clock } : {}) })
  const stop = async () => {
    await users.close()
    await kernel.stop()
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    const { baseUrl, identity, store } = await kernel.start()
    users.open({ baseUrl, identity: options.tls ? identity : undefined, folder: dataDir })
    const admin = await users.add(administrator)
    const state = new StoredState(store)
    await state.take()
    return {
      baseUrl,
      token: admin.token ?? '',
      clientConfig: admin.clientConfig,
      client: admin.client,
      dataDir,
      kubeconfig: admin.kubeconfig,
      kubeconfigPath: admin.kubeconfigPath,
      addUser: user => users.add(user),
      installCrds: (...sources) => installDefinitions(admin.client, sources),
      installWebhooks: installation => installWebhooks(admin.client, installation),
      snapshot: () => state.take(),
      reset: () => state.restore(),
      recorded: (title, test) => recording.run(title, test),
      saveRecording: (title = 'recording') => recording.save(title),
      stop,
    }
  } catch (failure) {
    await stop()
    throw failure
  }
}
