import { defineAdmission } from 'orch/sdk'
import type { Pod, Toleration } from 'orch/sdk/core'
import type { NodeNames } from '../names.js'
import type { NodeOptions } from '../options.js'

const noExecute = 'NoExecute'

/** Lets Pods without their own toleration stay for a while on a node that is not ready or unreachable. */
export const defaultTolerationSeconds = ({ taints }: NodeNames, options: NodeOptions) => {
  const wanted: [taint: string, seconds: number][] = [
    [taints.notReady, options.defaultNotReadyTolerationSeconds],
    [taints.unreachable, options.defaultUnreachableTolerationSeconds],
  ]
  return defineAdmission<Pod>()({
    name: 'DefaultTolerationSeconds',
    after: ['Priority'],
    phase: 'mutate',
    sideEffects: 'none',
    matches: { group: '', resource: 'pods', operations: ['create', 'update'] },
    review({ object: { spec } }) {
      const given = spec.tolerations ?? []
      const missing = wanted.filter(([taint]) => !given.some(toleration => isAbout(toleration, taint)))
      if (missing.length === 0) return
      spec.tolerations = [
        ...given,
        ...missing.map(([key, tolerationSeconds]) => ({
          key,
          operator: 'Exists',
          effect: noExecute,
          tolerationSeconds,
        })),
      ]
    },
  })
}

/** No key stands for every key, no effect for every effect. */
const isAbout = ({ key = '', effect = '' }: Toleration, taint: string) =>
  (key === '' || key === taint) && (effect === '' || effect === noExecute)
