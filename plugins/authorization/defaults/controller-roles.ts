import type { Vendor } from 'orch/sdk'
import type { PolicyRule } from '../rules/schema.js'
import { type DefaultRole, defaultGroups, on, read, role } from './default-role.js'

/**
 * Cluster roles for the control loops of the reference that no plugin brings. Each runs as the service account of the same name.
 * What the loops of plugins need, these declare themselves (`declared-roles`).
 */
export function controllerRoles(vendor: Vendor): DefaultRole[] {
  const { core, recordEvents, storage } = defaultGroups(vendor)
  const controller = (name: string, rules: PolicyRule[]) => role(`system:controller:${name}`, rules)
  return [
    controller('attachdetach-controller', [
      on(core, 'persistentvolumeclaims persistentvolumes', 'list watch'),
      on(core, 'nodes', read),
      on(core, 'nodes/status', 'patch update'),
      on(core, 'pods', 'list watch'),
      recordEvents,
      on(storage, 'volumeattachments', 'create delete get list watch'),
      on(storage, 'csidrivers', read),
      on(storage, 'csinodes', read),
    ]),
    controller('expand-controller', [
      on(core, 'persistentvolumes', 'get list patch update watch'),
      on(core, 'persistentvolumeclaims/status', 'patch update'),
      on(core, 'persistentvolumeclaims', read),
      on(storage, 'storageclasses', read),
      on(core, 'endpoints services', 'get'),
      on(core, 'secrets', 'get'),
      recordEvents,
    ]),
    controller('node-controller', [
      on(core, 'nodes', 'delete get list patch update'),
      on(core, 'nodes/status', 'patch update'),
      on(core, 'pods/status', 'update'),
      on(core, 'pods', 'delete list'),
      recordEvents,
    ]),
    controller('pod-garbage-collector', [on(core, 'pods', 'delete list watch'), on(core, 'nodes', 'get list')]),
    controller('route-controller', [on(core, 'nodes', 'list watch'), on(core, 'nodes/status', 'patch'), recordEvents]),
    controller('service-controller', [
      on(core, 'services', read),
      on(core, 'services/status', 'patch update'),
      on(core, 'nodes', 'list watch'),
      recordEvents,
    ]),
    controller('ttl-controller', [on(core, 'nodes', 'list patch update watch'), recordEvents]),
  ]
}
