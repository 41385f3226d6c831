import type { Pod, Service } from 'orch/sdk/core'

interface Seen {
  readonly service: string
  readonly pods: ReadonlyMap<string, string>
}

/**
 * The time of the change that triggered a write of endpoints: the earliest one since the Service was last reconciled. A Service
 * changes when it is created, a Pod when it becomes ready or unready.
 */
export class TriggerTimes {
  readonly #seen = new Map<string, Seen>()

  /** The time of the change; undefined if nothing relevant has changed. Must be called in every reconcile of a Service. */
  next({ metadata }: Service, pods: readonly Pod[]): string | undefined {
    const key = `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`
    const last = this.#seen.get(key)
    const created = metadata?.creationTimestamp ?? ''
    const ofPods = new Map(pods.flatMap(pod => readyTimeOf(pod)))
    this.#seen.set(key, { service: created, pods: ofPods })
    if (!last) return created || undefined
    const changed = [...ofPods].flatMap(([name, time]) => (isAfter(time, last.pods.get(name)) ? [time] : []))
    if (isAfter(created, last.service)) changed.push(created)
    return changed.reduce<string | undefined>(
      (first, time) => (!first || isAfter(first, time) ? time : first),
      undefined,
    )
  }

  /** Drops a deleted Service: a new one of the same name starts again. */
  forget(key: string): void {
    this.#seen.delete(key)
  }
}

function readyTimeOf({ metadata, status }: Pod): [string, string][] {
  const time = status?.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime
  return time ? [[metadata?.name ?? '', time]] : []
}

const isAfter = (time: string, other: string | undefined): boolean => !other || Date.parse(time) > Date.parse(other)
