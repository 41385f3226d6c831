import { Kind } from '../resource/meta.js'
import type { SentObjectOf } from '../resource/resource.js'
import { embedded, field, ListOf, required, type Static, Struct, Text, Time } from '../resource/schema.js'

/** Something observed about a namespace. */
export const NamespaceCondition = Struct(
  'core.v1.NamespaceCondition',
  {
    type: required(1, Text(), 'Type of the condition.'),
    status: required(2, Text(), 'True, False or Unknown.'),
    lastTransitionTime: embedded(4, Time(), 'When the status last changed.'),
    reason: field(5, Text(), 'Machine-readable reason in one word.'),
    message: field(6, Text(), 'Human-readable message.'),
  },
  { description: 'Something observed about a namespace.' },
)
export type NamespaceCondition = Static<typeof NamespaceCondition>

const NamespaceSpec = Struct(
  'core.v1.NamespaceSpec',
  { finalizers: field(1, ListOf(Text()), 'Finalizers that must be removed before the namespace is deleted.') },
  { description: 'Finalizers of a namespace.' },
)
/** The phase of a namespace that is in use. */
export const activePhase = 'Active'

const NamespaceStatus = Struct(
  'core.v1.NamespaceStatus',
  {
    phase: field(1, Text({ default: activePhase }), 'Active, or Terminating while its contents are being removed.'),
    conditions: field(
      2,
      ListOf(NamespaceCondition, { patchStrategy: 'merge', patchMergeKey: 'type' }),
      'Progress of the removal of its contents.',
    ),
  },
  { description: 'Status of the namespace.' },
)

/** A scope for names, and for permissions and quotas. */
export const Namespace = Kind(
  'core.v1.Namespace',
  {
    spec: embedded(2, NamespaceSpec, 'Desired state.'),
    status: embedded(3, NamespaceStatus, 'Observed state. Written by the system.'),
  },
  { description: 'A scope for names, and for permissions and quotas.' },
)
export type Namespace = SentObjectOf<typeof Namespace>

/** Names the collection for clients and caches. */
export const namespaceCollection = { group: '', version: 'v1', resource: 'namespaces' } as const
