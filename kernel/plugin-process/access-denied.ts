import type { Violation, ViolationKind } from '../isolation/plugin-messages.js'

/** An attempt that permissions do not allow, with the code that Node's own permission model uses. */
class AccessDenied extends Error {
  readonly code = 'ERR_ACCESS_DENIED'
}

/** Tells the server of an attempt, and throws. */
export type Deny = (kind: ViolationKind, what: string) => never

export const denyAnd =
  (tell: (violation: Violation) => void): Deny =>
  (kind, what) => {
    tell({ kind, what })
    throw new AccessDenied(`${what} is not among the permissions of this plugin`)
  }

/**
 * `Reflect.apply` as it was before the plugin was loaded. What guards originals must call nothing that a plugin can replace: that would
 * hand it the original, or the decision. So neither methods of prototypes nor iterators are used where they are guarded.
 */
export const { apply } = Reflect

/** A method as it was before the plugin was loaded, as a function. */
export const captured =
  <Self, Args extends unknown[], Result>(method: (this: Self, ...args: Args) => Result) =>
  (self: Self, ...args: Args): Result =>
    apply(method, self, args)

/** Puts functions that deny in the place of those that an object has. */
export function denyAll(object: object | undefined, names: readonly string[], deny: () => never): void {
  for (const name of names)
    if (object && name in object)
      // Some are called, others constructed.
      Object.defineProperty(object, name, {
        value: function denied() {
          deny()
        },
        writable: true,
        configurable: true,
        enumerable: true,
      })
}
