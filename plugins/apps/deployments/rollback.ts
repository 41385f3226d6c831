import { type FieldError, invalidValue } from 'orch/sdk'
import { numberIn, requireNumber, withCanonicalNumber, withNumber, withoutAnnotation } from '../number-annotations.js'
import type { Deployment } from './schema.js'

/**
 * The revision that a deployment is to be rolled back to: a part of the spec in former versions, an annotation in this one. Clients of
 * this version roll back by changing the template.
 */
const rollbackTo = 'deprecated.deployment.rollback.to'

/** An empty text is none. */
export function fillRollback(deployment: Deployment): void {
  const { metadata } = deployment
  const text = metadata?.annotations?.[rollbackTo]
  if (text === '') deployment.metadata = withoutAnnotation(metadata, rollbackTo)
  else if (text !== undefined) deployment.metadata = withCanonicalNumber(metadata, rollbackTo)
}

/** Throws if the annotation contains no number. */
export const requireRollback = ({ metadata }: Deployment): void => requireNumber(metadata, rollbackTo)

/** Writers of the status do not change it. */
export function keepRollback(draft: Deployment, stored: Deployment): void {
  const revision = numberIn(stored.metadata, rollbackTo)
  if (revision !== undefined) draft.metadata = withNumber(draft.metadata, rollbackTo, revision)
  else if (draft.metadata?.annotations?.[rollbackTo] !== undefined)
    draft.metadata = withoutAnnotation(draft.metadata, rollbackTo)
}

export function validateRollback({ metadata }: Deployment): FieldError[] {
  const revision = numberIn(metadata, rollbackTo) ?? 0n
  return revision < 0n
    ? [invalidValue('spec.rollback.version', Number(revision), 'must be greater than or equal to 0')]
    : []
}
