#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { Vendor, vendorProfiles } from 'orch/sdk'
import {
  connectionFromConfig,
  createClient,
  httpTransport,
  loadClientConfig,
  startWebhookServer,
} from 'orch/sdk/client'
import { defaultWidget, validateWidget } from './handlers.js'
import { registerWebhooks } from './register.js'
import { servingCertificate } from './serving-certificate.js'

/** Gets a certificate, serves the webhooks, and registers them. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      config: { type: 'string' },
      vendor: { type: 'string', default: 'orch' },
      port: { type: 'string', default: '0' },
    },
  })
  const profile = vendorProfiles[values.vendor]
  if (!profile) throw new Error(`there is no vendor "${values.vendor}"`)
  const vendor = new Vendor(profile)
  const source = { vendor, environment: process.env, ...(values.config ? { path: values.config } : {}) }
  const { transport } = await connectionFromConfig(await loadClientConfig(source), source)
  // Serving certificates are signed by the server's own CA, which the client config already trusts.
  const { caPem } = transport
  if (caPem === undefined) throw new Error('the client config names no certificate-authority')
  const client = createClient({ transport: httpTransport(transport) })
  const names = [
    { type: 'ip', value: '127.0.0.1' },
    { type: 'dns', value: 'localhost' },
  ] as const
  const server = await startWebhookServer({
    ...(await servingCertificate(client, vendor, names)),
    port: Number(values.port),
    handlers: { '/default-widget': defaultWidget, '/validate-widget': validateWidget },
    onError: (error, path) => process.stderr.write(`${path}: ${String(error)}\n`),
  })
  await registerWebhooks(client, vendor, server.url, caPem)
  process.stdout.write(`webhooks for widgets at ${server.url}\n`)
  const end = () => void server.close().then(() => client.close())
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
}

main().catch(error => {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
})
