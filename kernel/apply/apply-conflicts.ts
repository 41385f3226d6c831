import { ApiError } from 'orch/sdk'
import type { Ownership } from './managed-fields.js'
import { type FieldSet, pathsOf } from './structured-merge/field-set.js'
import { compareText, describePath } from './structured-merge/path-element.js'

/** Fields that an apply would change although others own them. */
export interface Conflict {
  readonly owner: Ownership
  readonly fields: FieldSet
}

/** The error for an apply with conflicts: one cause per field and owner. */
export function conflictError(conflicts: readonly Conflict[]): ApiError {
  const found = [...conflicts]
    .sort((left, right) => compareText(left.owner.manager, right.owner.manager))
    .map(({ owner, fields }) => ({ owner: describeOwner(owner), paths: [...pathsOf(fields)].map(describePath) }))
  const causes = found.flatMap(({ owner, paths }) =>
    paths.map(field => ({ reason: 'FieldManagerConflict', message: `conflict with ${owner}`, field })),
  )
  const failed = (message: string) => new ApiError(409, 'Conflict', message, { causes })
  if (causes.length === 1) {
    return failed(`Apply failed with 1 conflict: ${causes[0]?.message}: ${causes[0]?.field}`)
  }
  const lines = found.flatMap(({ owner, paths }) => [`conflicts with ${owner}:`, ...paths.map(path => `- ${path}`)])
  return failed(`Apply failed with ${causes.length} conflicts: ${lines.join('\n')}`)
}

function describeOwner({ manager, operation, apiVersion, subresource }: Ownership): string {
  const name = subresource ? `"${manager}" with subresource "${subresource}"` : `"${manager}"`
  return operation === 'Update' ? `${name} using ${apiVersion}` : name
}
