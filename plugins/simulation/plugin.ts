import { definePlugin } from 'orch/sdk'
import { podGates } from 'orch/sdk/core'
import { metricsResources } from './metrics/resources.js'
import { simulationNames } from './names.js'
import { nodeLoop } from './nodes/controller.js'
import { checkOptions, SimulationOptions } from './options.js'
import { agentLoop } from './running/controller.js'
import { logTask } from './running/logs.js'
import { streamTask } from './running/streams.js'
import { schedulerLoop } from './scheduling/controller.js'
import { volumeLoop } from './volumes/controller.js'

export const simulation = definePlugin({
  name: 'simulation',
  requires: ['namespaces', 'coordination', 'nodes', 'workloads', 'storage', 'expressions'],
  options: SimulationOptions,
  gates: { InPlacePodVerticalScaling: podGates.InPlacePodVerticalScaling },
  register(to, { vendor, options, isEnabled }) {
    checkOptions(options)
    if (options.simulateNodes === 0 && options.simulatedNodeGroups.length === 0) return
    const names = simulationNames(vendor)
    to.resource(...metricsResources(names, options.simulationRules))
    to.controller(nodeLoop(names, options), schedulerLoop(names), volumeLoop(names))
    to.controller(agentLoop(names, options, isEnabled('InPlacePodVerticalScaling')))
    to.onStart(logTask(names, options.simulationRules), streamTask(names, options.simulationRules))
  },
})
