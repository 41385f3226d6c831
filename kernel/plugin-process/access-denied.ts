import type { Violation, ViolationKind } from '../isolation/plugin-messages.js'

/** An action that the permissions deny, with the error code of Node's own permission model. */
class AccessDenied extends Error {
  readonly code = 'ERR_ACCESS_DENIED'
}

/** Reports an attempt to the server, and throws. */
export type Deny = (kind: ViolationKind, what: string) => never

export const denyAnd =
  (tell: (violation: Violation) => void): Deny =>
  (kind, what) => {
    tell({ kind, what })
    throw new AccessDenied(`${what} is not among the permissions of this plugin`)
  }

/**
 * `Reflect.apply` as it was before the plugin was loaded. Code that guards original functions must call nothing that a
 * plugin can replace, since that would expose the original, or the decision, to the plugin. So it uses neither
 * prototype methods nor iterators.
 */
export const { apply } = Reflect

/** A method as it was before the plugin was loaded, as a function. */
export const captured =
  <Self, Args extends unknown[], Result>(method: (this: Self, ...args: Args) => Result) =>
  (self: Self, ...args: Args): Result =>
    apply(method, self, args)

/** Replaces functions of an object with ones that deny. */
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
