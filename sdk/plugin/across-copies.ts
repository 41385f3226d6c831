/**
 * A process may load several copies of this sdk: a linked plugin has the copy it was developed with. An entry point of
 * the sdk returns the copy that was loaded first where possible (see tools/bundled/sdk-door.cjs). Otherwise, because
 * that copy lacks something, copies recognise each other's tokens, errors and plugins by shared symbols.
 */
export const sdkVersionMark = Symbol.for('orch.sdk.version')

/** Makes `instanceof` true for instances of the class of this name in every copy of the sdk. Subclasses are not affected. */
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
