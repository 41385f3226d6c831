import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKernel, createLogger } from '../../kernel/index.js'
import type { Clock } from '../basic-services.js'
import type { Client } from '../client/client.js'
import { createClient } from '../client/create-client.js'
import { type HttpTransportConfig, httpTransport } from '../client/http-transport.js'
import type { OrchConfig, PluginEntry } from '../config.js'
import { definePlugin } from '../plugin.js'
import { mastersGroup } from '../user.js'
import type { VendorProfile } from '../vendor.js'

/** What the server of a test consists of. */
export interface TestServerOptions {
  readonly plugins: readonly PluginEntry[]
  /** `orch`, `kubernetes`, or a profile of your own. */
  readonly vendor?: string | VendorProfile
  /** Further config keys: options of the kernel and of plugins. */
  readonly options?: Readonly<Record<string, unknown>>
  /** Moves time in tests; real by default. */
  readonly clock?: Clock
  /** Serve with TLS. Default false: a loopback port in a test rarely needs it, and it starts faster. */
  readonly tls?: boolean
  /** A folder to use and keep, instead of a temporary one. */
  readonly dataDir?: string
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
  /** Stops the server and removes its folder. Twice is harmless. */
  stop(): Promise<void>
}

/** A real server in this process: its own temporary store, a free port, every plugin you name. */
export async function startServer(options: TestServerOptions): Promise<TestServer> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'orch-test-'))
  const token = randomBytes(16).toString('hex')
  const config: OrchConfig = {
    ...(options.vendor === undefined ? {} : { vendor: options.vendor }),
    dataDir,
    securePort: 0,
    tls: options.tls ?? false,
    ...options.options,
    plugins: [...options.plugins, testAdministrator(token)],
  }
  const logger = createLogger({ verbosity: 0, destination: { write: () => {} } })
  const kernel = await createKernel(config, { logger, ...(options.clock ? { clock: options.clock } : {}) })
  let transport: ReturnType<typeof httpTransport> | undefined
  const stop = async () => {
    await transport?.close()
    transport = undefined
    await kernel.stop()
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    const { baseUrl, identity } = await kernel.start()
    const caPem = identity.facts.caCertificatePem
    const clientConfig = {
      server: baseUrl,
      credentials: { token },
      ...(options.tls && caPem !== undefined ? { caPem } : {}),
    }
    transport = httpTransport(clientConfig)
    return { baseUrl, token, clientConfig, client: createClient({ transport }), dataDir, stop }
  } catch (failure) {
    await stop()
    throw failure
  }
}

/** Lets the test in, whatever authentication the plugins under test bring. */
const testAdministrator = (token: string) =>
  definePlugin({
    name: 'test-administrator',
    register(to) {
      to.authenticator({
        name: 'test-administrator',
        kind: 'bearer',
        authenticate: ({ bearerToken }) =>
          bearerToken === token ? { user: { name: 'test-administrator', groups: [mastersGroup] } } : undefined,
      })
    },
  })
