import { type Store, Transactions } from 'orch/sdk/host'

/** A store that forwards to another one, except for some methods. */
export function delegatingStore(inner: Store, changed: Partial<Store>): Store {
  const transactions = new Transactions()
  const store: Store = {
    currentRevision: () => inner.currentRevision(),
    latestRevision: () => inner.latestRevision(),
    compactedRevision: () => inner.compactedRevision(),
    get: key => inner.get(key),
    list: request => inner.list(request),
    count: prefix => inner.count(prefix),
    writeTurn: () => undefined,
    transact: (key, decide, options) => transactions.run(store, key, decide, options),
    write: write => inner.write(write),
    subscribe: deliver => inner.subscribe(deliver),
    history: (prefix, from, to) => inner.history(prefix, from, to),
    compact: revision => inner.compact(revision),
    stats: () => inner.stats(),
    advanceTo: revision => inner.advanceTo(revision),
    catchUp: () => inner.catchUp(),
    close: () => inner.close(),
    ...changed,
  }
  return store
}
