import { accumulatorName, type Call, type Comprehension, type Expr } from '../syntax/ast.js'
import type { CheckedExpression } from '../types/checked-expression.js'
import { estimateCoreCall } from './core-estimates.js'
import type { CostModel, EstimatedNode, SizeEstimates } from './estimate-calls.js'
import { listCost, mapCost, selectCost, structCost } from './factors.js'
import { allRules, type EstimateRules, isScalar, sizeOfLiteral, unionOf } from './known-sizes.js'
import { add, exactly, multiply, type Range, union, unknownRange, zero } from './range.js'

/** The maximum size of the value at a path into the variables; undefined if it is not known. */
export type SizeAt = (path: readonly string[]) => number | undefined

/** Sizes of the keys and values of a list or map that an expression makes. */
interface EntrySizes {
  readonly container: 'list' | 'map'
  readonly key: Range
  readonly value: Range
}
interface Local {
  readonly path: readonly string[]
  readonly size: Range | undefined
  readonly entries: EntrySizes | undefined
}

/** Estimates the cost of running an expression from the possible sizes of its variables. */
export function estimateCost(
  checked: CheckedExpression,
  model: CostModel,
  sizeAt: SizeAt,
  /** The version `1.minor` of Kubernetes whose estimate is reproduced. */
  minor = Number.POSITIVE_INFINITY,
  rules: EstimateRules = allRules,
): Range {
  return new Coster(checked, model, sizeAt, minor < presenceTestsCostSince, rules).cost(checked.root)
}

/** Before that version, a presence test was free, including its operand. */
const presenceTestsCostSince = 28

const presenceTestCost = zero

class Coster implements SizeEstimates {
  readonly #checked: CheckedExpression
  readonly #model: CostModel
  readonly #sizeAt: SizeAt
  readonly #hasFreePresenceTests: boolean
  readonly #paths = new Map<number, readonly string[]>()
  readonly #sizes = new Map<number, Range>()
  readonly #entries = new Map<number, EntrySizes>()
  readonly #locals = new Map<string, Local[]>()

  readonly #rules: EstimateRules

  constructor(
    checked: CheckedExpression,
    model: CostModel,
    sizeAt: SizeAt,
    hasFreePresenceTests: boolean,
    rules: EstimateRules,
  ) {
    this.#rules = rules
    this.#hasFreePresenceTests = hasFreePresenceTests
    this.#checked = checked
    this.#model = model
    this.#sizeAt = sizeAt
  }

  cost(expr: Expr): Range {
    switch (expr.kind) {
      case 'literal':
        return zero
      case 'ident':
        return this.#ident(expr, expr.name)
      case 'select':
        return this.#select(expr)
      case 'call':
        return this.#call(expr)
      case 'list':
        return this.#list(expr)
      case 'map':
        return this.#map(expr)
      case 'struct':
        return add(exactly(structCost), ...expr.fields.map(({ value }) => this.cost(value)))
      case 'comprehension':
        return isBinding(expr) ? this.#binding(expr) : this.#loop(expr)
    }
  }

