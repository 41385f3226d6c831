import { type CelValue, celType, isCelError, isCelList, isCelMap } from '@bufbuild/cel'
import { functionsNamed } from './environment.js'
import { proportionalFunctions } from './expression-costs.js'
import { Failure, type Step } from './frame.js'
import { charge } from './meter.js'

/** Those that are charged for the size of their arguments in a run. */
const proportional = new Set([
  ...proportionalFunctions,
  '@in',
  'matches',
  'find',
  'findAll',
  'sum',
  'min',
  'max',
  'isSorted',
  'size',
])
/** Functions whose result can be much larger than their arguments. */
const amplifying = new Set(['format', 'replace', 'join'])
const perUnit = 0.1
const sizeOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 1
  return (value as { size?: number }).size ?? (value as { length?: number }).length ?? 1
}

/** Fast paths of functions for the most common types. Return undefined for other types. */
type FastPath = (left: unknown, right: unknown) => unknown
const isPlain = (value: unknown) => typeof value !== 'object'
/** Two strings, or two numbers of the same type. */
const areOrdered = (left: unknown, right: unknown) =>
  typeof left === typeof right && (typeof left === 'bigint' || typeof left === 'string' || typeof left === 'number')
const areTexts = (left: unknown, right: unknown): left is string =>
  typeof left === 'string' && typeof right === 'string'
const isEqual: FastPath = (left, right) => (typeof left === typeof right && isPlain(left) ? left === right : undefined)

const fastPaths: Readonly<Record<string, FastPath>> = {
  '_==_': isEqual,
  '_!=_': (left, right) => {
    const equal = isEqual(left, right)
    return equal === undefined ? undefined : !equal
  },
  '_<_': (left, right) => (areOrdered(left, right) ? (left as number) < (right as number) : undefined),
  '_<=_': (left, right) => (areOrdered(left, right) ? (left as number) <= (right as number) : undefined),
  '_>_': (left, right) => (areOrdered(left, right) ? (left as number) > (right as number) : undefined),
  '_>=_': (left, right) => (areOrdered(left, right) ? (left as number) >= (right as number) : undefined),
  '_+_': (left, right) => (areTexts(left, right) ? left + (right as string) : undefined),
  '!_': value => (typeof value === 'boolean' ? !value : undefined),
  '@in': (value, all) => (typeof value === 'string' && isCelMap(all) ? all.has(value) : undefined),
  startsWith: (text, start) => (areTexts(text, start) ? text.startsWith(start as string) : undefined),
  endsWith: (text, end) => (areTexts(text, end) ? text.endsWith(end as string) : undefined),
  contains: (text, part) => (areTexts(text, part) ? text.includes(part as string) : undefined),
  size: value => (isCelList(value) || isCelMap(value) ? BigInt(value.size) : undefined),
}

/** Compiles a call of a function, or of a method if there is a target. Constant arguments are not charged. */
export function planCall(
  id: number,
  name: string,
  target: Step | undefined,
  args: readonly Step[],
  isConstant: readonly boolean[],
): Step {
  const functions = functionsNamed(name)
  if (!functions) throw new Failure(`unbound function: ${name}`)
  const parts = target ? [target, ...args] : args
  const charged = proportional.has(name)
    ? parts.map((_, index) => (target && index === 0) || !isConstant[index - (target ? 1 : 0)])
    : []
  const isCharged = charged.includes(true)
  const isAmplifying = amplifying.has(name)
  const [first, second] = parts
  const shortcut = parts.length <= 2 ? fastPaths[name] : undefined
  const slow = (values: unknown[]): unknown => {
    const callArgs = (target ? values.slice(1) : values) as CelValue[]
    const result = functions.call(id, target ? (values[0] as CelValue) : undefined, callArgs)
    if (result === undefined) throw new Failure(noOverload(name, target ? values[0] : undefined, callArgs))
    if (isCelError(result)) throw new Failure(result.message)
    if (isAmplifying) charge(sizeOf(result) * perUnit)
    return result
  }
  if (shortcut && first)
    return frame => {
      const left = first(frame)
      const right = second?.(frame)
      if (isCharged) {
        let cost = 0
        if (charged[0]) cost += 1 + sizeOf(left) * perUnit
        if (charged[1]) cost += 1 + sizeOf(right) * perUnit
        frame.meter.charge(cost)
      }
      const answer = shortcut(left, right)
      return answer !== undefined ? answer : slow(second ? [left, right] : [left])
    }
  return frame => {
    const values = new Array<unknown>(parts.length)
    for (let i = 0; i < parts.length; i++) values[i] = parts[i]!(frame)
    if (isCharged) {
      let cost = 0
      for (let i = 0; i < values.length; i++) if (charged[i]) cost += 1 + sizeOf(values[i]) * perUnit
      frame.meter.charge(cost)
    }
    return slow(values)
  }
}

const noOverload = (name: string, target: unknown, args: readonly CelValue[]) =>
  `found no matching overload for '${name}' applied to '${target === undefined ? '' : `${celType(target as CelValue).name}.`}(${args.map(arg => celType(arg).name).join(', ')})'`
