import { definePlugin } from 'orch/sdk'
import { defaultTolerationSeconds } from './admission/default-toleration-seconds.js'
import { extendedResourceToleration } from './admission/extended-resource-toleration.js'
import { jobValidation } from './admission/job-validation.js'
import { limitPodHardAntiAffinityTopology } from './admission/limit-pod-hard-anti-affinity-topology.js'
import { nodeDeclaredFeatureValidator } from './admission/node-declared-feature-validator.js'
import { nodeRestriction } from './admission/node-restriction.js'
import { podGroupProtection } from './admission/pod-group-protection.js'
import { podGroupWorkloadExists } from './admission/pod-group-workload-exists.js'
import { nodeSelectorService } from './admission/pod-node-selector/settings.js'
import { podNodeSelector } from './admission/pod-node-selector.js'
import { podResizeValidator } from './admission/pod-resize-validator.js'
import { tolerationService } from './admission/pod-toleration-restriction/settings.js'
import { podTolerationRestriction } from './admission/pod-toleration-restriction.js'
import { podTopologyLabels } from './admission/pod-topology-labels.js'
import { priority } from './admission/priority.js'
import { runtimeClass } from './admission/runtime-class.js'
import { taintNodesByCondition } from './admission/taint-nodes-by-condition.js'
import { differences, rangeWarnings } from './differences.js'
import { nodeNames } from './names.js'
import { nodes as nodeResource } from './nodes/resource.js'
import { NodeOptions, nodeGates } from './options.js'
import { podGroupProtectionLoop } from './pod-groups/protection-loop.js'
import { podGroups } from './pod-groups/resource.js'
import { ensureSystemClasses, systemClassesExist } from './priority-classes/ensure-system-classes.js'
import { priorityClasses } from './priority-classes/resource.js'
import { runtimeClasses } from './runtime-classes/resource.js'
import { workloads } from './workloads/resource.js'

export { conformance } from './conformance.js'

export const nodes = definePlugin({
  name: 'nodes',
  differences,
  requires: ['namespaces'],
  options: NodeOptions,
  gates: nodeGates,
  register(to, { vendor, options, isEnabled }) {
    const names = nodeNames(vendor)
    const gates = {
      runtimeHandlers: isEnabled('RecursiveReadOnlyMounts') || isEnabled('UserNamespacesSupport'),
      supplementalGroupsPolicy: isEnabled('SupplementalGroupsPolicy'),
      declaredFeatures: isEnabled('NodeDeclaredFeatures'),
      strictCidrs: isEnabled('StrictIPCIDRValidation'),
      rangeWarnings: vendor.level.has(rangeWarnings),
    }
    to.resource(nodeResource(names, gates), runtimeClasses(names), priorityClasses(names))
    to.resource(workloads(names), podGroups(names))
    to.admission(nodeRestriction(names), taintNodesByCondition(names), priority(names), runtimeClass(names))
    to.admission(defaultTolerationSeconds(names, options), extendedResourceToleration(names))
    to.admission(limitPodHardAntiAffinityTopology(names), podNodeSelector(names), podTolerationRestriction(names))
    const groups = isEnabled('GenericWorkload')
    to.admission(podTopologyLabels(names, isEnabled('PodTopologyLabelsAdmission')))
    to.admission(podGroupProtection(names, groups), podGroupWorkloadExists(names, groups))
    to.admission(nodeDeclaredFeatureValidator(isEnabled('NodeDeclaredFeatures')))
    to.admission(jobValidation(names, groups || isEnabled('WorkloadWithJob')))
    to.admission(podResizeValidator(names, isEnabled('InPlacePodVerticalScaling')))
    if (groups) to.controller(podGroupProtectionLoop(names))
    to.service(nodeSelectorService, tolerationService(names))
    to.onStart(ensureSystemClasses(names))
    to.healthCheck(systemClassesExist(names))
  },
})
