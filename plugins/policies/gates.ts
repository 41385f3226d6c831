import type { FeatureGate } from 'orch/sdk'

/** While a gate is off, policies of its kind can be stored where their versions are served, and have no effect. */
export const policyGates = {
  ValidatingAdmissionPolicy: {
    stage: 'stable',
    description: 'Requests are validated by policies.',
    history: [
      { since: '1.26', stage: 'alpha', isOn: false },
      { since: '1.28', stage: 'beta', isOn: false },
      { since: '1.30', stage: 'stable', isOn: true, isLocked: true },
    ],
  },
  MutatingAdmissionPolicy: {
    stage: 'stable',
    description: 'Requests are changed by policies.',
    history: [
      { since: '1.32', stage: 'alpha', isOn: false },
      { since: '1.34', stage: 'beta', isOn: false },
      { since: '1.36', stage: 'stable', isOn: true },
    ],
  },
} as const satisfies Readonly<Record<string, FeatureGate>>
