import { hostname } from 'node:os'
import type { Metrics, ServerFacts } from 'orch/sdk'
import type { ClosableTransport } from 'orch/sdk/client'
import { Registry as MetricsRegistry } from 'prom-client'
import type { BootedPlugins } from '../boot/boot-plugins.js'
import { isLoopback } from '../boot/check-kernel-options.js'
import { BootError, problem } from '../contracts/boot-errors.js'
import { Health } from '../observe/health.js'
import { PluginMetrics } from '../observe/plugin-metrics.js'
import { addProcessMetrics } from '../observe/process-metrics.js'
import { kernelName } from '../options/kernel-options.js'
import { type Identity, issueCertificate } from '../pki/issue-certificate.js'
import { readIfThere } from '../pki/private-files.js'
import { delegatedAccess } from './delegated-access.js'
import { serveStatus } from './status-server.js'

const yearMs = 365 * 24 * 3_600_000

export interface StatusRequest {
  readonly booted: BootedPlugins
  readonly facts: ServerFacts
  readonly now: number
  /** Fails if the server cannot be reached. */
  askServer(): Promise<unknown>
  /** Connects to the server with the credentials of a client, to check what it may read. */
  as(token: string): ClosableTransport
}
export interface Status {
  readonly metrics: Metrics
  /** Undefined unless a port was requested. */
  readonly url: string | undefined
  close(): Promise<void>
}

/**
 * Metrics, and a port for them and for health if a flag requests one. The keys `securePort`, `bindAddress` and `tls*` of the config
 * are those of the server, which may run on the same machine; here only flags count.
 */
export async function openStatus({ booted, facts, now, askServer, as }: StatusRequest): Promise<Status> {
  const registry = new MetricsRegistry()
  addProcessMetrics(registry)
  const metrics = new PluginMetrics(registry)
  const { flags } = booted
  if (!flags.has('securePort')) return { metrics, url: undefined, close: async () => {} }
  const bindAddress = String(flags.get('bindAddress') ?? '127.0.0.1')
  const isTls = flags.get('tls') !== false
  if (!isTls && !isLoopback(bindAddress)) {
    const why = `false is allowed on a loopback address only, not on ${bindAddress}`
    throw new BootError([problem('ORCH_OPTION_INVALID', { plugin: kernelName, path: 'tls', why })])
  }
  const health = new Health()
  health.add({ name: 'ping', endpoints: ['healthz', 'livez', 'readyz'], check: () => {} })
  health.add({ name: 'server', endpoints: ['readyz'], check: async () => void (await askServer()) })
  const tls = isTls ? await certificate(booted, facts, bindAddress, now) : undefined
  const server = await serveStatus({
    bindAddress,
    port: Number(flags.get('securePort')),
    tls,
    health,
    metrics: registry,
    // Clients on this machine may read them; others need a token that the server accepts.
    mayRead: isLoopback(bindAddress) ? undefined : delegatedAccess(as),
  })
  return { metrics, ...server }
}

/** The certificate that flags name, or one that is generated for this run, signed by the CA of the server if its key is available. */
async function certificate(
  { flags, vendor }: BootedPlugins,
  { caCertificatePem, caKeyPem }: ServerFacts,
  bindAddress: string,
  now: number,
): Promise<Identity> {
  const [certFile, keyFile] = [flags.get('tlsCertFile'), flags.get('tlsPrivateKeyFile')].map(path =>
    path === undefined ? undefined : readIfThere(String(path)),
  )
  if (certFile !== undefined && keyFile !== undefined) return { certificatePem: certFile, keyPem: keyFile }
  const commonName = `${vendor.profile.objectPrefix}-controller-manager`
  const hosts = [...new Set(['localhost', '127.0.0.1', '::1', hostname(), bindAddress])]
  const issuer =
    caCertificatePem !== undefined && caKeyPem !== undefined
      ? { certificatePem: caCertificatePem, keyPem: caKeyPem }
      : undefined
  return issueCertificate({ commonName, use: 'server', hosts, now, validForMs: yearMs }, issuer)
}
