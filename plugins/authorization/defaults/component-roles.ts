import type { Vendor } from 'orch/sdk'
import { componentNames, type DefaultRole, defaultGroups, on, read, role } from './default-role.js'
import { nodeRules } from './node-rules.js'

/** Cluster roles of the components around the server: nodes, scheduler, controller manager, DNS. */
export function componentRoles(vendor: Vendor): DefaultRole[] {
  const {
    apps,
    authentication,
    authorization,
    certificates,
    coordination,
    core,
    discovery,
    extensions,
    policy,
    recordEvents,
    storage,
  } = defaultGroups(vendor)
  const { aggregator, controllerManager, dns, scheduler } = componentNames(vendor)
  const { nodeAgent, users } = vendor.profile
  return [
    role('system:heapster', [on(core, 'events namespaces nodes pods', read), on(extensions, 'deployments', read)]),
    role(`system:${aggregator}`, [on(core, 'endpoints services', read)]),
    role(users.controllerManager, [
      recordEvents,
      on(coordination, 'leases', 'create'),
      on(coordination, 'leases', 'get update', [controllerManager]),
      on(core, 'endpoints', 'create'),
      on(core, 'endpoints', 'get update', [controllerManager]),
      on(core, 'secrets serviceaccounts', 'create'),
      on(core, 'secrets', 'delete'),
      on(core, 'configmaps namespaces secrets serviceaccounts', 'get'),
      on(core, 'secrets serviceaccounts', 'update'),
      on(authentication, 'tokenreviews', 'create'),
      on(authorization, 'subjectaccessreviews', 'create'),
      on('*', '*', 'list watch'),
      on(core, 'serviceaccounts/token', 'create'),
    ]),
    role(`system:${dns}`, [on(core, 'endpoints services', 'list watch')]),
    role(users.scheduler, [
      recordEvents,
      on(coordination, 'leases', 'create'),
      on(coordination, 'leases', 'get update', [scheduler]),
      on(core, 'endpoints', 'create'),
      on(core, 'endpoints', 'get update', [scheduler]),
      on(core, 'nodes', read),
      on(core, 'pods', 'delete get list watch'),
      on(core, 'bindings pods/binding', 'create'),
      on(core, 'pods/status', 'patch update'),
      on(core, 'replicationcontrollers services', read),
      on([apps, extensions], 'replicasets', read),
      on(apps, 'statefulsets', read),
      on(policy, 'poddisruptionbudgets', read),
      on(core, 'persistentvolumeclaims persistentvolumes', read),
      on(authentication, 'tokenreviews', 'create'),
      on(authorization, 'subjectaccessreviews', 'create'),
      on(storage, 'csinodes', read),
      on(core, 'namespaces', read),
      on(storage, 'csidrivers', read),
      on(storage, 'csistoragecapacities', read),
    ]),
    role(`system:${nodeAgent}-api-admin`, [
      on(core, 'nodes', read),
      on(core, 'nodes', 'proxy'),
      on(core, 'nodes/log nodes/metrics nodes/proxy nodes/spec nodes/stats', '*'),
    ]),
    role('system:node', nodeRules(vendor)),
    role('system:node-bootstrapper', [on(certificates, 'certificatesigningrequests', 'create get list watch')]),
    role('system:node-problem-detector', [on(core, 'nodes', 'get'), on(core, 'nodes/status', 'patch'), recordEvents]),
    role('system:node-proxier', [
      on(core, 'endpoints services', 'list watch'),
      on(core, 'nodes', read),
      recordEvents,
      on(discovery, 'endpointslices', 'list watch'),
    ]),
    role('system:persistent-volume-provisioner', [
      on(core, 'persistentvolumes', 'create delete get list watch'),
      on(core, 'persistentvolumeclaims', 'get list update watch'),
      on(storage, 'storageclasses', read),
      on(core, 'events', 'watch'),
      recordEvents,
    ]),
    role('system:volume-scheduler', [
      on(core, 'persistentvolumes', 'get list patch update watch'),
      on(storage, 'storageclasses', read),
      on(core, 'persistentvolumeclaims', 'get list patch update watch'),
    ]),
  ]
}
