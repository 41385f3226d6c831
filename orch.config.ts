import { aggregation } from 'orch/plugins/aggregation'
import { apps } from 'orch/plugins/apps'
import { authentication } from 'orch/plugins/authentication'
import { authorization } from 'orch/plugins/authorization'
import { autoscaling } from 'orch/plugins/autoscaling'
import { batch } from 'orch/plugins/batch'
import { certificates } from 'orch/plugins/certificates'
import { configuration } from 'orch/plugins/configuration'
import { consolePlugin } from 'orch/plugins/console'
import { coordination } from 'orch/plugins/coordination'
import { customResources } from 'orch/plugins/custom-resources'
import { deviceAllocation } from 'orch/plugins/device-allocation'
import { discovery } from 'orch/plugins/discovery'
import { disruption } from 'orch/plugins/disruption'
import { encryption } from 'orch/plugins/encryption'
import { events } from 'orch/plugins/events'
import { expressionLanguage } from 'orch/plugins/expressions'
import { flowControl } from 'orch/plugins/flow-control'
import { garbageCollection } from 'orch/plugins/garbage-collection'
import { imagePolicy } from 'orch/plugins/image-policy'
import { installedPlugins } from 'orch/plugins/installed-plugins'
import { namespaces } from 'orch/plugins/namespaces'
import { networking } from 'orch/plugins/networking'
import { nodes } from 'orch/plugins/nodes'
import { podSecurity } from 'orch/plugins/pod-security'
import { policies } from 'orch/plugins/policies'
import { quotas } from 'orch/plugins/quotas'
import { recording } from 'orch/plugins/recording'
import { simulation } from 'orch/plugins/simulation'
import { storage } from 'orch/plugins/storage'
import { storageEtcd } from 'orch/plugins/storage-etcd'
import { storageMemory } from 'orch/plugins/storage-memory'
import { storageTools } from 'orch/plugins/storage-tools'
import { tracing } from 'orch/plugins/tracing'
import { webhooks } from 'orch/plugins/webhooks'
import { workloads } from 'orch/plugins/workloads'
import { defineConfig } from 'orch/sdk'

/** What `npm start` and `orch serve` run where there is no other configuration. A plugin is off unless it is listed here. */
export default defineConfig({
  plugins: [
    namespaces,
    configuration,
    expressionLanguage,
    authentication,
    authorization,
    certificates,
    events,
    coordination,
    nodes,
    workloads,
    disruption,
    apps,
    batch,
    autoscaling,
    storage,
    networking,
    discovery,
    flowControl,
    garbageCollection,
    quotas,
    storageEtcd,
    storageMemory,
    storageTools,
    encryption,
    webhooks,
    imagePolicy,
    podSecurity,
    customResources,
    policies,
    deviceAllocation,
    aggregation,
    simulation,
    recording,
    tracing,
    consolePlugin,
    // Brings nothing unless --plugin-folder names a folder.
    installedPlugins,
  ],
})
