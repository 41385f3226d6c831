import { defineController, services, startControlLoop } from 'orch/sdk'
import type { NamespaceNames } from '../names.js'
import { type Namespace, namespaceCollection } from '../namespaces/schema.js'
import { removeNamespace } from './remove-namespace.js'

/** Removes deleted namespaces with everything in them. */
export const namespaceController = (names: NamespaceNames) =>
  defineController({
    name: 'namespace',
    needs: {
      client: services.client,
      resources: services.resources,
      clock: services.clock,
      logger: services.logger,
      metrics: services.metrics,
    },
    start: ({ resources, ...runtime }) =>
      startControlLoop({
        ...runtime,
        name: 'namespace',
        workers: 4,
        sources: [
          {
            resource: namespaceCollection,
            keys: ({ metadata }: Namespace) => (metadata?.deletionTimestamp && metadata.name ? [metadata.name] : []),
          },
        ],
        reconcile: name => removeNamespace(name, names, { ...runtime, resources }),
      }),
  })
