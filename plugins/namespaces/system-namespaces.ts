import { ApiError, type Resolved, type StartTask, services } from 'orch/sdk'
import type { NamespaceNames } from './names.js'
import { type Namespace, namespaceCollection } from './namespaces/schema.js'

/** One of them may be deleted while the server runs; it comes back. */
const checkAgainMs = 60_000
const needs = { client: services.client, clock: services.clock, logger: services.logger } as const

/** Makes the namespaces that always exist. */
export const systemNamespaces = ({ system }: NamespaceNames): StartTask<typeof needs> => ({
  name: 'system namespaces',
  once: true,
  needs,
  async run({ client, clock, logger }) {
    await createMissing(system, client)
    let cancel = () => {}
    let isStopped = false
    const checkLater = () => {
      // Stopped during a check: nobody would end another one.
      if (isStopped) return
      cancel = clock.after(checkAgainMs, () => {
        createMissing(system, client)
          .catch(error => logger.warn('system namespaces could not be checked', { error: String(error) }))
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
    try {
      await namespaces.create({ metadata: { name } })
    } catch (error) {
      // Another server of the same store was faster.
      if (!(error instanceof ApiError && error.reason === 'AlreadyExists')) throw error
    }
  }
}
