import type { ApiObject, Stored } from 'orch/sdk'
import { unlessLost } from 'orch/sdk/client'
import { defineControlLoop, splitKey } from 'orch/sdk/controllers'
import type { ConfigMap, Namespace } from 'orch/sdk/core'
import type { AuthenticationNames } from '../names.js'
import { isSameTexts } from '../same-texts.js'
import { rootCa } from './root-ca.js'

const name = 'root-ca-cert-publisher'
const caKey = 'ca.crt'

/** Publishes the CA of the server in a ConfigMap of every namespace, for its Pods. */
export const rootCaPublisher = ({
  namespaces,
  configMaps,
  rootCaConfigMap,
  description,
  recordEvents,
}: AuthenticationNames) =>
  defineControlLoop({
    name,
    rules: [{ verbs: ['create', 'update'], apiGroups: [''], resources: ['configmaps'] }, recordEvents],
    needs: {
      rootCa,
    },
    setUp({ rootCa: read, ...runtime }) {
      const pem = read()
      if (pem === undefined) return undefined
      const data = { [caKey]: pem }
      const annotations = {
        [description]: 'A CA bundle that the server can be verified with at its internal addresses, and nothing else.',
      }
      return {
        workers: 2,
        sources: [
          { resource: namespaces },
          {
            resource: configMaps,
            fieldSelector: `metadata.name=${rootCaConfigMap}`,
            keys: ({ metadata }: ApiObject) => (metadata.namespace ? [metadata.namespace] : []),
          },
        ],
        async reconcile(key, caches) {
          const { name: namespace } = splitKey(key)
          const found = caches.of<Stored<Namespace>>(namespaces).get('', namespace)
          if (found?.status?.phase !== 'Active') return
          const client = runtime.client.resource<Stored<ConfigMap>>(configMaps).in(namespace)
          const stored = caches.of<Stored<ConfigMap>>(configMaps).get(namespace, rootCaConfigMap)
          if (!stored) await unlessLost(client.create({ metadata: { name: rootCaConfigMap, annotations }, data }))
          else if (!isSameTexts(stored.data ?? {}, data) || !stored.metadata.annotations?.[description])
            await unlessLost(
              client.update({
                ...stored,
                metadata: { ...stored.metadata, annotations: { ...stored.metadata.annotations, ...annotations } },
                data,
              }),
            )
        },
      }
    },
  })
