/**
 * A process may hold several copies of this sdk: a plugin that is linked brings the one it was developed with. A door of the
 * sdk hands out the copy that came first where it can (see tools/bundled/sdk-door.cjs). Where it cannot, because that one
 * lacks something, copies recognise each other's tokens, errors and plugins by marks that all of them share.
 */
export const sdkVersionMark = Symbol.for('orch.sdk.version')

/** Makes `instanceof` true for instances of the class of this name in every copy of the sdk. Subclasses stay as they are. */
// biome-ignore lint/suspicious/noExplicitAny: constructors of any kind
export function recognizedAcrossCopies(type: abstract new (...args: any[]) => object, name: string): void {
  const mark = Symbol.for(`orch.sdk.${name}`)
  Object.defineProperty(type.prototype, mark, { value: true })
  Object.defineProperty(type, Symbol.hasInstance, {
    value(this: unknown, value: unknown) {
      if (this !== type) return Function.prototype[Symbol.hasInstance].call(this, value)
      return typeof value === 'object' && value !== null && mark in value
    },
  })
}
