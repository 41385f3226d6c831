import type { ReplicatedChange, Revision, StoreReplica } from 'orch/sdk/host'

/** Forwards to another replica, except for some members. */
const delegatingReplica = (inner: StoreReplica, changed: Partial<StoreReplica>): StoreReplica =>
  new Proxy(inner, {
    get(target, name) {
      if (Object.hasOwn(changed, name)) return Reflect.get(changed, name)
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

/** The delay with which changes are applied. */
const lateMs = 150
/** One change in this many is skipped. */
const oneIn = 15
const isOfHarness = ({ key }: ReplicatedChange): boolean => key.includes('configmaps')

/** Reports a change as applied, and applies it a moment later. */
export function laggingReplica(inner: StoreReplica): StoreReplica {
  let revision = 0
  return delegatingReplica(inner, {
    get revision() {
      return Math.max(revision, inner.revision)
    },
    apply(changes: readonly ReplicatedChange[], to: Revision) {
      revision = to
      setTimeout(() => {
        try {
          inner.apply(changes, to)
        } catch {
          // It is closed, or inconsistent, which is its purpose.
        }
      }, lateMs)
    },
  })
}

/** Skips a change now and then. */
export function skippingReplica(inner: StoreReplica): StoreReplica {
  let seen = 0
  return delegatingReplica(inner, {
    apply: (changes, to) =>
      inner.apply(
        changes.filter(change => !isOfHarness(change) || ++seen % oneIn !== 0),
        to,
      ),
  })
}

/** Reads without waiting for committed changes. Changes are delayed, because the defect would hardly ever show on one machine otherwise. */
export function hastyReplica(inner: StoreReplica): StoreReplica {
  const late = laggingReplica(inner)
  return delegatingReplica(late, {
    get revision() {
      return late.revision === 0 ? 0 : Number.MAX_SAFE_INTEGER
    },
  })
}
