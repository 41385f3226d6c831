/** A minor version of the API, such as `1.30`. */
export type VersionName = `${number}.${number}`

/** The versions that something exists in: from `since` to `until`, inclusive. Without them: all. */
export interface Lifespan {
  readonly since?: VersionName
  readonly until?: VersionName
}

/**
 * A behaviour that changed between versions. It is declared once, where it is implemented, and queried with `level.has(difference)`;
 * docs/versions.md lists all of them.
 */
export interface Difference extends Lifespan {
  /** Unique, in kebab-case: `job-tracks-pods-with-finalizers`. */
  readonly name: string
  /** What servers with the difference do, in a sentence. */
  readonly description: string
  /** The evidence for the version of the change: recordings, a server that was probed, the history of a gate, or the source. */
  readonly knownFrom: 'recorded' | 'probed' | 'gate' | 'source'
  /**
   * Whether it adds something without removing anything; then a server that follows the specification has it as well.
   */
  readonly additive?: boolean
}

/** Declares a difference. */
export const defineDifference = (difference: Difference): Difference => {
  orderOf(difference.since)
  orderOf(difference.until)
  return difference
}

/** Major and minor as one number that can be compared; undefined stays undefined. Throws for anything else. */
function orderOf(version: VersionName): number
function orderOf(version: VersionName | undefined): number | undefined
function orderOf(version: VersionName | undefined): number | undefined {
  if (version === undefined) return undefined
  const known = orders.get(version)
  if (known !== undefined) return known
  const [, major, minor] = /^(\d+)\.(\d+)$/.exec(version) ?? []
  if (minor === undefined) throw new Error(`"${version}" is not a version such as 1.30`)
  const order = Number(major) * minorsOfMajor + Number(minor)
  orders.set(version, order)
  return order
}
const minorsOfMajor = 1000
const orders = new Map<string, number>()

/**
 * The API version that a server speaks. A server that follows the specification (`isAdditive`) has everything that was
 * ever added and nothing that was removed.
 */
export class ServedLevel {
  readonly version: VersionName
  readonly isAdditive: boolean
  // Nothing is private: a plugin may have been compiled against another copy of the sdk, whose levels must be
  // compatible.
  /** Major and minor as one number. */
  readonly order: number
  /** Results of earlier calls. */
  readonly answers = new Map<Difference, boolean>()

  constructor(version: VersionName, { isAdditive = false }: { readonly isAdditive?: boolean } = {}) {
    this.version = version
    this.isAdditive = isAdditive
    this.order = orderOf(version)
  }

  /** Whether this version includes this lifespan. */
  includes({ since, until }: Lifespan): boolean {
    if (this.isAdditive) return true
    return (
      (since === undefined || orderOf(since) <= this.order) && (until === undefined || this.order <= orderOf(until))
    )
  }

  /** Whether this server has the difference. Looked up in a table, since every request may call it. */
  has(difference: Difference): boolean {
    let answer = this.answers.get(difference)
    if (answer === undefined) {
      answer = this.isAdditive ? isInSpecification(difference) : this.includes(difference)
      this.answers.set(difference, answer)
    }
    return answer
  }
  /** Whether this level is at or after a version. */
  isSince(version: VersionName): boolean {
    return this.isAdditive || orderOf(version) <= this.order
  }

  /**
   * Whether this level has reached a version. A server of the specification counts as the version that it is based on.
   */
  hasReached(version: VersionName): boolean {
    return orderOf(version) <= this.order
  }

  /** The newest of the versions in which any of these lifespans begins or has just ended, as far as this level has seen it. */
  lastChange(lifespans: Iterable<Lifespan>): VersionName | undefined {
    if (this.isAdditive) return undefined
    let last: number | undefined
    for (const { since, until } of lifespans) {
      const changes = [orderOf(since), until === undefined ? undefined : orderOf(until) + 1]
      for (const change of changes) {
        if (change !== undefined && change <= this.order && change > (last ?? 0)) last = change
      }
    }
    return last === undefined ? undefined : `${Math.floor(last / minorsOfMajor)}.${last % minorsOfMajor}`
  }
}

/** The specification is the oldest version plus everything added since. */
const isInSpecification = ({ since, additive = false }: Difference): boolean => since === undefined || additive
