import type { Vendor } from 'orch/sdk'
import type { PolicyRule } from '../rules/schema.js'
import { defaultGroups, on, read } from './default-role.js'

/** What a node agent needs at all; the Node mode narrows secrets, volumes, leases and the like to the node's own. */
export function nodeRules(vendor: Vendor): PolicyRule[] {
  const { authentication, authorization, certificates, coordination, core, node, storage } = defaultGroups(vendor)
  return [
    on(authentication, 'tokenreviews', 'create'),
    on(authorization, 'localsubjectaccessreviews subjectaccessreviews', 'create'),
    on(core, 'services', read),
    on(core, 'nodes', 'create get list watch'),
    on(core, 'nodes/status', 'patch update'),
    on(core, 'nodes', 'patch update'),
    on(core, 'events', 'create patch update'),
    on(core, 'pods', read),
    on(core, 'pods', 'create delete'),
    on(core, 'pods/status', 'patch update'),
    on(core, 'pods/eviction', 'create'),
    on(core, 'configmaps secrets', read),
    on(core, 'persistentvolumeclaims persistentvolumes', 'get'),
    on(core, 'endpoints', 'get'),
    on(certificates, 'certificatesigningrequests', 'create get list watch'),
    on(coordination, 'leases', 'create delete get patch update'),
    on(storage, 'volumeattachments', 'get'),
    on(core, 'serviceaccounts/token', 'create'),
    on(core, 'persistentvolumeclaims/status', 'get patch update'),
    on(storage, 'csidrivers', read),
    on(storage, 'csinodes', 'create delete get patch update'),
    on(node, 'runtimeclasses', read),
  ]
}
