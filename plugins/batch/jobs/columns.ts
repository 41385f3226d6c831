import { ageColumn, type Column, humanDuration, nameColumn } from 'orch/sdk'
import { podColumns, textColumn } from '../template-columns.js'
import type { Job } from './schema.js'

/** `2/5`; where any success is enough, `1/1 of 3` with the number of Pods at a time. */
function completions({ spec, status }: Job): string {
  const succeeded = status?.succeeded ?? 0
  if (spec?.completions !== undefined) return `${succeeded}/${spec.completions}`
  const parallelism = spec?.parallelism ?? 0
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`
}

function duration({ status }: Job, now: number): string {
  if (!status?.startTime) return ''
  const end = status.completionTime ? Date.parse(status.completionTime) : now
  return humanDuration(end - Date.parse(status.startTime))
}

export const columns = [
  nameColumn,
  textColumn('Completions', 'How many Pods have succeeded, of those wanted.', completions),
  textColumn('Duration', 'How long it took, or has taken so far.', duration),
  ageColumn,
  ...podColumns(({ spec }: Job) => spec),
] as readonly Column<never>[]
