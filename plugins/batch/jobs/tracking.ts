import { type FieldError, forbiddenField, type ObjectMeta } from 'orch/sdk'
import type { BatchNames } from '../names.js'
import type { Job } from './schema.js'

/** Whether the Pods of this job are tracked with a finalizer. An annotation distinguishes such jobs from older ones. */
export const isTracked = (job: Job, { tracking, tracksAlways }: BatchNames): boolean =>
  tracksAlways || job.metadata?.annotations?.[tracking] !== undefined

/** New jobs are tracked if the gate is on, whatever the client sent. */
export function markNew(draft: Job, names: BatchNames, isOn: boolean): void {
  if (names.tracksAlways) return
  if (isOn) mark(draft, names)
  else unmark(draft, names)
}

/**
 * An untracked job stays untracked, because its existing Pods lack the finalizer. Where all new jobs are tracked, but need the annotation,
 * it cannot be removed.
 */
export function markUpdated(draft: Job, stored: Job, names: BatchNames, isOn: boolean): void {
  if (names.tracksAlways) return
  if (!isTracked(stored, names)) {
    if (!isOn) unmark(draft, names)
  } else if (names.keepsMark) mark(draft, names)
}

export function checkMark(sent: Job, stored: Job, names: BatchNames): FieldError[] {
  if (!isTracked(sent, names) || isTracked(stored, names)) return []
  return [forbiddenField(`metadata.annotations[${names.tracking}]`, 'cannot add this annotation')]
}

function mark(draft: Job, { tracking }: BatchNames): void {
  draft.metadata = { ...draft.metadata, annotations: { ...draft.metadata?.annotations, [tracking]: '' } }
}

function unmark(draft: Job, names: BatchNames): void {
  if (!isTracked(draft, names)) return
  const { [names.tracking]: _, ...rest } = draft.metadata?.annotations ?? {}
  const metadata: ObjectMeta = { ...draft.metadata, annotations: rest }
  if (Object.keys(rest).length === 0) delete metadata.annotations
  draft.metadata = metadata
}
