import { defineStartTask, type Resolved, services } from 'orch/sdk'
import { unlessLost } from 'orch/sdk/client'
import { type Namespace, namespaceCollection } from 'orch/sdk/core'
import type { NamespaceNames } from './names.js'

/** A system namespace that is deleted while the server runs is created again. */
const recheckMs = 60_000
const needs = { client: services.client, clock: services.clock, logger: services.logger } as const

/** Creates the namespaces that must always exist. */
export const systemNamespaces = ({ system }: NamespaceNames) =>
  defineStartTask({
    name: 'system namespaces',
    once: true,
    needs,
    async run({ client, clock, logger }) {
      await createMissing(system, client)
      let cancel = () => {}
      let isStopped = false
      const checkLater = () => {
        // Stopped during a check: do not schedule another one.
        if (isStopped) return
        cancel = clock.after(recheckMs, () => {
          createMissing(system, client)
            .catch(error => logger.warn('system namespaces could not be checked', { error }))
            .finally(checkLater)
        })
      }
      checkLater()
      return async () => {
        isStopped = true
        cancel()
      }
    },
  })

async function createMissing(names: readonly string[], client: Resolved<typeof needs>['client']): Promise<void> {
  const namespaces = client.resource<Namespace>(namespaceCollection)
  for (const name of names) {
    if (await namespaces.find(name)) continue
    // Another server with the same store may have created it.
    await unlessLost(namespaces.create({ metadata: { name } }), 'AlreadyExists')
  }
}
