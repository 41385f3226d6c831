#!/usr/bin/env node
import { mkdir } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { type Logger, Vendor, vendorProfiles } from 'orch/sdk'
import { clientFromConfig, waitingClock } from 'orch/sdk/client'
import { startProvisioner } from './provisioner.js'

/** The provisioner as a separate program. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      config: { type: 'string' },
      root: { type: 'string' },
      vendor: { type: 'string', default: 'orch' },
      provisioner: { type: 'string', default: 'example.com/host-path' },
    },
  })
  const profile = vendorProfiles[values.vendor]
  if (!profile || !values.root) throw new Error('--root <folder> is required, and --vendor must be orch or kubernetes')
  const vendor = new Vendor(profile)
  const client = await clientFromConfig({
    vendor,
    environment: process.env,
    ...(values.config ? { path: values.config } : {}),
  })
  await mkdir(values.root, { recursive: true })
  const { provisioner, root } = values
  const stop = await startProvisioner({ client, clock: waitingClock, logger: logger(), vendor, provisioner, root })
  process.stdout.write(`provisioning for ${provisioner} in ${root}\n`)
  const end = () => void stop().then(() => client.close())
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
}

function logger(context: Record<string, unknown> = {}): Logger {
  const say =
    (level: string) =>
    (message: string, fields: Record<string, unknown> = {}) =>
      void process.stderr.write(`${JSON.stringify({ level, message, ...context, ...fields })}\n`)
  return {
    debug: () => {},
    info: say('info'),
    warn: say('warn'),
    error: say('error'),
    child: fields => logger({ ...context, ...fields }),
  }
}

main().catch(error => {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
})
