import { defineHealthCheck, defineStartTask, services } from 'orch/sdk'
import { unlessLost } from 'orch/sdk/client'
import type { NodeNames } from '../names.js'
import { systemClasses } from './system-classes.js'

/** Named as in the reference. Succeeds for good once the classes exist, even if clients delete them later. */
export const systemClassesExist = ({ schedulingGroup }: NodeNames) => {
  let isDone = false
  return defineHealthCheck({
    name: 'poststarthook/scheduling/bootstrap-system-priority-classes',
    needs: { caches: services.caches },
    async check({ caches }) {
      if (isDone) return
      const cache = caches.of({ group: schedulingGroup, resource: 'priorityclasses' })
      await cache.ready()
      isDone = systemClasses.every(({ name }) => cache.get('', name) !== undefined)
      if (!isDone) throw new Error('the system priority classes do not exist yet')
    },
  })
}

/** Creates the system priority classes. */
export const ensureSystemClasses = ({ schedulingGroup }: NodeNames) =>
  defineStartTask({
    name: 'system priority classes',
    once: true,
    needs: { client: services.client },
    async run({ client }) {
      const classes = client.resource({ group: schedulingGroup, version: 'v1', resource: 'priorityclasses' })
      for (const { name, value, description } of systemClasses) {
        if (await classes.find(name)) continue
        // Another server of the same store may have been faster.
        await unlessLost(classes.create({ metadata: { name }, value, description }), 'AlreadyExists')
      }
    },
  })
