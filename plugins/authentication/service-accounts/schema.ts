import { Bool, field, Kind, kept, ListOf, type ObjectMeta, type SentObjectOf } from 'orch/sdk'
import { LocalObjectReference, ObjectReference } from 'orch/sdk/core'

export const ServiceAccount = Kind(
  'core.v1.ServiceAccount',
  {
    secrets: field(
      2,
      ListOf(ObjectReference, { patchStrategy: 'merge', patchMergeKey: 'name' }),
      'Secrets that Pods of this account may mount, and its long-lived tokens.',
    ),
    imagePullSecrets: field(
      3,
      ListOf(LocalObjectReference),
      'Secrets with credentials for the registries that images of its Pods come from.',
    ),
    automountServiceAccountToken: kept(
      4,
      Bool(),
      'Whether Pods of this account get a token mounted without asking. A Pod may decide otherwise.',
    ),
  },
  { description: 'An identity for programs in the namespace.' },
)
export type ServiceAccount = SentObjectOf<typeof ServiceAccount>
/** An account as the API and the caches return it. */
export type StoredServiceAccount = ServiceAccount & { metadata: ObjectMeta }
