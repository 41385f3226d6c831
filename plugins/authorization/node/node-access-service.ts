import { type ServiceDefinition, services, type Vendor } from 'orch/sdk'
import { nodeRules } from '../defaults/node-rules.js'
import type { AuthorizationNames } from '../names.js'
import { LiveNodeGraph } from './live-node-graph.js'
import { NodeAccess, nodeAccess } from './node-access.js'

const needs = { caches: services.caches, resources: services.resources }

export const nodeAccessService = (
  vendor: Vendor,
  names: AuthorizationNames,
): ServiceDefinition<NodeAccess, typeof needs> => ({
  token: nodeAccess,
  needs,
  create: ({ caches, resources }) =>
    new NodeAccess(names, nodeRules(vendor), new LiveNodeGraph(caches, resources, names)),
})
