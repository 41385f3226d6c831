import { type FieldError, invalidValue } from 'orch/sdk'
import { activePhase, type Namespace } from 'orch/sdk/core'
import { isQualifiedName } from 'orch/sdk/validation'
import type { NamespaceNames } from '../names.js'
import { terminatingPhase } from '../names.js'

/** Standard finalizers without a domain, in addition to the vendor's own. */
const standardFinalizers = ['orphan', 'foregroundDeletion']

function checkFinalizer(finalizer: string, field: string, names: NamespaceNames): FieldError[] {
  const errors = isQualifiedName(finalizer).map(text => invalidValue(field, finalizer, text))
  const isKnown = finalizer === names.finalizer || standardFinalizers.includes(finalizer)
  if (!finalizer.includes('/') && !isKnown)
    errors.push(invalidValue(field, finalizer, 'name is neither a standard finalizer name nor is it fully qualified'))
  return errors
}

export const validateNamespace = ({ spec }: Namespace, names: NamespaceNames): FieldError[] =>
  (spec?.finalizers ?? []).flatMap(finalizer => checkFinalizer(finalizer, 'spec.finalizers', names))

export const validateFinalize = ({ spec }: Namespace, names: NamespaceNames): FieldError[] =>
  (spec?.finalizers ?? []).flatMap((finalizer, index) => checkFinalizer(finalizer, `spec.finalizers[${index}]`, names))

/** The phase must match whether the namespace is being deleted. */
export function validateStatus({ metadata, status }: Namespace): FieldError[] {
  const isDeleted = metadata?.deletionTimestamp !== undefined
  const expected = isDeleted ? terminatingPhase : activePhase
  if (status?.phase === expected) return []
  const when = isDeleted ? 'is not empty' : 'is empty'
  return [
    invalidValue('status.Phase', status?.phase ?? '', `may only be '${expected}' if \`deletionTimestamp\` ${when}`),
  ]
}
