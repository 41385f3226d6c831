import { networkInterfaces } from 'node:os'
import { type ApiObject, defineStartTask, services, type Vendor } from 'orch/sdk'
import { type Client, unlessLost } from 'orch/sdk/client'
import { checkNotSpecialIp, type Endpoints, type Service } from 'orch/sdk/core'
import { isValidIp } from 'orch/sdk/validation'
import type { NetworkingOptions } from '../options.js'
import { AddressRange } from '../services/addresses/address-range.js'
import { ensureSlice } from './api-service-slice.js'

/**
 * The address that this server advertises: the one it listens on or, if that is a loopback address, one of the machine.
 */
export function advertisedAddress(baseUrl: string, configured: string): { ip: string; port: number } | undefined {
  const url = new URL(baseUrl)
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  const host = configured || url.hostname.replace(/^\[|\]$/g, '')
  const candidates = [host, ...ownAddresses()]
  const ip = candidates.find(address => isValidIp(address).length === 0 && checkNotSpecialIp(address, '').length === 0)
  return ip === undefined ? undefined : { ip, port }
}

function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap(addresses => addresses ?? [])
  return all.filter(({ internal, family }) => !internal && family === 'IPv4').map(({ address }) => address)
}

const namespace = 'default'
const port = 443
/**
 * The address is known only once the server listens. An existing entry is corrected only at the second check, so that
 * the first one does not delay clients that wait for the server.
 */
const firstRecheckMs = 500
/** Deleted objects are recreated after this time. */
const recheckMs = 60_000
const needs = { client: services.client, clock: services.clock, logger: services.logger, server: services.server }

/** The Service through which programs inside the cluster find this server, and the Endpoints behind it. */
export const apiService = (vendor: Vendor, options: NetworkingOptions) =>
  defineStartTask({
    name: 'api service',
    once: true,
    needs,
    async run({ client, clock, logger, server }) {
      let cancel = () => {}
      let isStopped = false
      const check = async (isFirst: boolean): Promise<number> => {
        await ensureService(client, vendor, options)
        const address = urlOf(server)
        if (address === undefined) return firstRecheckMs
        const isCorrect = await ensureEndpoints(client, vendor, address, options.advertiseAddress, !isFirst)
        if (isCorrect) await ensureSlice(client, vendor, advertisedAddress(address, options.advertiseAddress))
        return isCorrect ? recheckMs : firstRecheckMs
      }
      const checkLater = (delayMs: number, isFirst = false) => {
        cancel = clock.after(delayMs, () => {
          check(isFirst)
            .catch(error => {
              logger.warn('the Service of this server could not be checked', { error })
              return recheckMs
            })
            .then(next => !isStopped && checkLater(next))
        })
      }
      checkLater(0, true)
      return async () => {
        isStopped = true
        cancel()
      }
    },
  })

function urlOf(server: { baseUrl(): string }): string | undefined {
  try {
    return server.baseUrl() || undefined
  } catch {
    return undefined
  }
}

async function ensureService(client: Client, vendor: Vendor, options: NetworkingOptions): Promise<void> {
  const collection = client
    .resource<ApiObject & Service>({ group: '', version: 'v1', resource: 'services' })
    .in(namespace)
  const name = vendor.profile.apiService
  if (await collection.find(name)) return
  const range = new AddressRange(options.serviceClusterIpRange.split(',')[0]?.trim() ?? '')
  const service = {
    metadata: { name, namespace, labels: { component: 'apiserver', provider: vendor.name } },
    spec: {
      type: 'ClusterIP',
      clusterIP: range.at(0n),
      ports: [{ name: 'https', port, protocol: 'TCP', targetPort: 6443 }],
    },
  }
  // Another server of the same store may have been faster.
  await unlessLost(collection.create(service), 'AlreadyExists')
}

/** Creates or corrects the Endpoints. Returns whether they are correct. */
async function ensureEndpoints(
  client: Client,
  vendor: Vendor,
  baseUrl: string,
  configured: string,
  mayCorrect: boolean,
): Promise<boolean> {
  const address = advertisedAddress(baseUrl, configured)
  if (address === undefined) return true
  const collection = client
    .resource<ApiObject & Endpoints>({ group: '', version: 'v1', resource: 'endpoints' })
    .in(namespace)
  const name = vendor.profile.apiService
  const subsets = [{ addresses: [{ ip: address.ip }], ports: [{ name: 'https', port: address.port, protocol: 'TCP' }] }]
  const found = await collection.find(name)
  if (found === undefined) {
    // The server maintains this one itself, so it need not be mirrored.
    const labels = { [vendor.qualify('skip-mirror', 'endpointslice')]: 'true' }
    await unlessLost(collection.create({ metadata: { name, namespace, labels }, subsets }), 'AlreadyExists')
  } else if (JSON.stringify(found.subsets) !== JSON.stringify(subsets)) {
    if (!mayCorrect) return false
    await collection.update({ ...found, subsets })
  }
  return true
}
