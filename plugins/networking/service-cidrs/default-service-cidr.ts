import { ApiError, type ApiObject, type Condition, defineStartTask, services, timestampOf, type Vendor } from 'orch/sdk'
import { type Client, unlessLost } from 'orch/sdk/client'
import type { NetworkingNames } from '../names.js'
import type { NetworkingOptions } from '../options.js'
import type { ServiceCIDR } from './schema.js'

type StoredCidr = ApiObject & ServiceCIDR
/** A deleted object is recreated after this time. */
const recheckMs = 60_000

export const rangesOf = ({ serviceClusterIpRange }: NetworkingOptions): string[] =>
  serviceClusterIpRange.split(',').map(range => range.trim())

/** The configured ranges of the server, as an object beside those of users. */
export const defaultServiceCidr = (vendor: Vendor, names: NetworkingNames, options: NetworkingOptions) =>
  defineStartTask({
    name: 'default service CIDR',
    since: '1.33',
    once: true,
    needs: { client: services.client, clock: services.clock, logger: services.logger },
    async run({ client, clock, logger }) {
      let cancel = () => {}
      let isStopped = false
      const check = async () => {
        try {
          await ensureCidr(client, vendor, names, rangesOf(options), clock.now())
        } catch (error) {
          if (!isStopped) logger.warn('the ServiceCIDR of this server could not be checked', { error })
        }
        if (!isStopped) cancel = clock.after(recheckMs, () => void check())
      }
      await check()
      return async () => {
        isStopped = true
        cancel()
      }
    },
  })

async function ensureCidr(
  client: Client,
  { profile }: Vendor,
  { serviceCidrs }: NetworkingNames,
  cidrs: readonly string[],
  now: number,
): Promise<void> {
  const collection = client.resource<StoredCidr>(serviceCidrs)
  const name = profile.apiService
  let found = await collection.find(name)
  if (!found) {
    await unlessLost(collection.create({ metadata: { name }, spec: { cidrs: [...cidrs] } }), 'AlreadyExists')
    found = await collection.find(name)
  }
  const [first, second, ...others] = found?.spec?.cidrs ?? []
  // A second family may have been configured since.
  if (found && second === undefined && cidrs.length === 2 && first === cidrs[0])
    found = await collection.update({ ...found, spec: { cidrs: [...cidrs] } })
  const isOurs = [first, second, ...others].filter(Boolean).join() === cidrs.join()
  const conditions = found?.status?.conditions ?? []
  if (!found || found.metadata.deletionTimestamp || !isOurs || conditions.some(({ type }) => type === 'Ready')) return
  const ready: Condition = {
    type: 'Ready',
    status: 'True',
    reason: '',
    message: 'The default Service CIDR is ready',
    lastTransitionTime: timestampOf(now),
  }
  const status = { conditions: [...conditions, ready] }
  try {
    await collection.patch(name, { status }, { subresource: 'status' })
  } catch (error) {
    if (!(error instanceof ApiError && error.reason === 'NotFound')) throw error
  }
}
