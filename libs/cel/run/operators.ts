import { selectCost } from '../cost/factors.js'
import { absorbed, type Step } from './frame.js'
import { noOverload } from './prepare-overload.js'
import { CelList, CelMap, Optional, typeNameOfValue, Uint } from './values.js'
import { Failure } from './work.js'

/** A key as shown in messages. */
export const shown = (key: unknown): string => String(key instanceof Uint ? key.value : key)

export function hasField(value: unknown, field: string): boolean {
  if (value instanceof CelMap) return value.has(field)
  if (value instanceof Optional) return value.some !== undefined && hasField(value.some.value, field)
  throw new Failure(`no such overload: has(${typeNameOfValue(value)}.${field})`)
}
export function fieldOf(value: unknown, field: string): unknown {
  if (value instanceof CelMap) {
    const found = value.get(field)
    if (found === undefined) throw new Failure(`no such key: ${field}`)
    return found
  }
  // A field of an optional value is an optional value.
  if (value instanceof Optional) return selectOptional(value, field)
  throw new Failure(`no such overload: ${typeNameOfValue(value)}.${field}`)
}

function selectOptional(value: unknown, key: unknown): Optional {
  if (value instanceof Optional) return value.some ? selectOptional(value.some.value, key) : value
  if (value instanceof CelMap) {
    const found = value.get(key)
    return found === undefined ? Optional.none : Optional.of(found)
  }
  if (value instanceof CelList) {
    const position = positionOf(key)
    const found = position === undefined ? undefined : value.get(position)
    return found === undefined ? Optional.none : Optional.of(found)
  }
  throw new Failure(`no such overload: ${typeNameOfValue(value)}[?${typeNameOfValue(key)}]`)
}
export function asOptional(value: unknown): Optional {
  if (value instanceof Optional) return value
  throw new Failure(`cannot initialize optional entry from non-optional value ${typeNameOfValue(value)}`)
}

/** The list index for a key. */
function positionOf(key: unknown): number | undefined {
  const position = key instanceof Uint ? Number(key.value) : typeof key === 'bigint' ? Number(key) : key
  return typeof position === 'number' && Number.isInteger(position) ? position : undefined
}

export function index(of: Step, at: Step): Step {
  return frame => {
    const value = of(frame)
    const key = at(frame)
    frame.work.cost(selectCost)
    frame.work.steps(2)
    if (value instanceof CelMap) {
      const found = value.get(key)
      if (found === undefined) throw new Failure(`no such key: ${shown(key)}`)
      return found
    }
    if (value instanceof Optional) return selectOptional(value, key)
    if (!(value instanceof CelList)) throw new Failure(noOverload('_[_]', [value, key]))
    const position = positionOf(key)
    if (position === undefined) throw new Failure(`unsupported index type '${typeNameOfValue(key)}' in list`)
    const found = position >= 0 && position < value.size ? value.get(position) : undefined
    if (found === undefined) throw new Failure(`index out of bounds: ${shown(key)}`)
    return found
  }
}
export function optionalIndex(of: Step, at: Step): Step {
  return frame => {
    const value = of(frame)
    const key = at(frame)
    frame.work.cost(1)
    frame.work.steps(4)
    return selectOptional(value, key)
  }
}

/** The alternative is evaluated only if there is no value. */
export function orElse(target: Step, otherwise: Step, isUnwrapped: boolean): Step {
  return frame => {
    const value = target(frame)
    frame.work.cost(1)
    frame.work.steps(2)
    if (!(value instanceof Optional)) throw new Failure(`no such overload: ${typeNameOfValue(value)}.orValue`)
    if (value.some) return isUnwrapped ? value.some.value : value
    return otherwise(frame)
  }
}

export function conditional(condition: Step, then: Step, otherwise: Step): Step {
  return frame => {
    const chosen = condition(frame)
    frame.work.steps(1)
    if (chosen === true) return then(frame)
    if (chosen === false) return otherwise(frame)
    throw new Failure(`no such overload: ${typeNameOfValue(chosen)} as a condition`)
  }
}

/** A decisive operand determines the result even if another operand failed. */
export function logical(parts: readonly Step[], decisive: boolean): Step {
  return frame => {
    let failure: Failure | undefined
    for (let i = 0; i < parts.length; i++) {
      frame.work.steps(1)
      try {
        const value = parts[i]!(frame)
        if (value === decisive) return decisive
        if (value !== !decisive) failure ??= new Failure(`no such overload: ${typeNameOfValue(value)} as a condition`)
      } catch (thrown) {
        failure ??= absorbed(thrown, frame)
      }
    }
    if (failure) throw failure
    return !decisive
  }
}
