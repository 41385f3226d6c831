import type { Store, StoreEvent } from 'orch/sdk/host'
import { sharedKeys } from '../clients/written-objects.js'
import { delegatingStore } from './delegating-store.js'

/** One event in this many is changed. */
const oneIn = 15
/** Neither the first nor the last key: at the end of an epoch the harness waits for their events. */
const harnessKeys = sharedKeys.slice(1).map(name => `/${name}`)
const isOfHarness = ({ key }: StoreEvent) => harnessKeys.some(end => key.endsWith(end))

/** Receives every event and returns what subscribers get instead. */
type Change = (event: StoreEvent, isChosen: boolean) => readonly StoreEvent[]

/** Changes live events for watchers; history, and so a resumed watch, is correct. */
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

/** Delays an event until after the next one. */
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
