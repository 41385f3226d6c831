import { type ApiObject, defineController, services, splitKey, startControlLoop } from 'orch/sdk'
import type { AuthenticationNames } from '../names.js'
import { isSameTexts } from '../same-texts.js'
import { rootCa } from './root-ca.js'
import { unlessSettled } from './settled-writes.js'

const name = 'root-ca-cert-publisher'
const caKey = 'ca.crt'

interface ConfigMap extends ApiObject {
  data?: Record<string, string>
}
interface Namespace extends ApiObject {
  status?: { phase?: string }
}

/** Puts the CA that the server is known by into a ConfigMap of every namespace, where Pods find it. */
export const rootCaPublisher = ({ namespaces, configMaps, rootCaConfigMap, description }: AuthenticationNames) =>
  defineController({
    name,
    needs: {
      client: services.client,
      clock: services.clock,
      logger: services.logger,
      metrics: services.metrics,
      rootCa,
    },
    start({ rootCa: read, ...runtime }) {
      const pem = read()
      if (pem === undefined) return async () => {}
      const data = { [caKey]: pem }
      const annotations = {
        [description]: 'A CA bundle that the server can be verified with at its internal addresses, and nothing else.',
      }
      return startControlLoop({
        ...runtime,
        name,
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
          const found = caches.of<Namespace>(namespaces).get('', namespace)
          if (found?.status?.phase !== 'Active') return
          const client = runtime.client.resource<ConfigMap>(configMaps).in(namespace)
          const stored = caches.of<ConfigMap>(configMaps).get(namespace, rootCaConfigMap)
          if (!stored)
            await unlessSettled(() => client.create({ metadata: { name: rootCaConfigMap, annotations }, data }))
          else if (!isSameTexts(stored.data ?? {}, data) || !stored.metadata.annotations?.[description])
            await unlessSettled(() =>
              client.update({
                ...stored,
                metadata: { ...stored.metadata, annotations: { ...stored.metadata.annotations, ...annotations } },
                data,
              }),
            )
        },
      })
    },
  })
