import type { ApiError } from 'orch/sdk'

/** Which fields of an apply belong to whom; undefined when the error is something else. */
export function conflictReport({ code, details }: ApiError, subject: string): string[] | undefined {
  const causes = (details?.causes ?? []).filter(({ reason }) => reason === 'FieldManagerConflict')
  if (code !== 409 || causes.length === 0) return undefined
  const rows = causes.map(({ field = '', message = '' }) => ({ field, owner: message.replace(/^conflict with /, '') }))
  const width = Math.max(...rows.map(({ field }) => field.length))
  const count = rows.length === 1 ? 'one field belongs' : `${rows.length} fields belong`
  const what = subject === '' ? '' : `${subject}: `
  return [
    `${what}nothing was applied, since ${count} to others; leave that out, or take over with --force-conflicts`,
    ...rows.map(({ field, owner }) => `  ${field.padEnd(width)}  owned by ${owner}`),
  ]
}