  #ident(expr: Expr, name: string): Range {
    this.#paths.set(expr.id, this.#local(name)?.path ?? [name])
    return exactly(selectCost)
  }
  #select(expr: Expr & { kind: 'select' }): Range {
    const name = this.#checked.nameOf(expr)
    if (name !== undefined) return this.#ident(expr, name)
    const operand = this.cost(expr.operand)
    if (expr.testOnly) return this.#hasFreePresenceTests ? zero : add(presenceTestCost, operand)
    this.#paths.set(expr.id, [...this.#path(expr.operand), expr.field])
    const { kind } = this.#checked.typeOf(expr.operand)
    return kind === 'map' || kind === 'struct' ? add(operand, exactly(selectCost)) : operand
  }

  #list(expr: Expr & { kind: 'list' }): Range {
    const costs = expr.items.map(item => this.cost(item))
    const sizes = expr.items.map(item => this.#sizeOrUnknown(item))
    this.#entries.set(expr.id, { container: 'list', key: exactly(1), value: unionOf(sizes) })
    return add(exactly(listCost), ...costs)
  }
  #map(expr: Expr & { kind: 'map' }): Range {
    const costs = expr.entries.flatMap(({ key, value }) => [this.cost(key), this.cost(value)])
    const key = unionOf(expr.entries.map(entry => this.#sizeOrUnknown(entry.key)))
    const value = unionOf(expr.entries.map(entry => this.#sizeOrUnknown(entry.value)))
    this.#entries.set(expr.id, { container: 'map', key, value })
    return add(exactly(mapCost), ...costs)
  }

  #call(call: Call): Range {
    const { args } = call
    // Free at run time: `dyn` only hides the type.
    if (call.name === 'dyn' && !call.target && this.#rules.dynSizes) {
      const cost = this.cost(args[0]!)
      this.#copySizes(call, args[0]!)
      return add(exactly(1), cost)
    }
    const argCosts = args.map(arg => this.cost(arg))
    const nodes = args.map(arg => this.#node(arg))
    const overloads = this.#checked.overloadsOf(call)
    if (overloads.length === 0) return zero
    const name = this.#checked.nameOf(call) ?? call.name
    const isMethod = call.target !== undefined && this.#checked.nameOf(call) === undefined
    const targetCost = isMethod ? this.cost(call.target) : zero
    const target = isMethod ? this.#node(call.target) : undefined
    let cost: Range | undefined
    let resultSize: Range | undefined
    for (const overload of overloads) {
      const estimate =
        overload.estimate?.(target, nodes, this) ?? this.#model.estimate(name, overload.id, target, nodes, this)
      const whole = estimate
        ? { ...estimate, cost: add(estimate.cost, ...argCosts) }
        : estimateCoreCall(overload.id, target, nodes, argCosts)
      cost = cost ? union(cost, whole.cost) : whole.cost
      if (!estimate) this.#combineEntries(call, overload.id)
      const isKnown = this.#rules.resultSizes || (!estimate && !conversions.has(overload.id))
      if (whole.resultSize && isKnown) resultSize = resultSize ? union(resultSize, whole.resultSize) : whole.resultSize
      if (overload.id === 'index_list' || overload.id === 'index_map') {
        resultSize = this.#entrySizes(args[0]!)?.value
        const step = overload.id === 'index_list' ? '@items' : '@values'
        this.#paths.set(call.id, [...this.#path(args[0]!), step])
      }
      resultSize ??= this.#size(call)
    }
    if (resultSize) this.#sizes.set(call.id, resultSize)
    return add(targetCost, cost!)
  }

  /** The entry sizes of a list or map that is either of two operands, or their concatenation. */
  #combineEntries(call: Call, overload: string): void {
    const operands =
      overload === 'conditional' ? call.args.slice(1) : combinesEntries.has(overload) ? call.args : undefined
    if (!operands) return
    const [one, other] = operands.map(operand => this.#entrySizes(operand))
    if (one && other)
      this.#entries.set(call.id, {
        container: one.container,
        key: union(one.key, other.key),
        value: union(one.value, other.value),
      })
  }

  #loop(loop: Comprehension): Range {
    const outside = add(this.cost(loop.range), this.cost(loop.init))
    this.#pushValue(loop.accumulator, loop.init)
    if (loop.second === undefined) this.#pushItem(loop.variable, loop.range)
    else {
      this.#pushEntry(loop.variable, loop.range, 'key')
      this.#pushEntry(loop.second, loop.range, 'value')
    }
    const step = add(this.cost(loop.condition), this.cost(loop.step))
    this.#pop(loop.variable)
    if (loop.second !== undefined) this.#pop(loop.second)
    const result = this.cost(loop.result)
    this.#pop(loop.accumulator)
    const rounds = this.#sizeOrUnknown(loop.range)
    if (!this.#rules.loopSizes) return add(outside, result, multiply(rounds, step))
    if (loop.init.kind === 'literal') {
      const size = this.#size(loop.init)
      if (size) this.#sizes.set(loop.id, size)
    } else if (loop.init.kind === 'list' || loop.init.kind === 'map') {
      this.#sizes.set(loop.id, rounds)
      const entries = this.#entrySizes(loop.step)
      if (entries) this.#entries.set(loop.id, entries)
    }
    return add(outside, result, multiply(rounds, step))
  }

  #binding(loop: Comprehension): Range {
    const outside = add(this.cost(loop.range), this.cost(loop.init))
    this.#pushValue(loop.accumulator, loop.init)
    const result = this.cost(loop.result)
    this.#pop(loop.accumulator)
    this.#copySizes(loop, loop.result)
    return add(outside, result)
  }

  #local(name: string): Local | undefined {
    return this.#locals.get(name)?.at(-1)
  }
  #push(name: string, local: Local): void {
    const scope = this.#locals.get(name)
    if (scope) scope.push(local)
    else this.#locals.set(name, [local])
  }
  #pop(name: string): void {
    this.#locals.get(name)!.pop()
  }
  #pushValue(name: string, expr: Expr): void {
    this.#push(name, { path: this.#path(expr), size: this.#size(expr), entries: this.#entrySizes(expr) })
  }
  /** The variable of a one-variable loop: an item of a list, or a key of a map. */
  #pushItem(name: string, range: Expr): void {
    const { entries, isList } = this.#iterated(range)
    const size = isList ? entries?.value : entries?.key
    this.#push(name, { path: [...this.#path(range), isList ? '@items' : '@keys'], size, entries: undefined })
  }
  #pushEntry(name: string, range: Expr, part: 'key' | 'value'): void {
    const { entries, isList } = this.#iterated(range)
    const step = part === 'key' ? (isList ? '@indices' : '@keys') : isList ? '@items' : '@values'
    this.#push(name, { path: [...this.#path(range), step], size: entries?.[part], entries: undefined })
  }
  #iterated(range: Expr): { entries: EntrySizes | undefined; isList: boolean } {
    const entries = this.#entrySizes(range)
    return { entries, isList: (entries?.container ?? this.#checked.typeOf(range).kind) === 'list' }
  }

  #path(expr: Expr): readonly string[] {
    const local = expr.kind === 'ident' ? this.#local(expr.name) : undefined
    return local?.path ?? this.#paths.get(expr.id) ?? []
  }
  #node(expr: Expr): EstimatedNode {
    const path = this.#path(expr)
    return {
      expr,
      type: this.#checked.typeOf(expr),
      path: path.length === 0 || path[0] === accumulatorName ? undefined : path,
      computedSize: this.#size(expr),
    }
  }
  #copySizes(to: Expr, from: Expr): void {
    const [size, entries] = [this.#size(from), this.#entrySizes(from)]
    if (size) this.#sizes.set(to.id, size)
    if (entries) this.#entries.set(to.id, entries)
  }
  #entrySizes(expr: Expr): EntrySizes | undefined {
    const known = this.#entries.get(expr.id)
    return known ?? (expr.kind === 'ident' ? this.#local(expr.name)?.entries : undefined)
  }
  #sizeOrUnknown(expr: Expr): Range {
    return this.#size(expr) ?? unknownRange
  }
  #size(expr: Expr): Range | undefined {
    const known = this.#sizes.get(expr.id) ?? sizeOfLiteral(expr)
    if (known) return known
    const estimated = this.#estimated(this.#path(expr))
    if (estimated) {
      this.#sizes.set(expr.id, estimated)
      return estimated
    }
    if (isScalar(this.#checked.typeOf(expr), this.#rules)) return exactly(1)
    return expr.kind === 'ident' ? this.#local(expr.name)?.size : undefined
  }
  #estimated(path: readonly string[] | undefined): Range | undefined {
    if (!path || path.length === 0) return undefined
    const max = this.#sizeAt(path)
    return max === undefined ? undefined : { min: 0, max }
  }

  sizeOf(node: EstimatedNode | undefined): Range {
    return node?.computedSize ?? this.#estimated(node?.path) ?? unknownRange
  }
  itemsOf(list: EstimatedNode): EstimatedNode | undefined {
    const [item] = list.type.params
    if (!item) return undefined
    return { type: item, expr: undefined, path: list.path && [...list.path, '@items'], computedSize: undefined }
  }
}

const conversions: ReadonlySet<string> = new Set(['string_to_bytes', 'bytes_to_string'])

/** Operators whose result contains entries of both operands. */
const combinesEntries: ReadonlySet<string> = new Set(['add_string', 'add_bytes', 'add_list'])

/** A loop that only binds a variable. */
export const isBinding = ({ range, condition, accumulator }: Comprehension): boolean =>
  range.kind === 'list' &&
  range.items.length === 0 &&
  condition.kind === 'literal' &&
  condition.value === false &&
  accumulator !== accumulatorName
