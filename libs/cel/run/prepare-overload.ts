import { coreCallCost, isFixedCost } from '../cost/call-costs.js'
import type { CostModel } from '../cost/estimate-calls.js'
import type { Overload } from '../functions/overload.js'
import { typeNameOfValue, typeTest } from './values.js'
import { Failure, type Work } from './work.js'

/**
 * An overload that is ready to be called. It checks its arguments: values do not always match the schema of their
 * variable.
 */
export interface Prepared {
  fits(args: readonly unknown[]): boolean
  call(work: Work, args: readonly unknown[]): unknown
  call1(work: Work, arg: unknown): unknown
  call2(work: Work, one: unknown, other: unknown): unknown
}
export function prepared(name: string, { id, params, run, cost, costOfResult }: Overload, model: CostModel): Prepared {
  const costOf = cost ?? model.costOf(name, id) ?? (args => coreCallCost(id, args))
  // Most operators cost one unit, whatever their operands.
  const isFixed = !cost && !model.costOf(name, id) && isFixedCost(id)
  const tests = params.map(typeTest)
  const [first, second] = tests
  const fits = (args: readonly unknown[]): boolean => tests.every((test, i) => test(args[i]))
  const call = (work: Work, args: readonly unknown[]): unknown => {
    work.steps(2)
    work.cost(costOf(args, work))
    const result = run!(work, ...args)
    if (costOfResult) work.cost(costOfResult(result))
    return result
  }
  return {
    fits,
    call,
    call1(work, arg) {
      if (!first!(arg)) throw new Failure(noOverload(name, [arg]))
      if (!isFixed) return call(work, [arg])
      work.steps(2)
      work.cost(1)
      return run!(work, arg)
    },
    call2(work, one, other) {
      if (!first!(one) || !second!(other)) throw new Failure(noOverload(name, [one, other]))
      if (!isFixed) return call(work, [one, other])
      work.steps(2)
      work.cost(1)
      return run!(work, one, other)
    },
  }
}

export const noOverload = (name: string, args: readonly unknown[]): string =>
  `no such overload: ${name}(${args.map(typeNameOfValue).join(', ')})`
