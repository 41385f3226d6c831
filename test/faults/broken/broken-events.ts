import type { Store, StoreEvent } from 'orch/sdk/host'
import { sharedKeys } from '../clients/written-objects.js'
import { delegatingStore } from './delegating-store.js'

/** What becomes of one event in so many of those that clients of the harness make. */
const oneIn = 15
/** Not the first key, nor the last of all: when an epoch ends the harness waits patiently for their events. */
const harnessKeys = sharedKeys.slice(1).map(name => `/${name}`)
const isOfHarness = ({ key }: StoreEvent) => harnessKeys.some(end => key.endsWith(end))

/** Handed every event; returns what subscribers get instead, now. */
type Change = (event: StoreEvent, isChosen: boolean) => readonly StoreEvent[]

/** Live events are changed on their way to watchers; history, and so a watch that resumes, is right. */
function withChangedEvents(inner: Store, makeChange: () => Change): Store {
  return delegatingStore(inner, {
    subscribe(deliver) {
      const change = makeChange()
      let seen = 0
      return inner.subscribe(events => {
        const changed = events.flatMap(event => change(event, isOfHarness(event) && ++seen % oneIn === 0))
        if (changed.length > 0) deliver(changed)
      })
    },
  })
}

export const droppingStore = (inner: Store): Store =>
  withChangedEvents(inner, () => (event, isChosen) => (isChosen ? [] : [event]))

export const repeatingStore = (inner: Store): Store =>
  withChangedEvents(inner, () => (event, isChosen) => (isChosen ? [event, event] : [event]))

/** Holds an event back until the next has gone. */
export const reorderingStore = (inner: Store): Store =>
  withChangedEvents(inner, () => {
    let held: StoreEvent[] = []
    return (event, isChosen) => {
      if (isChosen) {
        held = [event]
        return []
      }
      const now = [event, ...held]
      held = []
      return now
    }
  })
