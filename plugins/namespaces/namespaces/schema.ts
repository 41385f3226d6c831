import { embedded, field, Kind, ListOf, needed, type ObjectOf, type Static, Struct, Text, Time } from 'orch/sdk'

export const NamespaceCondition = Struct('core.v1.NamespaceCondition', {
  type: needed(1, Text()),
  status: needed(2, Text()),
  lastTransitionTime: embedded(4, Time()),
  reason: field(5, Text()),
  message: field(6, Text()),
})
export type NamespaceCondition = Static<typeof NamespaceCondition>

const NamespaceSpec = Struct('core.v1.NamespaceSpec', { finalizers: field(1, ListOf(Text())) })
export const active = 'Active'
export const terminating = 'Terminating'

const NamespaceStatus = Struct('core.v1.NamespaceStatus', {
  phase: field(1, Text({ default: active })),
  conditions: field(2, ListOf(NamespaceCondition, { patchStrategy: 'merge', patchMergeKey: 'type' })),
})

export const Namespace = Kind('core.v1.Namespace', {
  spec: embedded(2, NamespaceSpec),
  status: embedded(3, NamespaceStatus),
})
export type Namespace = ObjectOf<typeof Namespace>

/** Names the collection for clients and caches. */
export const namespaceCollection = { group: '', version: 'v1', resource: 'namespaces' } as const
