import { isBinding } from '../cost/estimate.js'
import type { CostModel } from '../cost/estimate-calls.js'
import { listCost, mapCost, selectCost, structCost } from '../cost/factors.js'
import type { Overload } from '../functions/overload.js'
import type { Call, Comprehension, Expr, LiteralValue } from '../syntax/ast.js'
import type { CheckedExpression } from '../types/checked-expression.js'
import { absorbed, Frame, type Step } from './frame.js'
import { planLoop } from './loops.js'
import {
  asOptional,
  conditional,
  fieldOf,
  hasField,
  index,
  logical,
  optionalIndex,
  orElse,
  shown,
} from './operators.js'
import { noOverload, prepared } from './prepare-overload.js'
import {
  ArrayList,
  EntriesMap,
  type Optional,
  plainKey,
  StructValue,
  TypeValue,
  typeNameOfValue,
  Uint,
} from './values.js'
import { Failure, type Work } from './work.js'

type Values = Readonly<Record<string, unknown>>
/** Reads a variable from the values of an evaluation. */
export type ReadVariable = (values: Values, work: Work) => unknown

/** Compiles a checked expression into a function. */
export function planExpression(
  checked: CheckedExpression,
  variables: ReadonlyMap<string, ReadVariable>,
  model: CostModel,
): (values: Values, work: Work) => unknown {
  const planner = new Planner(checked, variables, model)
  const step = planner.plan(checked.root, new Map())
  return (values, work) => step(new Frame(values, work, planner.slots))
}

/** The variables of enclosing loops: their slots, and whether they may hold failures. */
type Locals = ReadonlyMap<string, { readonly slot: number; readonly mayFail: boolean }>

class Planner {
  readonly #checked: CheckedExpression
  readonly #variables: ReadonlyMap<string, ReadVariable>
  readonly #model: CostModel
  /** The number of slots for variables of loops. */
  slots = 0

  constructor(checked: CheckedExpression, variables: ReadonlyMap<string, ReadVariable>, model: CostModel) {
    this.#checked = checked
    this.#variables = variables
    this.#model = model
  }

  plan(expr: Expr, locals: Locals): Step {
    switch (expr.kind) {
      case 'literal': {
        const value = literalValue(expr.value)
        return () => value
      }
      case 'ident':
        return this.#ident(expr, expr.name, locals)
      case 'select':
        return this.#select(expr, locals)
      case 'call':
        return this.#call(expr, locals)
      case 'list':
        return this.#list(expr, locals)
      case 'map':
        return this.#map(expr, locals)
      case 'struct':
        return this.#struct(expr, locals)
      case 'comprehension':
        return this.#loop(expr, locals)
    }
  }

