import type { NetworkPolicy } from './schema.js'

/** A policy that does not say what it is about is about what comes in, and about what goes out if it has rules for it. */
export function fillPolicy({ spec }: NetworkPolicy): void {
  if (spec === undefined || (spec.policyTypes ?? []).length > 0) return
  spec.policyTypes = (spec.egress ?? []).length > 0 ? ['Ingress', 'Egress'] : ['Ingress']
}
