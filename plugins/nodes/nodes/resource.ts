import { type ApiObject, type ConnectSubresource, defineResource, strategyForSpec, strategyForStatus } from 'orch/sdk'
import { proxyTo, roundResourceList, unreachableService } from 'orch/sdk/core'
import { warningsAboutCidr } from 'orch/sdk/validation'
import type { NodeNames } from '../names.js'
import { columns } from './columns.js'
import { Node } from './schema.js'
import { validateNode, validateNodeReplacement, validateNodeUpdate } from './validation.js'

/** Gated features of nodes. */
export interface NodeFeatureGates {
  readonly runtimeHandlers: boolean
  readonly supplementalGroupsPolicy: boolean
  readonly declaredFeatures: boolean
  readonly strictCidrs: boolean
  readonly rangeWarnings: boolean
}

/** A node registers itself with its status; later the status is written through its subresource. */
export const mainStrategy = (gates: NodeFeatureGates) =>
  strategyForSpec<Node>({
    newStatus: ({ status }) => status,
    prepareForCreate(draft) {
      dropConfigSource(draft, undefined)
      dropDisabledFeatures(draft, undefined, gates)
    },
    prepareForUpdate(draft, stored) {
      dropConfigSource(draft, stored)
      dropDisabledFeatures(draft, stored, gates)
    },
    validate: (node, { vendor }) => validateNode(node, vendor, gates),
    validateUpdate: (sent, stored, { vendor }) => validateNodeReplacement(sent, stored, vendor, gates),
    warnings: ({ spec }) => [
      ...(spec?.externalID ? ['spec.externalID: this field is deprecated, and is unused by this server'] : []),
      ...(gates.rangeWarnings
        ? (spec?.podCIDRs ?? []).flatMap((range, i) => warningsAboutCidr(`spec.podCIDRs[${i}]`, range))
        : []),
    ],
  })

const statusStrategy = strategyForStatus<Node>({
  prepareForUpdate(draft, stored) {
    if (draft.status?.config && !stored.status?.config) delete draft.status.config
  },
  validateUpdate: (sent, stored, { vendor }) => validateNodeUpdate(sent, stored, vendor),
})

/** Nodes no longer take their configuration from the API; an existing source is kept. */
function dropConfigSource({ spec, status }: Node, stored: Node | undefined): void {
  if (status?.config !== undefined && !stored) delete status.config
  if (spec?.configSource !== undefined && stored?.spec?.configSource === undefined) delete spec.configSource
}

/** Gated fields of the status are dropped here if their gate is off; the status subresource accepts all of them. */
function dropDisabledFeatures({ status }: Node, stored: Node | undefined, gates: NodeFeatureGates): void {
  if (!status) return
  if (!gates.runtimeHandlers) delete status.runtimeHandlers
  if (!gates.supplementalGroupsPolicy && !stored?.status?.features) delete status.features
  if (!gates.declaredFeatures && !stored?.status?.declaredFeatures) delete status.declaredFeatures
}

/** Defaults that depend on other fields. */
export function fillNode({ spec, status }: Node): void {
  if (spec) alignRanges(spec)
  if (!status) return
  // By default Pods may use the whole capacity.
  if (status.allocatable === undefined && status.capacity !== undefined) status.allocatable = { ...status.capacity }
  roundResourceList(status.capacity)
  roundResourceList(status.allocatable)
}

/** The first of `podCIDRs` is `podCIDR`, whichever of the two was written. */
function alignRanges(spec: { podCIDR?: string; podCIDRs?: string[] }): void {
  const { podCIDR, podCIDRs = [] } = spec
  if (podCIDR && podCIDRs[0] !== podCIDR) spec.podCIDRs = [podCIDR]
  else if (!podCIDR && podCIDRs[0]) spec.podCIDR = podCIDRs[0]
}

/** The proxy to the agent of a node. */
const proxy: ConnectSubresource = {
  ...proxyTo('Node'),
  connect({ target }: { target: ApiObject }) {
    throw unreachableService(`node ${JSON.stringify(target.metadata.name)}`)
  },
}

export const nodes = (names: NodeNames, gates: NodeFeatureGates) =>
  defineResource({
    group: '',
    kind: 'Node',
    resource: 'nodes',
    shortNames: ['no'],
    namespaced: false,
    versions: [{ name: 'v1', schema: Node, defaults: fillNode }],
    generation: false,
    strategy: mainStrategy(gates),
    subresources: { status: { kind: 'update', strategy: statusStrategy }, proxy },
    selectableFields: { 'spec.unschedulable': ({ spec }: Node) => String(spec?.unschedulable ?? false) },
    columns: columns(names),
  })
