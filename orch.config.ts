import { authentication } from 'orch/plugins/authentication'
import { authorization } from 'orch/plugins/authorization'
import { certificates } from 'orch/plugins/certificates'
import { configuration } from 'orch/plugins/configuration'
import { customResources } from 'orch/plugins/custom-resources'
import { garbageCollection } from 'orch/plugins/garbage-collection'
import { imagePolicy } from 'orch/plugins/image-policy'
import { namespaces } from 'orch/plugins/namespaces'
import { networking } from 'orch/plugins/networking'
import { nodes } from 'orch/plugins/nodes'
import { podSecurity } from 'orch/plugins/pod-security'
import { quotas } from 'orch/plugins/quotas'
import { storage } from 'orch/plugins/storage'
import { storageEtcd } from 'orch/plugins/storage-etcd'
import { webhooks } from 'orch/plugins/webhooks'
import { workloads } from 'orch/plugins/workloads'
import { defineConfig } from 'orch/sdk'

/** What `npm start` and `orch serve` run where there is no other configuration. A plugin is off unless it is listed here. */
export default defineConfig({
  plugins: [
    namespaces,
    configuration,
    authentication,
    authorization,
    certificates,
    nodes,
    workloads,
    storage,
    networking,
    garbageCollection,
    quotas,
    storageEtcd,
    webhooks,
    imagePolicy,
    podSecurity,
    customResources,
  ],
})
