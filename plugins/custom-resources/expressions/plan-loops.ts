import { type CelValue, celList, celMap, celType, isCelList, isCelMap } from '@bufbuild/cel'
import { argsOf, countParts, type ExprKind, isName } from './expression-parts.js'
import type { Expr } from './expression-types.js'
import { absorbed, Failure, type Frame, type Step } from './frame.js'
import { mapInsert } from './loop-macros.js'

export type Loop = ExprKind<'comprehensionExpr'>
/** Compiles parts of a loop, outside or inside the scope of its variables. */
export interface LoopPlanner {
  outside(expr: Expr | undefined): Step
  inside(expr: Expr | undefined): Step
  /** Slots of the variables of the loop. */
  readonly accumulated: number
  readonly first: number
  /** Undefined for a loop with one variable. */
  readonly second: number | undefined
}

/** The cost of one step of a loop, without the calls in it. */
const costOfStep = (loop: Loop) => 2 + countParts(loop.loopStep)

/** Iterates over a list or map. A loop that builds a list or map appends to it instead of copying it in each step. */
export function planLoop(loop: Loop, planner: LoopPlanner): Step {
  const range = planner.outside(loop.iterRange)
  const result = planner.inside(loop.result)
  const fill = fillOf(loop, planner) ?? fold(loop, planner)
  const cost = costOfStep(loop)
  const { first, second } = planner
  return frame => {
    const over = range(frame)
    const { locals, meter } = frame
    fill(frame, step => {
      let index = 0n
      if (isCelList(over))
        for (const item of over) {
          meter.charge(cost)
          locals[first] = second === undefined ? item : index++
          if (second !== undefined) locals[second] = item
          if (!step()) return
        }
      else if (isCelMap(over))
        for (const key of over.keys()) {
          meter.charge(cost)
          locals[first] = key
          if (second !== undefined) locals[second] = over.get(key as never)
          if (!step()) return
        }
      else throw new Failure(`type mismatch: iterable vs ${celType(over as CelValue).name}`)
    })
    return result(frame)
  }
}

/** Calls `step` for each item until it returns false. */
type Each = (step: () => boolean) => void
type Fill = (frame: Frame, each: Each) => void

/** The general case. The accumulated value may be a failure, which a later step can absorb. */
function fold(loop: Loop, { outside, inside, accumulated }: LoopPlanner): Fill {
  const init = outside(loop.accuInit)
  const condition = inside(loop.loopCondition)
  const next = inside(loop.loopStep)
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

/** A loop whose step is `all + [item]` or inserts an entry into a map, possibly on a condition. */
function fillOf(loop: Loop, { inside, accumulated }: LoopPlanner): Fill | undefined {
  const { accuVar, accuInit, loopStep, loopCondition } = loop
  if (!isTrue(loopCondition) || !isEmpty(accuInit)) return undefined
  const choice = argsOf(loopStep, '_?_:_')
  if (choice && !isName(choice[2], accuVar)) return undefined
  const change = choice ? choice[1] : loopStep
  const condition = choice && inside(choice[0])
  const passes = (frame: Frame): boolean => {
    const answer = condition ? condition(frame) : true
    if (typeof answer !== 'boolean')
      throw new Failure(`found no matching overload for _?_:_ applied to '(${celType(answer as CelValue).name})'`)
    return answer
  }
  const sum = argsOf(change, '_+_')
  const one = sum?.[1]?.exprKind.case === 'listExpr' ? sum[1].exprKind.value.elements : []
  if (sum && isName(sum[0], accuVar) && one.length === 1) {
    const item = inside(one[0])
    return (frame, each) => {
      const items: unknown[] = []
      each(() => {
        if (passes(frame)) items.push(item(frame))
        return true
      })
      frame.locals[accumulated] = celList(items as never)
    }
  }
  const entry = argsOf(change, mapInsert)
  if (!entry || !isName(entry[0], accuVar)) return undefined
  const [key, value] = [inside(entry[1]), entry[2] && inside(entry[2])]
  return (frame, each) => {
    const entries = new Map<unknown, unknown>()
    const insert = (name: unknown, put: unknown) => {
      if (entries.has(name)) throw new Failure(`insert failed: key ${String(name)} already exists`)
      entries.set(name, put)
    }
    each(() => {
      if (!passes(frame)) return true
      const made = key(frame)
      if (value) insert(made, value(frame))
      else if (isCelMap(made)) for (const [name, put] of made) insert(name, put)
      else throw new Failure(`no such overload: an entry has to be a map, not ${celType(made as CelValue).name}`)
      return true
    })
    frame.locals[accumulated] = celMap(entries as never)
  }
}

const isTrue = (expr: Expr | undefined): boolean =>
  expr?.exprKind.case === 'constExpr' && expr.exprKind.value.constantKind.value === true
const isEmpty = (expr: Expr | undefined): boolean =>
  (expr?.exprKind.case === 'listExpr' && expr.exprKind.value.elements.length === 0) ||
  (expr?.exprKind.case === 'structExpr' && expr.exprKind.value.entries.length === 0)
