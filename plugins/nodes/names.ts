import type { Vendor } from 'orch/sdk'

/** Every name of this plugin that carries the vendor's. */
export const nodeNames = (vendor: Vendor) => ({
  coordinationGroup: vendor.group('coordination'),
  nodeGroup: vendor.group('node'),
  schedulingGroup: vendor.group('scheduling'),
  eventsGroup: vendor.group('events'),
  /** Labels of this prefix name the roles of a node. */
  rolePrefix: vendor.qualify('', 'node-role'),
  /** The older way to say it, with the role as value. */
  roleLabel: vendor.qualify('role'),
  /** Taints that say what is wrong with a node. */
  taints: {
    notReady: vendor.qualify('not-ready', 'node'),
    unreachable: vendor.qualify('unreachable', 'node'),
  },
  systemNamespace: vendor.profile.namespaces.system,
})
export type NodeNames = ReturnType<typeof nodeNames>
