import { isDeepStrictEqual } from 'node:util'
import { defineAdmission, reject } from 'orch/sdk'
import { isSameResources, type Pod, type PodSpec } from 'orch/sdk/core'
import { findNode, lookupNeeds } from './find-object.js'

/** Features that a node must declare for a change of a Pod that runs on it. */
const features: readonly { readonly name: string; isNeededFor(before: PodSpec, after: PodSpec): boolean }[] = [
  {
    name: 'InPlacePodLevelResourcesVerticalScaling',
    isNeededFor: (before, after) => !isSameResources(before.resources, after.resources),
  },
  {
    name: 'InPlacePodVerticalScalingInitContainers',
    isNeededFor: (before, after) =>
      (before.initContainers ?? []).some(
        ({ restartPolicy, resources }, i) =>
          restartPolicy !== 'Always' && !isSameResources(resources, after.initContainers?.[i]?.resources),
      ),
  },
]

/** Rejects changes of a running Pod that its node has not declared to support. */
export const nodeDeclaredFeatureValidator = (isOn: boolean) =>
  defineAdmission<Pod>()({
    name: 'NodeDeclaredFeatureValidator',
    since: '1.35',
    after: ['PodTopologyLabels', 'PodGroupWorkloadExists'],
    phase: 'validate',
    sideEffects: 'none',
    matches: { group: '', resource: 'pods', subresource: ['', 'resize'], operations: ['update'] },
    needs: lookupNeeds,
    async review({ object: { spec }, oldObject }, lookup) {
      if (!isOn || !spec.nodeName || isDeepStrictEqual(spec, oldObject.spec)) return
      const needed = features.filter(feature => feature.isNeededFor(oldObject.spec, spec)).map(({ name }) => name)
      if (needed.length === 0) return
      const node = await findNode(spec.nodeName, lookup)
      if (!node) return reject(`node "${spec.nodeName}" not found`)
      const missing = needed.filter(name => !node.status?.declaredFeatures?.includes(name))
      if (missing.length === 0) return
      return reject(
        `pod update requires features ${missing.join(', ')} which are not available on node "${spec.nodeName}"`,
      )
    },
  })
