import type { Authorizer, Clock } from 'orch/sdk'
import type { Store } from 'orch/sdk/host'
import type { AdmissionChain } from '../admission/admission-chain.js'
import type { BootedPlugins } from '../boot/boot-plugins.js'
import type { RootContainer } from '../container/root-container.js'
import type { PluginMetrics } from '../observe/plugin-metrics.js'
import type { Representations } from '../representation/representations.js'
import type { YamlBodies } from '../representation/yaml-bodies.js'
import type { ResourceServices } from '../resources/resource-services.js'
import type { ResourceTypes } from '../types/resource-types.js'
import { InitialStates } from '../watch/initial-state.js'
import type { WatchHub } from '../watch/watch-hub.js'

/** How long a read waits for a future resourceVersion before it fails with 504. */
const futureVersionWaitMs = 3000

/** The parts that the services of the verbs are built from. */
export interface VerbParts {
  readonly booted: BootedPlugins
  readonly clock: Clock
  readonly store: Store
  readonly hub: WatchHub
  readonly types: ResourceTypes
  readonly metrics: PluginMetrics
  readonly root: RootContainer
  readonly representations: Representations
  readonly yaml: YamlBodies
  readonly admission: AdmissionChain
  readonly authorizer: Authorizer
}

/** The services of the verbs. */
export function verbServices({ booted, root, metrics, ...parts }: VerbParts): ResourceServices {
  const { kernelOptions: options, vendor } = booted
  return {
    ...parts,
    initialStates: new InitialStates(),
    vendor,
    limits: {
      bodyBytes: options.maxRequestBodyBytes,
      objectBytes: options.maxRequestBodyBytes,
      futureVersionWaitMs,
      minWatchTimeoutMs: options.minRequestTimeout * 1000,
      watchBufferBytes: options.watchBufferBytes,
      listsInChunks: booted.featureGates.isEnabled('APIListChunking'),
      deletesUnreadable: booted.featureGates.isEnabled('AllowUnsafeMalformedObjectDeletion'),
      streamsLists: booted.featureGates.isEnabled('WatchList'),
    },
    deprecatedRequests: metrics.gauge('apiserver_requested_deprecated_apis', 'Deprecated APIs that were requested.', [
      'group',
      'version',
      'resource',
      'subresource',
      'removed_release',
    ]),
    resolve: (plugin, needs) => root.scopeOf(plugin).resolve(needs),
  }
}
