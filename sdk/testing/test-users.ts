import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { issueCertificate, type ServerIdentity } from '../../kernel/index.js'
import type { Client } from '../client/client.js'
import { type ClosableTransport, createClient } from '../client/create-client.js'
import type { Credential } from '../client/credentials.js'
import { type HttpTransportConfig, httpTransport } from '../client/http-transport.js'
import type { ConfigFile } from '../client-config/config-file.js'
import { mastersGroup } from '../identity/user.js'
import type { PluginEntry } from '../plugin/config.js'
import { definePlugin } from '../plugin/plugin.js'

/** A user to add to a test server. */
export interface TestUserRequest {
  readonly name: string
  readonly groups?: readonly string[]
  /** How the server recognises them; by a token unless said otherwise. A certificate needs TLS and the plugin of authentication. */
  readonly by?: 'token' | 'certificate'
}

/** A user of a test server. */
export interface TestUser {
  readonly name: string
  readonly groups: readonly string[]
  /** For users who are recognised by a token. */
  readonly token?: string
  /** How to reach the server as this user, for `httpTransport`. */
  readonly clientConfig: HttpTransportConfig
  readonly client: Client
  /** For other clients; the same in a file. */
  readonly kubeconfig: ConfigFile
  readonly kubeconfigPath: string
}

/** What users need to know about the server. */
interface OpenServer {
  readonly baseUrl: string
  /** Undefined without TLS. */
  readonly identity: ServerIdentity | undefined
  /** Where their client configs go. */
  readonly folder: string
}

export const administrator: TestUserRequest = { name: 'test-administrator', groups: [mastersGroup] }
const dayMs = 24 * 3_600_000

/** The users of one server. Its plugin authenticates them, whatever authentication the plugins under test provide. */
export class TestUsers {
  readonly plugin: PluginEntry
  readonly #byToken = new Map<string, { name: string; groups: readonly string[] }>()
  readonly #transports: ClosableTransport[] = []
  #server: OpenServer | undefined
  #count = 0

  constructor() {
    const byToken = this.#byToken
    this.plugin = definePlugin({
      name: 'test-administrator',
      register(to) {
        to.authenticator({
          name: 'test-administrator',
          kind: 'bearer',
          authenticate({ bearerToken }) {
            const user = byToken.get(bearerToken ?? '')
            return user && { user }
          },
        })
      },
    })
  }

  /** The server has started. */
  open(server: OpenServer): void {
    this.#server = server
  }

  async add({ name, groups = [], by = 'token' }: TestUserRequest): Promise<TestUser> {
    const server = this.#server
    if (!server) throw new Error('the server does not run')
    const credential = by === 'token' ? this.#newToken(name, groups) : await certificateFor(name, groups, server)
    const { baseUrl, identity, folder } = server
    const caPem = identity?.facts.caCertificatePem
    const clientConfig = { server: baseUrl, credentials: credential, ...(caPem === undefined ? {} : { caPem }) }
    const transport = httpTransport(clientConfig)
    this.#transports.push(transport)
    const kubeconfig = configFile(name, baseUrl, caPem, credential)
    const kubeconfigPath = join(folder, `test-user-${this.#count++}.conf`)
    // What is JSON is YAML.
    writeFileSync(kubeconfigPath, JSON.stringify(kubeconfig, null, 2), { mode: 0o600 })
    const client = createClient({ transport })
    return {
      name,
      groups,
      ...(credential.token === undefined ? {} : { token: credential.token }),
      clientConfig,
      client,
      kubeconfig,
      kubeconfigPath,
    }
  }

  #newToken(name: string, groups: readonly string[]): Credential {
    const token = randomBytes(16).toString('hex')
    this.#byToken.set(token, { name, groups })
    return { token }
  }

  async close(): Promise<void> {
    this.#server = undefined
    await Promise.all(this.#transports.splice(0).map(transport => transport.close()))
  }
}

async function certificateFor(name: string, groups: readonly string[], { identity }: OpenServer): Promise<Credential> {
  if (!identity) throw new Error(`user "${name}" cannot have a certificate: start the server with tls: true`)
  const request = {
    commonName: name,
    organizations: groups,
    use: 'client',
    now: Date.now(),
    validForMs: dayMs,
  } as const
  const { certificatePem, keyPem } = await issueCertificate(request, identity.pki.authority)
  return { clientCertificatePem: certificatePem, clientKeyPem: keyPem }
}

const encoded = (pem: string): string => Buffer.from(pem).toString('base64')

function configFile(name: string, server: string, caPem: string | undefined, credential: Credential): ConfigFile {
  const { token, clientCertificatePem, clientKeyPem } = credential
  const place = 'test'
  return {
    clusters: [
      {
        name: place,
        cluster: { server, ...(caPem === undefined ? {} : { 'certificate-authority-data': encoded(caPem) }) },
      },
    ],
    users: [
      {
        name,
        user: {
          ...(token === undefined ? {} : { token }),
          ...(clientCertificatePem === undefined ? {} : { 'client-certificate-data': encoded(clientCertificatePem) }),
          ...(clientKeyPem === undefined ? {} : { 'client-key-data': encoded(clientKeyPem) }),
        },
      },
    ],
    contexts: [{ name: place, context: { cluster: place, user: name } }],
    'current-context': place,
  }
}
