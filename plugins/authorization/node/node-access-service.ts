import { defineService, services, type Vendor } from 'orch/sdk'
import { nodeRules } from '../defaults/cluster-roles.js'
import type { AuthorizationNames } from '../names.js'
import { LiveNodeGraph } from './live-node-graph.js'
import { NodeAccess, nodeAccess } from './node-access.js'

export const nodeAccessService = (vendor: Vendor, names: AuthorizationNames) =>
  defineService({
    token: nodeAccess,
    needs: { caches: services.caches, resources: services.resources },
    create: ({ caches, resources }) =>
      new NodeAccess(names, nodeRules(vendor), new LiveNodeGraph(caches, resources, names)),
  })
