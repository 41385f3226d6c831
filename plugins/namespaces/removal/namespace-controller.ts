import { services } from 'orch/sdk'
import { defineControlLoop } from 'orch/sdk/controllers'
import { type Namespace, namespaceCollection } from 'orch/sdk/core'
import type { NamespaceNames } from '../names.js'
import { removeNamespace } from './remove-namespace.js'

/** Removes deleted namespaces with everything in them. */
export const namespaceController = (names: NamespaceNames, podsFirst: boolean) =>
  defineControlLoop({
    name: 'namespace',
    account: 'namespace-controller',
    rules: [
      { verbs: ['delete', 'get', 'list', 'watch'], apiGroups: [''], resources: ['namespaces'] },
      { verbs: ['update'], apiGroups: [''], resources: ['namespaces/finalize', 'namespaces/status'] },
      { verbs: ['delete', 'deletecollection', 'get', 'list'], apiGroups: ['*'], resources: ['*'] },
    ],
    needs: { resources: services.resources },
    workers: 4,
    sources: [
      {
        resource: namespaceCollection,
        keys: ({ metadata }: Namespace) => (metadata?.deletionTimestamp && metadata.name ? [metadata.name] : []),
      },
    ],
    reconcile: (name, _caches, runtime) => removeNamespace(name, names, podsFirst, runtime),
  })
