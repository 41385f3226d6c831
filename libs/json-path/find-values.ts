import { isObject, own, sortedKeys } from '../json/index.js'
import { JsonPathError } from './errors.js'
import { type Comparison, type PathStep, readPath, type Step } from './read-path.js'

/**
 * The values at a path such as `.spec.containers[*].image`. The dialect is kubectl's: libraries implement RFC 9535 or its
 * predecessors, which have no dots escaped by `\` and no templates, and some of them evaluate filters as JavaScript.
 */
export function valuesAt(path: string, root: unknown): unknown[] {
  return findValues(readPath(path), [root], root)
}

/** Follows all steps from each value; a step without a match yields nothing, or fails for a field if keys are required. */
export function findValues(
  steps: readonly Step[],
  from: readonly unknown[],
  root: unknown,
  requiresKeys = false,
): unknown[] {
  return steps.reduce<unknown[]>(
    (values, step) =>
      values.flatMap(value => {
        const found = next(step, value, root)
        if (requiresKeys && found.length === 0 && step.step === 'field') throw new Error(`${step.name} is not found`)
        return found
      }),
    [...from],
  )
}

function next(step: Step, value: unknown, root: unknown): unknown[] {
  switch (step.step) {
    case 'root':
      return [root]
    case 'field':
      return fieldOf(value, step.name)
    case 'union':
      return step.names.flatMap(name => fieldOf(value, name))
    case 'all':
      return childrenOf(value)
    case 'items':
      return Array.isArray(value) ? itemsOf(value, step) : []
    case 'below':
      return below(value)
    case 'filter':
      return (Array.isArray(value) ? value : []).filter(child => holds(step.condition, child, root))
  }
}

const fieldOf = (value: unknown, name: string): unknown[] => {
  if (!isObject(value)) return []
  return Object.hasOwn(value, name) ? [own(value, name)] : []
}
const childrenOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : isObject(value) ? sortedKeys(value).keys.map(key => value[key]) : []
const below = (value: unknown): unknown[] => [value, ...childrenOf(value).flatMap(below)]

function itemsOf(list: unknown[], { indexes, range }: Extract<PathStep, { step: 'items' }>): unknown[] {
  const place = (index: number) => (index < 0 ? list.length + index : index)
  if (range === undefined) return indexes.map(place).flatMap(index => (index in list ? [list[index]] : []))
  const [start = 0, end = list.length, stride = 1] = range
  return list.slice(place(start), place(end)).filter((_, index) => index % Math.max(stride, 1) === 0)
}

function holds({ left, operator, right }: Comparison, value: unknown, root: unknown): boolean {
  const [found] = findValues(left, [value], root)
  if (operator === undefined) return found !== undefined && found !== false
  const [wanted] = 'literal' in right! ? [right.literal] : findValues(right!.path, [value], root)
  switch (operator) {
    case '==':
      return found === wanted
    case '!=':
      return found !== wanted
    default:
      return compare(found, wanted, operator)
  }
}

function compare(found: unknown, wanted: unknown, operator: string): boolean {
  if (typeof found !== typeof wanted || (typeof found !== 'number' && typeof found !== 'string')) return false
  const [a, b] = [found, wanted] as [string, string]
  if (operator === '<') return a < b
  if (operator === '<=') return a <= b
  if (operator === '>') return a > b
  if (operator === '>=') return a >= b
  throw new JsonPathError(`"${operator}" is not a comparison operator of jsonpath filters`)
}
