import type { Strategy } from 'orch/sdk'
import { activePhase, type Namespace } from 'orch/sdk/core'
import type { NamespaceNames } from '../names.js'
import { labelWithName } from './defaults.js'
import { validateNamespace } from './validation.js'

/** Clients write metadata; the finalizers and the status are written through subresources. */
export const mainStrategy = (names: NamespaceNames) =>
  ({
    prepareForCreate(draft) {
      const finalizers = draft.spec?.finalizers ?? []
      draft.spec = { finalizers: finalizers.includes(names.finalizer) ? finalizers : [...finalizers, names.finalizer] }
      draft.status = { phase: activePhase }
      // A generated name was not known yet when defaults were filled in.
      labelWithName(names)(draft)
    },
    prepareForUpdate(draft, stored) {
      draft.spec = stored.spec
      draft.status = stored.status
    },
    validate: namespace => validateNamespace(namespace, names),
    // Only metadata can change here.
    validateUpdate: () => [],
    resetFields: ['status'],
  }) satisfies Strategy<Namespace>
