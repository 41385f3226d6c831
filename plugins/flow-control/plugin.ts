import {
  defineHealthCheck,
  definePlugin,
  type Registrar,
  type ServiceDefinition,
  type StartTask,
  services,
  serviceToken,
  Type,
} from 'orch/sdk'
import { requestLimiter } from 'orch/sdk/server'
import { flowControl as flowControlLoop, installBuiltIns } from './bootstrap/controller.js'
import { differences } from './differences.js'
import { FlowMetrics } from './fairness/flow-metrics.js'
import { FairLimiter } from './fairness/limiter.js'
import { flowSchemas } from './flow-schemas/resource.js'
import type { FlowSchema } from './flow-schemas/schema.js'
import { type FlowControlNames, flowControlNames } from './names.js'
import { priorityLevels } from './priority-levels/resource.js'
import type { PriorityLevel } from './priority-levels/schema.js'

const FlowControlOptions = Type.Object({
  enablePriorityAndFairness: Type.Boolean({
    default: true,
    description:
      'Queue requests fairly according to FlowSchemas and PriorityLevelConfigurations. Otherwise only the limits of concurrent reads and writes apply.',
  }),
})

export { conformance } from './conformance.js'

const limiter = serviceToken<FairLimiter>('flow-control.limiter')
const needs = { caches: services.caches, limits: services.requestLimits, metrics: services.metrics }

const fairLimiter = (names: FlowControlNames): ServiceDefinition<FairLimiter, typeof needs> => ({
  token: limiter,
  needs,
  create({ caches, limits, metrics }) {
    const schemas = caches.of<FlowSchema>(names.flowSchemas)
    const levels = caches.of<PriorityLevel>(names.priorityLevels)
    const source = {
      schemas: () => (schemas.isReady ? schemas.list() : []),
      levels: () => (levels.isReady ? levels.list() : []),
    }
    return new FairLimiter(source, names, limits, new FlowMetrics(metrics))
  },
})

/** Reloads the limiter when schemas or levels change. */
const followChanges = (
  names: FlowControlNames,
): StartTask<{ caches: typeof services.caches; limiter: typeof limiter }> => ({
  name: 'fair queuing',
  needs: { caches: services.caches, limiter },
  async run({ caches, limiter }) {
    const followed = [names.flowSchemas, names.priorityLevels].map(ref => caches.of(ref))
    await Promise.all(followed.map(cache => cache.ready()))
    const stops = followed.map(cache => cache.onChange(() => limiter.reload()))
    limiter.reload()
    return async () => {
      for (const stop of stops) stop()
      limiter.close()
    }
  },
})

/** Checks that the built-in objects were created, and that schemas and levels are loaded. */
const addHealthChecks = (to: Registrar, { flowSchemas, priorityLevels }: FlowControlNames) => {
  const named = (part: string) => `poststarthook/priority-and-fairness-config-${part}`
  const caches = services.caches
  // Depends on the start and not on the objects: the server stays healthy when a client deletes them, and the loop
  // creates them again.
  let isInstalled = false
  to.onStart({
    name: 'flow schemas and priority levels exist',
    needs: {},
    async run() {
      isInstalled = true
    },
  })
  to.healthCheck(
    defineHealthCheck({
      name: named('producer'),
      needs: {},
      check() {
        if (!isInstalled) throw new Error('the built-in flow schemas do not exist yet')
      },
    }),
    defineHealthCheck({
      name: named('consumer'),
      needs: { caches },
      check({ caches }) {
        const isKnown = [flowSchemas, priorityLevels].every(ref => caches.of(ref).isReady)
        if (!isKnown) throw new Error('flow schemas and priority levels are not loaded yet')
      },
    }),
    { name: 'poststarthook/priority-and-fairness-filter' },
  )
}

export const flowControl = definePlugin({
  name: 'flow-control',
  differences,
  options: FlowControlOptions,
  register(to, { vendor, options }) {
    const names = flowControlNames(vendor)
    to.resource(flowSchemas(names), priorityLevels(names))
    to.onStart(installBuiltIns(names))
    to.controller(flowControlLoop(names))
    addHealthChecks(to, names)
    if (!options.enablePriorityAndFairness) return
    to.service(fairLimiter(names), { token: requestLimiter, needs: { limiter }, create: ({ limiter }) => limiter })
    to.onStart(followChanges(names))
  },
})
