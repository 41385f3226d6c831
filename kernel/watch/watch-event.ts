import type { StoreEvent } from 'orch/sdk/host'

export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED'
/** A store event as one watcher sees it. */
export interface SelectedEvent {
  readonly type: WatchEventType
  /** The previous state is shown when an object leaves a selection: with the version of the change that took it out. */
  readonly isPrevious: boolean
}

const plainTypes: Readonly<Record<StoreEvent['type'], WatchEventType>> = {
  create: 'ADDED',
  update: 'MODIFIED',
  delete: 'DELETED',
}

/**
 * What an event means to a watcher with a selector: an object that comes into the selection is added, one that leaves it
 * is deleted. Undefined when the event does not concern the watcher.
 */
export function selectEvent(
  event: StoreEvent,
  filter: ((attributes: Buffer) => boolean) | undefined,
): SelectedEvent | undefined {
  if (!filter) return { type: plainTypes[event.type], isPrevious: false }
  const isIn = event.type !== 'delete' && filter(event.attributes)
  const wasIn = event.previousAttributes !== undefined && filter(event.previousAttributes)
  if (isIn) return { type: wasIn ? 'MODIFIED' : 'ADDED', isPrevious: false }
  if (!wasIn) return undefined
  return { type: 'DELETED', isPrevious: event.type !== 'delete' }
}
