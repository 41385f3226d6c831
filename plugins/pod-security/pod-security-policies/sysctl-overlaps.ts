const everything = '*'

/** More than a response lists. Every pattern may overlap with every other, and a body may hold very many. */
const maxOverlaps = 1000

/** The positions of two patterns in their lists, one of which covers the other. */
export interface Overlap {
  readonly allowed: number
  readonly forbidden: number
  readonly isForbiddenWider: boolean
}

/**
 * The patterns that are both allowed and forbidden, in the order of both lists. Lists may be long, so patterns are looked up
 * in an index rather than compared pairwise.
 */
export function findOverlaps(allowed: readonly string[], forbidden: readonly string[]): Overlap[] {
  const patterns = new PatternIndex(forbidden)
  const overlaps: Overlap[] = []
  for (const [i, pattern] of allowed.entries()) {
    const wider = new Set(patterns.covering(pattern))
    const places = new Set([...wider, ...patterns.coveredBy(pattern)])
    for (const j of [...places].sort((left, right) => left - right))
      overlaps.push({ allowed: i, forbidden: j, isForbiddenWider: wider.has(j) })
    if (overlaps.length >= maxOverlaps) break
  }
  return overlaps.slice(0, maxOverlaps)
}

/** Finds the positions of names, and of prefixes before a star. */
class PatternIndex {
  readonly #names = new Map<string, number[]>()
  readonly #stems = new Map<string, number[]>()
  readonly #stemLengths: readonly number[]
  readonly #sorted: readonly (readonly [pattern: string, place: number])[]

  constructor(patterns: readonly string[]) {
    for (const [place, pattern] of patterns.entries()) {
      const stem = stemOf(pattern)
      const [places, text] = stem === undefined ? [this.#names, pattern] : [this.#stems, stem]
      const known = places.get(text)
      if (known) known.push(place)
      else places.set(text, [place])
    }
    this.#stemLengths = [...new Set([...this.#stems.keys()].map(stem => stem.length))].sort((a, b) => a - b)
    this.#sorted = patterns.map((pattern, place) => [pattern, place] as const).sort(([a], [b]) => (a < b ? -1 : 1))
  }

  /** The patterns that cover this one. */
  *covering(pattern: string): Iterable<number> {
    yield* this.#names.get(pattern) ?? []
    for (const length of this.#stemLengths) {
      if (length > pattern.length) return
      yield* this.#stems.get(pattern.slice(0, length)) ?? []
    }
  }

  /** The patterns that this one covers, if it ends with a star. */
  *coveredBy(pattern: string): Iterable<number> {
    const stem = stemOf(pattern)
    if (stem === undefined) return
    for (let i = this.#firstFrom(stem); i < this.#sorted.length; i++) {
      const [text, place] = this.#sorted[i] as readonly [string, number]
      if (!text.startsWith(stem)) return
      yield place
    }
  }

  #firstFrom(stem: string): number {
    let [low, high] = [0, this.#sorted.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#sorted[middle]?.[0] ?? '') < stem) low = middle + 1
      else high = middle
    }
    return low
  }
}

const stemOf = (pattern: string) => (pattern.endsWith(everything) ? pattern.slice(0, -1) : undefined)
