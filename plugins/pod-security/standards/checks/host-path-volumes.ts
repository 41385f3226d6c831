import { type Check, nounWithNames } from '../check.js'

/** Pods do not see the files of the node. */
export const hostPathVolumes: Check = {
  id: 'hostPathVolumes',
  level: 'baseline',
  versions: [
    {
      since: 0,
      find({ spec }) {
        const volumes = (spec.volumes ?? []).filter(({ hostPath }) => hostPath !== undefined).map(({ name }) => name)
        if (volumes.length === 0) return undefined
        return { reason: 'hostPath volumes', detail: nounWithNames('volume', volumes) }
      },
    },
  ],
}
