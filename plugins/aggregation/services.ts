import {
  defineHealthCheck,
  defineService,
  type Lifespan,
  parseDuration,
  type StartTask,
  type Static,
  services,
  serviceToken,
  Type,
} from 'orch/sdk'
import { serviceAddresses } from 'orch/sdk/admission'
import type { APIService } from './api-services/schema.js'
import type { AggregationNames } from './names.js'
import { Delegation } from './proxying/delegation.js'
import { ExtensionDocuments } from './proxying/extension-documents.js'
import { ProxyCredentials } from './proxying/proxy-credentials.js'

const file = (description: string) => Type.Optional(Type.String({ minLength: 1, description }))
export const AggregationOptions = Type.Object({
  proxyClientCertFile: file(
    'PEM file with the client certificate that this server presents to extension servers; reloaded when it changes. A generated one by default.',
  ),
  proxyClientKeyFile: file('PEM file with the private key of --proxy-client-cert-file.'),
  maxRequestsPerExtensionServer: Type.Integer({
    minimum: 1,
    default: 1000,
    description:
      'Maximum number of concurrent requests to one extension server, watches included; others are answered 429.',
  }),
  extensionServerConnectTimeout: Type.String({
    format: 'duration',
    default: '10s',
    description: 'Timeout for connecting to an extension server.',
  }),
})
export type AggregationOptions = Static<typeof AggregationOptions>

export const delegationService = serviceToken<Delegation>('aggregation.delegation')

/** The services that ProxyCredentials need. */
export const credentialNeeds = {
  server: services.server,
  clock: services.clock,
  logger: services.logger,
  metrics: services.metrics,
}
const needs = { addresses: serviceAddresses, resources: services.resources, ...credentialNeeds }

/** Created before the first request, when only the types of plugins exist. */
export const delegation = (names: AggregationNames, options: AggregationOptions, sendsUids: boolean) =>
  defineService({
    token: delegationService,
    needs,
    create: ({ addresses, resources, ...credentialServices }) =>
      new Delegation(
        {
          addresses,
          credentials: new ProxyCredentials(options, credentialServices).current,
          sendsUids,
          maxRequests: options.maxRequestsPerExtensionServer,
          connectTimeoutMs: parseDuration(options.extensionServerConnectTimeout),
        },
        names,
        resources,
      ),
  })

const followNeeds = {
  caches: services.caches,
  clock: services.clock,
  logger: services.logger,
  delegation: delegationService,
}

/** Follows APIServices in every process, from before the first request until shutdown. */
export const followApiServices = (names: AggregationNames): StartTask<typeof followNeeds> => ({
  name: 'aggregated APIs',
  needs: followNeeds,
  async run({ caches, clock, logger, delegation }) {
    const cache = caches.of<APIService>(names.apiServices)
    await cache.ready()
    const stop = cache.onChange(delegation.changed)
    const documents = new ExtensionDocuments(delegation, names, clock, logger)
    const stopDocuments = cache.onChange(change => documents.changed(change))
    return async () => {
      stop()
      stopDocuments()
      documents.close()
      delegation.close()
    }
  },
})

/** Health checks under the names of Kubernetes: APIServices are followed, and those of this server exist. */
export const healthChecks = ({ apiServices, checks }: AggregationNames) => {
  let isRegistered = false
  const followed = (name: string, lifespan: Lifespan = {}) =>
    defineHealthCheck({
      name,
      ...lifespan,
      needs: { caches: services.caches },
      check({ caches }) {
        if (!caches.of(apiServices).isReady) throw new Error('APIServices have not been read yet')
      },
    })
  const registered = (name: string) =>
    defineHealthCheck({
      name,
      needs: { caches: services.caches },
      check({ caches }) {
        // Registration at the start stays done, whatever clients delete later.
        isRegistered ||= caches.of(apiServices).list().length > 0
        if (!isRegistered) throw new Error('the APIServices of this server do not exist yet')
      },
    })
  return [
    followed(checks.informers),
    followed('poststarthook/apiservice-registration-controller'),
    followed('poststarthook/apiservice-status-available-controller', { until: '1.30' }),
    followed('poststarthook/apiservice-status-local-available-controller', { since: '1.31' }),
    followed('poststarthook/apiservice-status-remote-available-controller', { since: '1.31' }),
    followed('poststarthook/apiservice-discovery-controller', { since: '1.27' }),
    followed('poststarthook/apiservice-openapi-controller'),
    followed('poststarthook/apiservice-openapiv3-controller', { since: '1.24' }),
    registered(checks.registration),
    registered('autoregister-completion'),
  ]
}
