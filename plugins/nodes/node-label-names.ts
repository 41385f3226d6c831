import type { Vendor } from 'orch/sdk'

/** The node labels of the vendor, grouped by who may set them. */
export const nodeLabelNames = (vendor: Vendor) => {
  const { domain, groupDomain, nodeAgent } = vendor.profile
  const places = ['zone', 'region']
  const systems = ['os', 'arch']
  return {
    /** Labels below these domains have a meaning that nodes must not claim for themselves, */
    reserved: [domain, groupDomain],
    /** with the exception of those that describe the machine, */
    own: new Set([
      vendor.qualify('hostname'),
      ...systems.map(name => vendor.qualify(name)),
      ...places.map(name => vendor.qualify(name, 'topology')),
      vendor.qualify('instance-type', 'node'),
      // the same by their older names,
      ...[...systems, 'instance-type'].map(name => vendor.qualify(name, 'beta')),
      ...places.map(name => vendor.qualify(name, 'failure-domain.beta')),
    ]),
    /** and of those below domains that belong to the node. */
    ownDomains: [`${nodeAgent}.${domain}`, `node.${domain}`],
    /** For administrators, to isolate nodes. No node may set these. */
    restricted: `node-restriction.${domain}`,
  }
}
export type NodeLabelNames = ReturnType<typeof nodeLabelNames>
