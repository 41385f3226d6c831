import { defineStartTask, type Stored, services } from 'orch/sdk'
import { unlessLost } from 'orch/sdk/client'
import type { ConfigMap } from 'orch/sdk/core'
import { dayOf } from './account-tokens/secret-token-use.js'
import type { AuthenticationNames } from './names.js'

/** Records the day from which the use of tokens in Secrets is tracked: earlier uses are unknown. */
export const recordTrackingStart = (
  { configMaps, systemNamespace, trackedSinceConfigMap: name }: AuthenticationNames,
  isTracked: boolean,
) =>
  defineStartTask({
    name: 'start of token tracking',
    once: true,
    needs: { client: services.client, clock: services.clock, logger: services.logger },
    async run({ client, clock, logger }) {
      if (!isTracked) return
      const collection = client.resource<Stored<ConfigMap>>(configMaps).in(systemNamespace)
      try {
        if (await collection.find(name)) return
        await unlessLost(
          collection.create({ metadata: { name }, data: { since: dayOf(clock.now()) } }),
          'AlreadyExists',
        )
      } catch (error) {
        logger.warn(`could not publish ${name}; will retry at the next start`, { error: (error as Error).message })
      }
    },
  })
