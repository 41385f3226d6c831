import { createHash, randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { type ApiObject, defineStartTask, microTimestampOf, services, type Vendor } from 'orch/sdk'
import { type Client, unlessLost } from 'orch/sdk/client'
import type { Lease } from 'orch/sdk/core'

const durationSeconds = 3600
const renewEveryMs = 10_000
/** How often expired Leases of other servers are removed. */
const cleanEveryMs = 3600_000

type StoredLease = ApiObject & Lease

/** The name of the Lease of a server on this machine: short, and the same after a restart. */
export function identityOf(host: string): string {
  const digest = createHash('sha256').update(host).digest().subarray(0, 16)
  return `apiserver-${base32(digest)}`
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'
function base32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let value = 0
  for (const byte of bytes) {
    value = (value << 8) | byte
    bits += 8
    while (bits >= 5) {
      text += alphabet[(value >>> (bits - 5)) & 31]
      bits -= 5
    }
    value &= (1 << bits) - 1
  }
  return bits > 0 ? text + alphabet[(value << (5 - bits)) & 31] : text
}

/** Renews the Lease of this server, and removes expired ones of other servers. */
export const serverIdentity = (vendor: Vendor) =>
  defineStartTask({
    name: 'server identity',
    once: true,
    needs: { client: services.client, clock: services.clock, logger: services.logger },
    run({ client, clock, logger }) {
      const leases = leasesOf(client, vendor)
      const name = identityOf(hostname())
      const holderIdentity = `${name}_${randomUUID()}`
      const label = identityLabel(vendor)
      let cancel = () => {}
      let isStopped = false
      let cleanAt = clock.now() + cleanEveryMs

      const renew = async () => {
        const renewTime = microTimestampOf(clock.now())
        const spec = { holderIdentity, leaseDurationSeconds: durationSeconds, renewTime }
        const labels = { [label.key]: label.value, [vendor.qualify('hostname')]: hostname() }
        const found = await leases.find(name)
        if (!found) return void (await leases.create({ metadata: { name, labels }, spec } as StoredLease))
        const metadata = { ...found.metadata, labels: { ...found.metadata.labels, ...labels } }
        await unlessLost(leases.update({ ...found, metadata, spec } as StoredLease))
      }
      const removeExpired = async () => {
        const { items } = await leases.list({ labelSelector: `${label.key}=${label.value}` })
        for (const lease of items) {
          if (lease.metadata.name !== name && isExpired(lease, clock.now()))
            await unlessLost(leases.delete(lease.metadata.name ?? ''))
        }
      }
      const step = async () => {
        await renew()
        if (clock.now() < cleanAt) return
        cleanAt = clock.now() + cleanEveryMs
        await removeExpired()
      }
      const schedule = (delayMs: number) => {
        cancel = clock.after(delayMs, () => {
          step()
            .catch(error => logger.warn('the Lease of this server could not be renewed', { error }))
            .then(() => !isStopped && schedule(renewEveryMs))
        })
      }
      schedule(0)
      return async () => {
        isStopped = true
        cancel()
      }
    },
  })

/** The label of the Leases of servers. */
const identityLabel = (vendor: Vendor) => ({
  key: vendor.qualify('identity', 'apiserver'),
  value: `${vendor.profile.objectPrefix}-apiserver`,
})

const leasesOf = (client: Client, vendor: Vendor) =>
  client
    .resource<StoredLease>({ group: vendor.group('coordination'), version: 'v1', resource: 'leases' })
    .in(vendor.profile.namespaces.system)

function isExpired({ spec }: StoredLease, now: number): boolean {
  const renewed = Date.parse(spec?.renewTime ?? '')
  return Number.isNaN(renewed) || renewed + (spec?.leaseDurationSeconds ?? 0) * 1000 < now
}
