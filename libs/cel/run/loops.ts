import { accumulatorName, type Comprehension, type Expr } from '../syntax/ast.js'
import { mapInsert } from '../syntax/macros.js'
import { absorbed, type Frame, type Step } from './frame.js'
import { ArrayList, CelList, CelMap, EntriesMap, plainKey, typeNameOfValue } from './values.js'
import { Failure } from './work.js'

/** Compiles parts of a loop, outside or inside the scope of its variables. */
export interface LoopPlanner {
  outside(expr: Expr): Step
  inside(expr: Expr): Step
  result(expr: Expr): Step
  /** Slots of the variables of the loop. */
  readonly accumulated: number
  readonly first: number
  /** Undefined for a loop with one variable. */
  readonly second: number | undefined
}

/** Iterates over a list or map. A loop that builds a list or map appends to it instead of copying it in each step. */
export function planLoop(loop: Comprehension, planner: LoopPlanner): Step {
  const range = planner.outside(loop.range)
  const result = planner.result(loop.result)
  const fill = fillOf(loop, planner) ?? fold(loop, planner)
  const { first, second } = planner
  return frame => {
    const over = range(frame)
    const { locals, work } = frame
    fill(frame, step => {
      if (over instanceof CelList) {
        const { size } = over
        for (let i = 0; i < size; i++) {
          work.steps(2)
          if (second === undefined) locals[first] = over.get(i)
          else {
            locals[first] = BigInt(i)
            locals[second] = over.get(i)
          }
          if (!step()) return
        }
      } else if (over instanceof CelMap)
        for (const key of over.keys()) {
          work.steps(3)
          locals[first] = key
          if (second !== undefined) locals[second] = over.get(key)
          if (!step()) return
        }
      else throw new Failure(`got '${typeNameOfValue(over)}', expected iterable type`)
    })
    return result(frame)
  }
}

/** Calls `step` for each item until it returns false. */
type Each = (step: () => boolean) => void
type Fill = (frame: Frame, each: Each) => void

/** The general case. The accumulated value may be a failure, which a later step can absorb. */
function fold(loop: Comprehension, { outside, inside, accumulated }: LoopPlanner): Fill {
  const init = outside(loop.init)
  const condition = inside(loop.condition)
  const next = inside(loop.step)
  return (frame, each) => {
    frame.locals[accumulated] = init(frame)
    each(() => {
      if (condition(frame) !== true) return false
      try {
        frame.locals[accumulated] = next(frame)
      } catch (thrown) {
        frame.locals[accumulated] = absorbed(thrown, frame)
      }
      return true
    })
  }
}

/** The cost of `result + [item]` without the item, and of `mapInsert(result, …)` without the entry. */
const costOfAppend = 12
const costOfInsert = 2

/** A loop whose step is `all + [item]` or inserts an entry into a map, possibly on a condition. */
function fillOf(loop: Comprehension, { inside, accumulated }: LoopPlanner): Fill | undefined {
  const { accumulator, init, step, condition } = loop
  const isEmpty =
    (init.kind === 'list' && init.items.length === 0) || (init.kind === 'map' && init.entries.length === 0)
  if (accumulator !== accumulatorName || !isEmpty || condition.kind !== 'literal' || condition.value !== true)
    return undefined
  const choice = argsOf(step, '_?_:_')
  if (choice && !isResult(choice[2]!)) return undefined
  const change = choice ? choice[1]! : step
  const filter = choice && inside(choice[0]!)
  const passes = (frame: Frame): boolean => {
    const answer = filter ? filter(frame) : true
    if (typeof answer !== 'boolean') throw new Failure(`no such overload: ${typeNameOfValue(answer)} as a condition`)
    if (!answer) frame.work.cost(1)
    return answer
  }
  const sum = argsOf(change, '_+_')
  const added = sum?.[1]
  if (sum && isResult(sum[0]!) && added?.kind === 'list' && added.items.length === 1 && added.optional.size === 0) {
    const item = inside(added.items[0]!)
    return (frame, each) => {
      const items: unknown[] = []
      each(() => {
        if (!passes(frame)) return true
        frame.work.cost(costOfAppend)
        frame.work.steps(2)
        items.push(item(frame))
        return true
      })
      frame.locals[accumulated] = new ArrayList(items)
    }
  }
  const entry = argsOf(change, mapInsert)
  if (!entry || !isResult(entry[0]!)) return undefined
  const [key, value] = [inside(entry[1]!), entry[2] && inside(entry[2])]
  return (frame, each) => {
    const made = new Map<unknown, { key: unknown; value: unknown }>()
    const insert = (name: unknown, put: unknown) => {
      frame.work.steps(6)
      const plain = plainKey(name)
      if (plain === undefined) throw new Failure(`unsupported key type: ${typeNameOfValue(name)}`)
      if (made.has(plain)) throw new Failure(`insert failed: key ${String(plain)} already exists`)
      made.set(plain, { key: name, value: put })
    }
    each(() => {
      if (!passes(frame)) return true
      frame.work.cost(costOfInsert)
      const name = key(frame)
      if (value) insert(name, value(frame))
      else if (name instanceof CelMap) for (const each of name.keys()) insert(each, name.get(each))
      else throw new Failure(`no such overload: an entry has to be a map, not ${typeNameOfValue(name)}`)
      return true
    })
    frame.locals[accumulated] = new EntriesMap(made)
  }
}

const isResult = (expr: Expr): boolean => expr.kind === 'ident' && expr.name === accumulatorName
const argsOf = (expr: Expr, name: string): readonly Expr[] | undefined =>
  expr.kind === 'call' && expr.name === name ? expr.args : undefined
