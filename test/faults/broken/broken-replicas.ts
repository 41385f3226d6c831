import type { ReplicatedChange, Revision, StoreReplica } from 'orch/sdk/host'

/** Does what another replica does, apart from some members. */
const delegatingReplica = (inner: StoreReplica, changed: Partial<StoreReplica>): StoreReplica =>
  new Proxy(inner, {
    get(target, name) {
      if (Object.hasOwn(changed, name)) return Reflect.get(changed, name)
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

/** How late changes are taken. */
const lateMs = 150
/** One change of so many is left out. */
const oneIn = 15
const isOfHarness = ({ key }: ReplicatedChange): boolean => key.includes('configmaps')

/** Says that it has a change, and takes it a moment later. */
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
          // It has been closed, or it is wrong: that is what it is for.
        }
      }, lateMs)
    },
  })
}

/** Leaves out a change now and then. */
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

/** Answers without waiting for what has been committed. Changes come late, or that would hardly ever be seen on one machine. */
export function hastyReplica(inner: StoreReplica): StoreReplica {
  const late = laggingReplica(inner)
  return delegatingReplica(late, {
    get revision() {
      return late.revision === 0 ? 0 : Number.MAX_SAFE_INTEGER
    },
  })
}