  #ident(expr: Expr, name: string, locals: Locals): Step {
    const local = locals.get(name)
    if (!local) return this.#variable(expr, name)
    const { slot, mayFail } = local
    if (!mayFail)
      return ({ locals: values, work }) => {
        work.cost(selectCost)
        work.steps(1)
        return values[slot]
      }
    return ({ locals: values, work }) => {
      work.cost(selectCost)
      work.steps(1)
      const value = values[slot]
      if (value instanceof Failure) throw value
      return value
    }
  }
  #variable(expr: Expr, name: string): Step {
    const read = this.#variables.get(name)
    if (read)
      return ({ values, work }) => {
        work.cost(selectCost)
        work.steps(2)
        const value = read(values, work)
        if (value === undefined) throw new Failure(`no such attribute: ${name}`)
        return value
      }
    const [named] = this.#checked.typeOf(expr).params
    const value = new TypeValue(named ?? name)
    return ({ work }) => {
      work.cost(selectCost)
      work.steps(1)
      return value
    }
  }

  #select(expr: Expr & { kind: 'select' }, locals: Locals): Step {
    const name = this.#checked.nameOf(expr)
    if (name !== undefined) return this.#variable(expr, name)
    const operand = this.plan(expr.operand, locals)
    const { field } = expr
    if (expr.testOnly)
      return frame => {
        const value = operand(frame)
        frame.work.steps(1)
        return hasField(value, field)
      }
    return frame => {
      const value = operand(frame)
      frame.work.cost(selectCost)
      frame.work.steps(1)
      return fieldOf(value, field)
    }
  }

  #call(call: Call, locals: Locals): Step {
    const args = call.args.map(arg => this.plan(arg, locals))
    const [first, second, third] = args
    switch (call.name) {
      case '_?_:_':
        return conditional(first!, second!, third!)
      case '_&&_':
        return logical(args, false)
      case '_||_':
        return logical(args, true)
      case '@not_strictly_false':
        return frame => {
          frame.work.cost(1)
          try {
            return first!(frame) !== false
          } catch (thrown) {
            absorbed(thrown, frame)
            return true
          }
        }
      case '_[_]':
        return index(first!, second!)
      case '_?._':
      case '_[?_]':
        return optionalIndex(first!, second!)
    }
    const isMethod = call.target !== undefined && this.#checked.nameOf(call) === undefined
    const target = isMethod ? this.plan(call.target, locals) : undefined
    if (target && (call.name === 'or' || call.name === 'orValue'))
      return orElse(target, first!, call.name === 'orValue')
    const name = this.#checked.nameOf(call) ?? call.name
    return this.#function(name, this.#checked.overloadsOf(call), target ? [target, ...args] : args)
  }

  #function(name: string, overloads: readonly Overload[], parts: readonly Step[]): Step {
    const model = this.#model
    const candidates = overloads.filter(({ run }) => run).map(overload => prepared(name, overload, model))
    const [only, ...others] = candidates
    if (!only) throw new Failure(`unbound function: ${name}`)
    const [first, second] = parts
    if (others.length === 0 && parts.length === 1) {
      const { call1 } = only
      return frame => call1(frame.work, first!(frame))
    }
    if (others.length === 0 && parts.length === 2) {
      const { call2 } = only
      return frame => call2(frame.work, first!(frame), second!(frame))
    }
    return frame => {
      const args = new Array<unknown>(parts.length)
      for (let i = 0; i < parts.length; i++) args[i] = parts[i]!(frame)
      const found = candidates.find(({ fits }) => fits(args))
      if (!found) throw new Failure(noOverload(name, args))
      return found.call(frame.work, args)
    }
  }

  #list({ items, optional }: Expr & { kind: 'list' }, locals: Locals): Step {
    if (optional.size === 0 && items.every(({ kind }) => kind === 'literal')) {
      // Created once, and free, as in the reference.
      const constant = new ArrayList(items.map(item => literalValue((item as { value: LiteralValue }).value)))
      return () => constant
    }
    const steps = items.map(item => this.plan(item, locals))
    return frame => {
      frame.work.cost(listCost)
      frame.work.steps(4 + steps.length)
      const values: unknown[] = []
      for (let i = 0; i < steps.length; i++) {
        const value = steps[i]!(frame)
        if (!optional.has(i)) values.push(value)
        else if (asOptional(value).some) values.push((value as Optional).some!.value)
      }
      return new ArrayList(values)
    }
  }

  #map({ entries }: Expr & { kind: 'map' }, locals: Locals): Step {
    const steps = entries.map(
      ({ key, value, isOptional }) => [this.plan(key, locals), this.plan(value, locals), isOptional] as const,
    )
    return frame => {
      frame.work.cost(mapCost)
      frame.work.steps(8 + 6 * steps.length)
      const made = new Map<unknown, { key: unknown; value: unknown }>()
      for (const [keyStep, valueStep, isOptional] of steps) {
        const key = keyStep(frame)
        const plain = plainKey(key)
        if (plain === undefined) throw new Failure(`unsupported key type: ${typeNameOfValue(key)}`)
        let value = valueStep(frame)
        if (isOptional) {
          const { some } = asOptional(value)
          if (!some) continue
          value = some.value
        }
        if (made.has(plain)) throw new Failure(`duplicate key in map literal: ${shown(key)}`)
        made.set(plain, { key, value })
      }
      return new EntriesMap(made)
    }
  }

  #struct({ typeName, fields }: Expr & { kind: 'struct' }, locals: Locals): Step {
    const steps = fields.map(({ name, value, isOptional }) => [name, this.plan(value, locals), isOptional] as const)
    return frame => {
      frame.work.cost(structCost)
      frame.work.steps(8 + 6 * steps.length)
      const made = new Map<string, unknown>()
      for (const [name, step, isOptional] of steps) {
        const value = step(frame)
        if (!isOptional) made.set(name, value)
        else if (asOptional(value).some) made.set(name, (value as Optional).some!.value)
      }
      return new StructValue(typeName, made)
    }
  }

  #loop(loop: Comprehension, locals: Locals): Step {
    const [accumulated, first] = [this.slots++, this.slots++]
    const second = loop.second === undefined ? undefined : this.slots++
    const withResult = new Map(locals)
    withResult.set(loop.accumulator, { slot: accumulated, mayFail: true })
    const inner = new Map(withResult)
    inner.set(loop.variable, { slot: first, mayFail: false })
    if (loop.second !== undefined) inner.set(loop.second, { slot: second!, mayFail: false })
    if (isBinding(loop)) return this.#binding(loop, accumulated, locals, withResult)
    return planLoop(loop, {
      outside: expr => this.plan(expr, locals),
      inside: expr => this.plan(expr, inner),
      result: expr => this.plan(expr, withResult),
      accumulated,
      first,
      second,
    })
  }
  /** A variable that is bound for one expression. A failure surfaces where the variable is used. */
  #binding(loop: Comprehension, slot: number, locals: Locals, inner: Locals): Step {
    const init = this.plan(loop.init, locals)
    const result = this.plan(loop.result, inner)
    return frame => {
      frame.work.cost(listCost)
      try {
        frame.locals[slot] = init(frame)
      } catch (thrown) {
        frame.locals[slot] = absorbed(thrown, frame)
      }
      return result(frame)
    }
  }
}

export function literalValue(value: LiteralValue): unknown {
  return typeof value === 'object' && value !== null && 'uint' in value ? new Uint(value.uint) : value
}
