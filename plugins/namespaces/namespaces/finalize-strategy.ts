import type { Strategy } from 'orch/sdk'
import type { Namespace } from 'orch/sdk/core'
import type { NamespaceNames } from '../names.js'
import { validateFinalize } from './validation.js'

/** The only path on which `spec.finalizers` changes. */
export const finalizeStrategy = (names: NamespaceNames) =>
  ({
    prepareForUpdate(draft, stored) {
      draft.status = stored.status
    },
    validateUpdate: namespace => validateFinalize(namespace, names),
    resetFields: ['status'],
  }) satisfies Strategy<Namespace>
