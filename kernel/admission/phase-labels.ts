import type { Operation } from 'orch/sdk'

export type Phase = 'mutate' | 'validate'
export type Labels = Readonly<Record<string, string>>

/** What is counted of a phase that lets a request through, and of one that does not. */
export interface PhaseLabels {
  readonly passed: Labels
  readonly refused: Labels
}

const made = new Map<string, PhaseLabels>()

/** The labels of a phase: made once and frozen, so that the instruments find them by identity. */
export function labelsOfPhase(phase: Phase, operation: Operation): PhaseLabels {
  const id = `${phase} ${operation}`
  let found = made.get(id)
  if (!found) {
    const labels = { type: phase === 'mutate' ? 'admit' : 'validate', operation: operation.toUpperCase() }
    found = {
      passed: Object.freeze({ ...labels, rejected: 'false' }),
      refused: Object.freeze({ ...labels, rejected: 'true' }),
    }
    made.set(id, found)
  }
  return found
}
