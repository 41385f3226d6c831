import { isTolerated } from 'orch/sdk/core'
import {
  type AllocatedDevice,
  alternativesOf,
  type ConstraintLike,
  type DeviceClaimLike,
  type DeviceLike,
  deviceKey,
  type RequestLike,
  type WantedDevices,
} from './objects.js'
import { attributeValue } from './selectors.js'

/** A device that could be used on a node. */
export interface Offer {
  readonly driver: string
  readonly pool: string
  readonly device: DeviceLike
}
export interface Market {
  readonly offers: readonly Offer[]
  isTaken(key: string): boolean
  /** Whether the class and the request select this device. */
  isChosen(offer: Offer, wanted: WantedDevices): boolean
}

/** Devices tried for the claims of one Pod on one node: constraints can make the search exponential. */
const maxTrials = 10_000

interface Pick {
  readonly request: RequestLike
  readonly label: string
  readonly offer: Offer
  readonly wanted: WantedDevices
}

/** Allocates devices for all claims, in the order in which they are offered; undefined if there are not enough. */
export function allocate(claims: readonly DeviceClaimLike[], market: Market): AllocatedDevice[][] | undefined {
  return new Search(claims, market).run()
}

class Search {
  readonly #claims: readonly DeviceClaimLike[]
  readonly #market: Market
  readonly #picks: Pick[][]
  readonly #used = new Set<string>()
  #trials = 0

  constructor(claims: readonly DeviceClaimLike[], market: Market) {
    this.#claims = claims
    this.#market = market
    this.#picks = claims.map(() => [])
  }
  run(): AllocatedDevice[][] | undefined {
    return this.#fulfil(0, 0) ? this.#picks.map(picks => picks.map(resultOf)) : undefined
  }

  /** Satisfies the requests from this one on. */
  #fulfil(claim: number, request: number): boolean {
    const wantedClaim = this.#claims[claim]
    if (!wantedClaim) return true
    const next = wantedClaim.spec.devices?.requests?.[request]
    if (!next) return this.#fulfil(claim + 1, 0)
    return alternativesOf(next).some(([label, wanted]) => {
      const offers = this.#market.offers.filter(
        offer => isUsable(offer, wanted) && this.#market.isChosen(offer, wanted),
      )
      const isAll = wanted.allocationMode === 'All'
      const count = isAll ? offers.length : (wanted.count ?? 1)
      if (count === 0 || count > offers.length) return false
      return this.#take({ claim, request, label, wanted, offers, isAll }, count, 0)
    })
  }

  #take(
    search: {
      readonly claim: number
      readonly request: number
      readonly label: string
      readonly wanted: WantedDevices
      readonly offers: readonly Offer[]
      readonly isAll: boolean
    },
    count: number,
    from: number,
  ): boolean {
    const { claim, request, label, wanted, offers, isAll } = search
    if (count === 0) return this.#fulfil(claim, request + 1)
    const picks = this.#picks[claim] ?? []
    const { constraints = [], requests = [] } = this.#claims[claim]?.spec.devices ?? {}
    const own = requests[request]
    for (let i = from; own && i <= offers.length - count; i++) {
      const offer = offers[i]
      if (!offer || ++this.#trials > maxTrials) return false
      const key = keyOf(offer)
      const isFree = wanted.adminAccess || !(this.#used.has(key) || this.#market.isTaken(key))
      const pick: Pick = { request: own, label, offer, wanted }
      if (isFree && constraints.every(constraint => isMet(constraint, [...picks, pick]))) {
        picks.push(pick)
        if (!wanted.adminAccess) this.#used.add(key)
        if (this.#take(search, count - 1, i + 1)) return true
        picks.pop()
        if (!wanted.adminAccess) this.#used.delete(key)
      }
      // `All` needs every device; if one is unavailable, the request fails.
      if (isAll) return false
    }
    return false
  }
}

const keyOf = ({ driver, pool, device }: Offer): string => deviceKey(driver, pool, device.name)

/** Devices that share counters or capacities are left to real schedulers. */
function isUsable({ device }: Offer, { tolerations = [] }: WantedDevices): boolean {
  if (device.allowMultipleAllocations || (device.consumesCounters ?? []).length > 0) return false
  return (device.taints ?? []).every(
    taint => (taint.effect !== 'NoSchedule' && taint.effect !== 'NoExecute') || isTolerated(taint, tolerations),
  )
}

/** Whether the devices chosen so far satisfy the constraint. */
function isMet({ requests = [], matchAttribute, distinctAttribute }: ConstraintLike, picks: readonly Pick[]): boolean {
  const values = picks
    .filter(
      ({ request, label }) => requests.length === 0 || requests.includes(request.name) || requests.includes(label),
    )
    .map(({ offer }) => attributeOf(offer, matchAttribute ?? distinctAttribute ?? ''))
  if (values.includes(undefined)) return false
  const different = new Set(values).size
  return matchAttribute !== undefined ? different <= 1 : different === values.length
}

/** Attributes without a domain belong to the driver's domain. */
function attributeOf({ driver, device: { attributes = {} } }: Offer, name: string) {
  const short = name.startsWith(`${driver}/`) ? name.slice(driver.length + 1) : name
  const found = attributes[name] ?? attributes[short]
  return found && attributeValue(found)
}

const resultOf = ({ label, offer, wanted }: Pick): AllocatedDevice => ({
  request: label,
  driver: offer.driver,
  pool: offer.pool,
  device: offer.device.name,
  ...(wanted.adminAccess ? { adminAccess: true } : {}),
  ...(wanted.tolerations?.length ? { tolerations: wanted.tolerations } : {}),
})
