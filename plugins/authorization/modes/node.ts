import { type AccessAttributes, defineAuthorizer, type Vendor } from 'orch/sdk'
import { nodeRules } from '../defaults/node-rules.js'
import type { AuthorizationNames } from '../names.js'
import { type LiveNodeGraph, liveNodeGraph } from '../node/live-node-graph.js'
import { NodeAccess } from '../node/node-access.js'
import { nodeNameOf } from '../node/node-identity.js'
import { RuleMatcher } from '../rules/rule-matcher.js'

/** Lets each node agent reach what runs on its node, and nothing of other nodes. */
export function node(vendor: Vendor, names: AuthorizationNames) {
  const rules = new RuleMatcher(nodeRules(vendor))
  const accessByGraph = new WeakMap<LiveNodeGraph, NodeAccess>()
  const decide = (access: AccessAttributes, graph: LiveNodeGraph) => {
    const nodeAccess = accessByGraph.get(graph) ?? new NodeAccess(names, rules, graph)
    accessByGraph.set(graph, nodeAccess)
    return nodeAccess.decide(access)
  }
  return defineAuthorizer({
    mode: 'Node',
    needs: { graph: liveNodeGraph },
    authorize: (access, { graph }) =>
      // Requests of others need not wait for the graph.
      graph.isReady || nodeNameOf(access.user) === undefined
        ? decide(access, graph)
        : graph.ready().then(() => decide(access, graph)),
    rulesFor: () => ({
      resourceRules: [],
      nonResourceRules: [],
      incomplete: true,
      evaluationError: 'node authorizer does not support user rule resolution',
    }),
  })
}
