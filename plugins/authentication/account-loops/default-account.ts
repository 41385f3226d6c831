import { type ApiObject, defineController, services, splitKey, startControlLoop } from 'orch/sdk'
import type { AuthenticationNames } from '../names.js'
import type { ServiceAccount } from '../service-accounts/schema.js'
import { unlessSettled } from './settled-writes.js'

const name = 'serviceaccount'
const defaultAccount = 'default'

interface Namespace extends ApiObject {
  status?: { phase?: string }
}

/** Every namespace has an account that Pods run as when they name none. */
export const defaultAccountLoop = ({ namespaces, accounts }: AuthenticationNames) =>
  defineController({
    name,
    needs: { client: services.client, clock: services.clock, logger: services.logger, metrics: services.metrics },
    start: given =>
      startControlLoop({
        ...given,
        name,
        workers: 2,
        sources: [
          { resource: namespaces },
          {
            resource: accounts,
            fieldSelector: `metadata.name=${defaultAccount}`,
            keys: ({ metadata }: ApiObject, _previous, type) =>
              type === 'deleted' && metadata.namespace ? [metadata.namespace] : [],
          },
        ],
        async reconcile(key, caches) {
          const { name: namespace } = splitKey(key)
          const found = caches.of<Namespace>(namespaces).get('', namespace)
          if (found?.status?.phase !== 'Active' || caches.of(accounts).get(namespace, defaultAccount)) return
          const client = given.client.resource<ServiceAccount>(accounts).in(namespace)
          await unlessSettled(() => client.create({ metadata: { name: defaultAccount } }))
        },
      }),
  })
