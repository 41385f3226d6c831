import type { UserInfo } from 'orch/sdk'

export const nodesGroup = 'system:nodes'
const nodeUserPrefix = 'system:node:'

/** The node a user is the agent of; undefined for everybody else. Both the name and the group must say so. */
export function nodeNameOf({ name, groups }: UserInfo): string | undefined {
  return name.startsWith(nodeUserPrefix) && groups.includes(nodesGroup) ? name.slice(nodeUserPrefix.length) : undefined
}
