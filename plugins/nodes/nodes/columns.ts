import { ageColumn, type Column, nameColumn } from 'orch/sdk'
import type { NodeNames } from '../names.js'
import type { Node } from './schema.js'

const none = '<none>'
const unknown = '<unknown>'

function readiness({ spec, status }: Node): string {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')
  const state = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady'
  return spec?.unschedulable ? `${state},SchedulingDisabled` : state
}

const roles =
  ({ rolePrefix, roleLabel }: NodeNames) =>
  ({ metadata }: Node): string => {
    const names = Object.entries(metadata?.labels ?? {}).flatMap(([key, value]) => {
      const role = key.startsWith(rolePrefix) ? key.slice(rolePrefix.length) : key === roleLabel ? value : ''
      return role === '' ? [] : [role]
    })
    return names.length === 0 ? none : [...new Set(names)].sort().join(',')
  }

const address = ({ status }: Node, type: string) =>
  status?.addresses?.find(candidate => candidate.type === type)?.address ?? none

function kernel({ status }: Node, { tablesShowArchitectures }: NodeNames): string {
  const { kernelVersion, architecture } = status?.nodeInfo ?? {}
  return (kernelVersion || unknown) + (architecture && tablesShowArchitectures ? ` (${architecture})` : '')
}

export function columns(names: NodeNames): readonly Column<Node>[] {
  const text = (name: string, description: string, cell: (node: Node) => string, priority = 0): Column<Node> => ({
    name,
    type: 'string',
    description,
    priority,
    cell,
  })
  return [
    nameColumn as Column<Node>,
    text('Status', 'Whether the node is ready and accepts new Pods.', readiness),
    text('Roles', 'Roles of the node.', roles(names)),
    ageColumn as Column<Node>,
    text('Version', 'Version of the node agent.', ({ status }) => status?.nodeInfo?.kubeletVersion ?? ''),
    text('Internal-IP', 'Address inside the cluster.', node => address(node, 'InternalIP'), 1),
    text('External-IP', 'Address outside the cluster.', node => address(node, 'ExternalIP'), 1),
    text('OS-Image', 'Operating system.', ({ status }) => status?.nodeInfo?.osImage || unknown, 1),
    text('Kernel-Version', 'Kernel of the operating system.', node => kernel(node, names), 1),
    text(
      'Container-Runtime',
      'Container runtime.',
      ({ status }) => status?.nodeInfo?.containerRuntimeVersion || unknown,
      1,
    ),
  ]
}
