import { defineAdmission, reject } from 'orch/sdk'
import type { Pod } from 'orch/sdk/core'
import type { NodeNames } from '../names.js'

/** A Pod may exclude others from its node, but not from a whole zone. */
export const limitPodHardAntiAffinityTopology = ({ hostnameLabel }: NodeNames) =>
  defineAdmission<Pod>()({
    name: 'LimitPodHardAntiAffinityTopology',
    stage: 'defaults',
    after: ['SecurityContextDeny'],
    phase: 'validate',
    sideEffects: 'none',
    enabledByDefault: false,
    matches: { group: '', resource: 'pods', operations: ['create', 'update'] },
    review({ object: { spec } }) {
      const terms = spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []
      const wide = terms.find(({ topologyKey }) => topologyKey !== hostnameLabel)
      if (wide)
        return reject(
          `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${wide.topologyKey} but only key ${hostnameLabel} is allowed`,
        )
    },
  })
