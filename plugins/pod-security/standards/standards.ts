import type { PodSecurityNames } from '../names.js'
import { allChecks } from './all-checks.js'
import type { CheckVersion, PodLike, Violation } from './check.js'
import { describe, type LevelVersion, type Version } from './level.js'

/** The last version that changed anything. */
const newest = Math.max(...allChecks.flatMap(({ versions }) => versions.map(({ since }) => since)))

/** The published standards: which rules each has at which version. */
export class Standards {
  readonly #names: PodSecurityNames
  readonly #rules = new Map<string, readonly CheckVersion[]>()

  constructor(names: PodSecurityNames) {
    this.#names = names
  }

  /** Everything a Pod does that the standard forbids. */
  violations(standard: LevelVersion, pod: PodLike): Violation[] {
    return this.#rulesOf(standard).flatMap(rule => rule.find(pod, this.#names) ?? [])
  }

  #rulesOf({ level, version }: LevelVersion): readonly CheckVersion[] {
    // Whatever clients write, there are only so many versions.
    const known = { level, version: Math.min(version, newest) }
    const id = describe(known)
    let rules = this.#rules.get(id)
    if (!rules) this.#rules.set(id, (rules = rulesOf(known)))
    return rules
  }
}

function rulesOf({ level, version }: LevelVersion): CheckVersion[] {
  if (level === 'privileged') return []
  const valid = allChecks
    .filter(check => level === 'restricted' || check.level === 'baseline')
    .flatMap(check => {
      const rule = newestOf(check.versions, version)
      return rule ? [{ check, rule }] : []
    })
  const overridden = new Set(valid.flatMap(({ check }) => check.overrides ?? []))
  return valid.filter(({ check }) => !overridden.has(check.id)).map(({ rule }) => rule)
}

const newestOf = (versions: readonly CheckVersion[], version: Version): CheckVersion | undefined =>
  versions.filter(({ since }) => since <= version).at(-1)

/** Violations in a sentence: `host namespaces (hostNetwork=true), privileged (…)`. */
export const detailsOf = (violations: readonly Violation[]): string =>
  violations.map(({ reason, detail }) => `${reason} (${detail})`).join(', ')
/** The same for every Pod that does the same. */
export const reasonsOf = (violations: readonly Violation[]): string => violations.map(({ reason }) => reason).join(', ')
