import type { ApiObject, Condition } from 'orch/sdk'
import { timestampOf } from 'orch/sdk'
import { defineControlLoop } from 'orch/sdk/controllers'
import { isInCidr } from 'orch/sdk/validation'
import type { IPAddress } from '../ip-addresses/schema.js'
import type { NetworkingNames } from '../names.js'
import type { ServiceCIDR } from './schema.js'
import { familyOf } from './validation.js'

const name = 'service-cidr-controller'
/** Other servers may still allocate addresses from a range that is being deleted for this long. */
const graceMs = 10_000

type StoredCidr = ApiObject & ServiceCIDR
const rangesOf = ({ spec }: ServiceCIDR) => spec?.cidrs ?? []
const contains = (outer: string, inner: string) =>
  familyOf(outer) === familyOf(inner) &&
  Number(outer.split('/')[1]) <= Number(inner.split('/')[1]) &&
  isInCidr(inner.split('/')[0] ?? '', outer)

/** Whether an address would have no range without this one. */
export function isNeeded(cidr: StoredCidr, all: readonly StoredCidr[], addresses: readonly string[]): boolean {
  const others = all.filter(({ metadata }) => metadata.name !== cidr.metadata.name).flatMap(rangesOf)
  if (rangesOf(cidr).every(range => others.some(other => contains(other, range)))) return false
  return addresses.some(
    address =>
      rangesOf(cidr).some(range => isInCidr(address, range)) && !others.some(range => isInCidr(address, range)),
  )
}

const ready = { type: 'Ready', status: 'True', reason: '', message: 'Service CIDR is ready' }
const terminating = {
  type: 'Ready',
  status: 'False',
  reason: 'Terminating',
  message: 'There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR',
}

/** Marks ranges as ready, and keeps those that are being deleted until no address needs them. */
export const serviceCidrLoop = (names: NetworkingNames) => {
  const { group, serviceCidrs, ipAddresses, cidrFinalizer, managedByLabel, ipAllocator } = names
  return defineControlLoop({
    name,
    since: '1.33',
    account: 'service-cidrs-controller',
    rules: [
      { verbs: ['get', 'list', 'patch', 'update', 'watch'], apiGroups: [group], resources: ['servicecidrs'] },
      { verbs: ['patch', 'update'], apiGroups: [group], resources: ['servicecidrs/finalizers'] },
      { verbs: ['patch', 'update'], apiGroups: [group], resources: ['servicecidrs/status'] },
      { verbs: ['get', 'list', 'watch'], apiGroups: [group], resources: ['ipaddresses'] },
      names.recordEvents,
    ],
    sources: [
      // The ranges depend on each other, so all of them share one key.
      { resource: serviceCidrs, keys: () => [allRangesKey] },
      { resource: ipAddresses, keys: () => [allRangesKey] },
    ],
    async reconcile(_, caches, { client, clock }) {
      const all = caches.of<StoredCidr>(serviceCidrs).list()
      const collection = client.resource<StoredCidr>(serviceCidrs)
      const addresses = caches
        .of<ApiObject & IPAddress>(ipAddresses)
        .list()
        .filter(({ metadata }) => metadata.labels?.[managedByLabel] === ipAllocator)
        .map(({ metadata }) => metadata.name ?? '')
      let again: number | undefined
      for (const cidr of all) {
        const { deletionTimestamp, finalizers = [] } = cidr.metadata
        const cidrName = cidr.metadata.name ?? ''
        const isKept = finalizers.includes(cidrFinalizer)
        const write = (finalizers: string[]) =>
          collection.patch(cidrName, { metadata: { finalizers, resourceVersion: cidr.metadata.resourceVersion } })
        if (!deletionTimestamp) {
          if (!isKept) await write([...finalizers, cidrFinalizer])
          await setCondition(cidr, ready)
        } else if (isNeeded(cidr, all, addresses)) await setCondition(cidr, terminating)
        else if (isKept) {
          const left = graceMs - (clock.now() - Date.parse(deletionTimestamp))
          if (left <= 0) await write(finalizers.filter(each => each !== cidrFinalizer))
          else again = Math.min(again ?? left, left)
        }
      }
      return again === undefined ? undefined : { requeueAfterMs: again }

      async function setCondition(cidr: StoredCidr, wanted: typeof ready): Promise<void> {
        const { conditions = [] } = cidr.status ?? {}
        const found = conditions.find(({ type }) => type === wanted.type)
        // The message may differ: the server writes its own for the default ranges.
        if (found?.status === wanted.status && found.reason === wanted.reason) return
        const lastTransitionTime = timestampOf(clock.now())
        const condition: Condition = { ...wanted, lastTransitionTime }
        const others = conditions.filter(({ type }) => type !== wanted.type)
        await collection.patch(
          cidr.metadata.name ?? '',
          { status: { conditions: [...others, condition] } },
          { subresource: 'status' },
        )
      }
    },
  })
}
const allRangesKey = 'all'
