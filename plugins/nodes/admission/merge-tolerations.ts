import type { Toleration } from 'orch/sdk/core'

/** Merges two lists, without tolerations that another one covers. Of two equal ones the first is kept. */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): Toleration[] {
  const all = [...new Map([...first, ...second].map(one => [textOf(one), one])).values()]
  const later = new TolerationSet()
  const isCoveredLater = new Set<Toleration>()
  for (const toleration of [...all].reverse()) {
    if (later.covers(toleration)) isCoveredLater.add(toleration)
    later.add(toleration)
  }
  const merged = new TolerationSet()
  return all.flatMap(toleration => {
    if (isCoveredLater.has(toleration) || merged.covers(toleration)) return []
    merged.add(toleration)
    // A copy, because the original belongs to a cache or to the configuration.
    return [{ ...toleration }]
  })
}

const forAll = 'Exists'
const noExecute = 'NoExecute'

/** Tolerations indexed by what they tolerate, so that coverage is decided without a scan. */
export class TolerationSet {
  readonly #texts = new Set<string>()
  /** The longest time of toleration; infinite without a limit. */
  readonly #seconds = new Map<string, number>()

  add(toleration: Toleration): void {
    const {
      key = '',
      operator = '',
      value = '',
      effect = '',
      tolerationSeconds = Number.POSITIVE_INFINITY,
    } = toleration
    this.#texts.add(textOf(toleration))
    const what = operator === forAll ? forAll : operator === '' || operator === 'Equal' ? `=${value}` : undefined
    if (what === undefined) return
    const form = formOf(key === '' && operator === forAll ? undefined : key, what, effect)
    this.#seconds.set(form, Math.max(this.#seconds.get(form) ?? Number.NEGATIVE_INFINITY, tolerationSeconds))
  }

  /** Whether one of the set tolerates every taint that this one does, for at least as long. */
  covers(toleration: Toleration): boolean {
    if (this.#texts.has(textOf(toleration))) return true
    const { key = '', operator, value = '', effect = '', tolerationSeconds } = toleration
    // A toleration without an operator is covered only by an equal one, or by one for all values.
    const values = operator === 'Equal' ? [forAll, `=${value}`] : [forAll]
    const effects = effect === '' ? [''] : ['', effect]
    return [undefined, key].some(ofKey =>
      values.some(what =>
        effects.some(ofEffect => {
          const seconds = this.#seconds.get(formOf(ofKey, what, ofEffect))
          if (seconds === undefined) return false
          // The time limit matters for eviction only.
          return effect !== noExecute || (tolerationSeconds ?? Number.POSITIVE_INFINITY) <= seconds
        }),
      ),
    )
  }
}

/** The index key of a toleration; no key stands for every key. It includes lengths to be unambiguous. */
const formOf = (key: string | undefined, what: string, effect: string) =>
  `${key?.length ?? 'any'} ${effect.length} ${key ?? ''}${effect}${what}`

const textOf = ({ key = '', operator = '', value = '', effect = '', tolerationSeconds }: Toleration) =>
  JSON.stringify([key, operator, value, effect, tolerationSeconds ?? null])
