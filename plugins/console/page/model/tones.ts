/** Colours of statuses in tables; the text is always shown, too. */

export type Tone = 'good' | 'warn' | 'bad'

const words: Readonly<Record<Tone, ReadonlySet<string>>> = {
  good: new Set([
    ...['Running', 'Ready', 'Active', 'Bound', 'Available', 'Complete', 'Completed', 'Succeeded', 'Healthy'],
    ...['Established', 'Approved,Issued', 'Approved', 'True'],
  ]),
  warn: new Set([
    ...['Pending', 'Terminating', 'Warning', 'Unknown', 'Suspended', 'Released', 'ContainerCreating'],
    ...['PodInitializing', 'SchedulingDisabled', 'Ready,SchedulingDisabled', 'Unschedulable', 'Progressing'],
  ]),
  bad: new Set([
    ...['Failed', 'Error', 'CrashLoopBackOff', 'ImagePullBackOff', 'ErrImagePull', 'Evicted', 'NotReady', 'Lost'],
    ...['Denied', 'OOMKilled', 'CreateContainerConfigError', 'RunContainerError', 'InvalidImageName', 'False'],
    ...['DeadlineExceeded', 'BackoffLimitExceeded', 'Degraded', 'Unhealthy'],
  ]),
}
/** Columns that contain statuses: an object that is named "Failed" has not failed. */
const statusColumns =
  /^(?:status|phase|state|type|ready|available|condition|health|synced|established|current|healthy|loaded|reason)$/i

export const mayHaveTone = (column: string): boolean => statusColumns.test(column)

export function toneOf(column: string, text: string): Tone | undefined {
  if (!mayHaveTone(column)) return undefined
  const [, have, want] = /^(\d+)\/(\d+)$/.exec(text) ?? []
  if (have !== undefined) return Number(have) >= Number(want) ? 'good' : 'warn'
  const first = text.replace(/ \(.*/, '').replace(/^Init:/, '')
  return (['good', 'warn', 'bad'] as const).find(tone => words[tone].has(first))
}
