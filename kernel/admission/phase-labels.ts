import type { Operation } from 'orch/sdk'

export type Phase = 'mutate' | 'validate'
export type Labels = Readonly<Record<string, string>>

/** What is counted of a phase that lets a request through, and of one that does not. */
export interface PhaseLabels {
  readonly passed: Labels
  readonly refused: Labels
}

/** Made once and frozen, so that the instruments find them by identity. */
const labels = (type: string, operation: Operation): PhaseLabels => {
  const shared = { type, operation: operation.toUpperCase() }
  return {
    passed: Object.freeze({ ...shared, rejected: 'false' }),
    refused: Object.freeze({ ...shared, rejected: 'true' }),
  }
}
const ofOperations = (type: string): Readonly<Record<Operation, PhaseLabels>> => ({
  create: labels(type, 'create'),
  update: labels(type, 'update'),
  delete: labels(type, 'delete'),
  connect: labels(type, 'connect'),
})
const phases = { mutate: ofOperations('admit'), validate: ofOperations('validate') }

export const labelsOfPhase = (phase: Phase, operation: Operation): PhaseLabels => phases[phase][operation]
