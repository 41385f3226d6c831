import type { AdmissionRequest, Resolved } from 'orch/sdk'
import type { Namespace } from 'orch/sdk/core'
import type { lookupNeeds } from '../admission/find-namespace.js'

/** Test doubles for caches and store: `cached` is in both, `stored` only in the store. */
export const knownNamespaces = (
  cached: Readonly<Record<string, Namespace>>,
  stored: Readonly<Record<string, Namespace>> = {},
): Resolved<typeof lookupNeeds> =>
  ({
    caches: { of: () => ({ get: (_: string, name: string) => cached[name] }) },
    reader: { get: async (_: unknown, __: string, name: string) => cached[name] ?? stored[name] },
  }) as unknown as Resolved<typeof lookupNeeds>

/** A request to create a ConfigMap, with changes. */
export const aRequest = (changes: Partial<AdmissionRequest> = {}): AdmissionRequest =>
  ({
    operation: 'create',
    group: '',
    resource: 'configmaps',
    subresource: '',
    namespace: 'town',
    name: 'a',
    dryRun: false,
    ...changes,
  }) as AdmissionRequest
