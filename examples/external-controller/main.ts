#!/usr/bin/env node
import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { type Logger, Vendor, vendorProfiles } from 'orch/sdk'
import { clientFromConfig, waitingClock } from 'orch/sdk/client'
import { leaseCollection, withLeaderElection } from 'orch/sdk/controllers'
import { startWelcome } from './welcome.js'

const say = (message: string, fields: object = {}) => void console.log(JSON.stringify({ message, ...fields }))
const logger: Logger = { debug: () => {}, info: say, warn: say, error: say, child: () => logger }

const { values } = parseArgs({ options: { config: { type: 'string' }, vendor: { type: 'string', default: 'orch' } } })
const profile = vendorProfiles[values.vendor]
if (!profile) throw new Error(`there is no vendor "${values.vendor}"`)
const vendor = new Vendor(profile)
const path = values.config === undefined ? {} : { path: values.config }
const client = await clientFromConfig({ vendor, environment: process.env, userAgent: 'welcome', ...path })
const runtime = { client, clock: waitingClock, logger }

// Any number may run: one of them leads, another takes over when it ends.
const stop = withLeaderElection(
  {
    ...runtime,
    leaseRef: leaseCollection(vendor),
    namespace: vendor.profile.namespaces.system,
    leaseName: 'welcome',
    identity: `welcome-${randomUUID()}`,
  },
  async () => {
    const end = await startWelcome(runtime)
    say('leading')
    return end
  },
)
say('competing')
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop().then(() => client.close()))
