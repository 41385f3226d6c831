import type { FeatureGate } from 'orch/sdk'
import { nearestName } from '../contracts/nearest-name.js'

/** Gates of the kernel itself. */
export const kernelGates = {
  APIListChunking: { stage: 'beta', description: 'Lists are served in chunks to clients that ask for a limit.' },
} as const satisfies Readonly<Record<string, FeatureGate>>

/** Names that stand for all gates of a stage. */
const groups: Readonly<Record<string, FeatureGate['stage']>> = { AllAlpha: 'alpha', AllBeta: 'beta' }
const yes = /^(1|t|true|TRUE|True)$/
const no = /^(0|f|false|FALSE|False)$/

/** The feature gates and their state. */
export class FeatureGates {
  readonly #declared: ReadonlyMap<string, FeatureGate>
  readonly #chosen: Readonly<Record<string, string>>

  constructor(declared: readonly Readonly<Record<string, FeatureGate>>[], chosen: Readonly<Record<string, string>>) {
    this.#declared = new Map([kernelGates, ...declared].flatMap(gates => Object.entries(gates)))
    this.#chosen = chosen
  }

  /** All that can be turned on or off. */
  get names(): readonly string[] {
    return [...this.#declared.keys(), ...Object.keys(groups)]
  }

  /** A setting of the gate itself takes precedence over one of its stage. */
  isEnabled(name: string): boolean {
    const gate = this.#declared.get(name)
    if (!gate) return false
    if (gate.stage === 'stable') return true
    const group = Object.keys(groups).find(each => groups[each] === gate.stage) ?? ''
    const chosen = this.#chosen[name] ?? this.#chosen[group]
    return chosen === undefined ? gate.stage === 'beta' : yes.test(chosen)
  }

  /** The problems of the settings, one line each. */
  problems(): string[] {
    const known = this.names
    return Object.entries(this.#chosen).flatMap(([name, value]) => {
      if (!known.includes(name)) {
        const nearest = nearestName(name, known)
        return [
          `there is no gate "${name}"${nearest ? `, did you mean "${nearest}"?` : `; known are ${[...known].sort().join(', ')}`}`,
        ]
      }
      if (!yes.test(value) && !no.test(value)) return [`gate ${name} must be true or false, not "${value}"`]
      const isLocked = this.#declared.get(name)?.stage === 'stable' && no.test(value)
      return isLocked ? [`gate ${name} is stable and cannot be turned off`] : []
    })
  }
}
