import type { DeleteStrategy, Pod } from 'orch/sdk'

const isFinished = ({ status }: Pod) => status?.phase === 'Succeeded' || status?.phase === 'Failed'

/** A Pod on a node gets time to end, and goes when its node agent says so; others go at once. */
export const deletion = {
  answer: 'object',
  gracePeriodSeconds(stored, requested) {
    if ((stored.spec.nodeName ?? '') === '' || isFinished(stored)) return 0
    const seconds = requested ?? stored.spec.terminationGracePeriodSeconds ?? 0
    return seconds < 0 ? 1 : seconds
  },
} satisfies DeleteStrategy<Pod>
