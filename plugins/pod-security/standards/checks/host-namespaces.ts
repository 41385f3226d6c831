import type { Check } from '../check.js'

/** Pods have namespaces of their own. */
export const hostNamespaces: Check = {
  id: 'hostNamespaces',
  level: 'baseline',
  versions: [
    {
      since: 0,
      find({ spec }) {
        const shared = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter(field => spec[field])
        if (shared.length === 0) return undefined
        return { reason: 'host namespaces', detail: shared.map(field => `${field}=true`).join(', ') }
      },
    },
  ],
}
