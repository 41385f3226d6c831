import { dynType, isDyn, isDynOrError, isExactType, type Type } from './cel-types.js'

/**
 * What is known about type parameters while an expression is checked. Attempts that fail are undone, so an overload
 * that does not match has no effect.
 */
export class Substitutions {
  readonly #known = new Map<string, Type>()
  readonly #undo: { readonly name: string; readonly before: Type | undefined }[] = []

  find(type: Type): Type | undefined {
    return type.kind === 'param' ? this.#known.get(type.name) : undefined
  }
  add(parameter: Type, type: Type): void {
    this.#undo.push({ name: parameter.name, before: this.#known.get(parameter.name) })
    this.#known.set(parameter.name, type)
  }

  /** Whether every type can be used where the other one is expected. */
  assignAll(from: readonly Type[], to: readonly Type[]): boolean {
    const mark = this.#undo.length
    if (from.length === to.length && from.every((type, i) => this.#isAssignable(type, to[i]!))) return true
    while (this.#undo.length > mark) {
      const { name, before } = this.#undo.pop()!
      if (before) this.#known.set(name, before)
      else this.#known.delete(name)
    }
    return false
  }
  assign(from: Type, to: Type): boolean {
    return this.assignAll([from], [to])
  }

  #isAssignable(from: Type, to: Type): boolean {
    if (to.kind === 'param') {
      const { isValid, isKnown } = this.#substitute(from, to)
      if (isValid) return true
      if (isKnown) return false
    }
    if (from.kind === 'param') return this.#substitute(to, from).isValid
    if (isDynOrError(from) || isDynOrError(to)) return true
    if (from.kind === 'null' || to.kind === 'null') return isNullable(from) && isNullable(to)
    switch (from.kind) {
      case 'type':
        return to.kind === 'type'
      case 'opaque':
      case 'list':
      case 'map':
        return (
          from.kind === to.kind &&
          from.name === to.name &&
          from.params.length === to.params.length &&
          from.params.every((param, i) => this.#isAssignable(param, to.params[i]!))
        )
      default:
        return isExactType(from, to)
    }
  }

  /** Tries to let `parameter` stand for `type`. */
  #substitute(type: Type, parameter: Type): { isValid: boolean; isKnown: boolean } {
    if (isExactType(type, parameter)) return { isValid: true, isKnown: true }
    const known = this.find(parameter)
    if (known) {
      if (isExactType(type, known)) return { isValid: true, isKnown: true }
      if (!this.#isAssignable(type, known)) return { isValid: false, isKnown: true }
      const general = mostGeneral(type, known)
      if (!this.#occursIn(parameter, general)) this.add(parameter, general)
      return { isValid: true, isKnown: true }
    }
    if (this.#occursIn(parameter, type)) return { isValid: false, isKnown: false }
    this.add(parameter, type)
    return { isValid: true, isKnown: false }
  }

  #occursIn(parameter: Type, type: Type): boolean {
    if (isExactType(parameter, type)) return true
    if (type.kind === 'param') {
      const known = this.find(type)
      return known !== undefined && this.#occursIn(parameter, known)
    }
    return type.params.some(param => this.#occursIn(parameter, param))
  }

  /** The type with its parameters replaced by what is known of them. Unknown ones become dyn if `isFinal`. */
  resolve(type: Type, isFinal = false): Type {
    const known = this.find(type)
    if (known) return this.resolve(known, isFinal)
    if (type.kind === 'param') return isFinal ? dynType : type
    if (type.params.length === 0) return type
    return { ...type, params: type.params.map(param => this.resolve(param, isFinal)) }
  }
}

/** Values of other types are never null. */
const nullable = new Set(['null', 'opaque', 'struct', 'duration', 'timestamp'])
const isNullable = ({ kind }: Type) => nullable.has(kind)

/** The more general of two compatible types. */
export const mostGeneral = (one: Type, other: Type): Type => (isEqualOrLessSpecific(one, other) ? one : other)

function isEqualOrLessSpecific(one: Type, other: Type): boolean {
  if (isDyn(one) || one.kind === 'param') return true
  if (isDyn(other) || other.kind === 'param' || one.kind !== other.kind) return false
  switch (one.kind) {
    case 'opaque':
    case 'list':
    case 'map':
      return (
        one.name === other.name &&
        one.params.length === other.params.length &&
        one.params.every((param, i) => isEqualOrLessSpecific(param, other.params[i]!))
      )
    case 'type':
      return true
    default:
      return isExactType(one, other)
  }
}

/** A copy of types in which each parameter is a new one. */
export function withFreshParameters(types: readonly Type[], fresh: () => Type): Type[] {
  const made = new Map<string, Type>()
  const renew = (type: Type): Type => {
    if (type.kind === 'param') {
      let parameter = made.get(type.name)
      if (!parameter) made.set(type.name, (parameter = fresh()))
      return parameter
    }
    return type.params.length === 0 ? type : { ...type, params: type.params.map(renew) }
  }
  return types.map(renew)
}
