import type { Toleration } from 'orch/sdk/core'

/** Both lists as one, without those that another one covers. Of two equal ones the first stays. */
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
    // A copy: what the cache or the configuration holds must not become part of a Pod.
    return [{ ...toleration }]
  })
}

const forAll = 'Exists'
const evicts = 'NoExecute'

/** Tolerations by what they tolerate, so that those that cover another one are found without looking at all of them. */
export class TolerationSet {
  readonly #texts = new Set<string>()
  /** For how long what is tolerated is tolerated at most; without a number it is for ever. */
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

  /** Does every taint that this one tolerates have it from one of the set, for at least as long? */
  covers(toleration: Toleration): boolean {
    if (this.#texts.has(textOf(toleration))) return true
    const { key = '', operator, value = '', effect = '', tolerationSeconds } = toleration
    // One that does not name its operator is covered only by its equal, or by one for all values.
    const values = operator === 'Equal' ? [forAll, `=${value}`] : [forAll]
    const effects = effect === '' ? [''] : ['', effect]
    return [undefined, key].some(ofKey =>
      values.some(what =>
        effects.some(ofEffect => {
          const seconds = this.#seconds.get(formOf(ofKey, what, ofEffect))
          if (seconds === undefined) return false
          // How long it is tolerated matters for eviction only.
          return effect !== evicts || (tolerationSeconds ?? Number.POSITIVE_INFINITY) <= seconds
        }),
      ),
    )
  }
}

/** What one toleration is about; no key stands for every key. With lengths, so that no two are taken for each other. */
const formOf = (key: string | undefined, what: string, effect: string) =>
  `${key?.length ?? 'any'} ${effect.length} ${key ?? ''}${effect}${what}`

const textOf = ({ key = '', operator = '', value = '', effect = '', tolerationSeconds }: Toleration) =>
  JSON.stringify([key, operator, value, effect, tolerationSeconds ?? null])
