import type { Expr } from './expression-types.js'
import { optionalEntry } from './optional-syntax.js'

/** Calls that the program itself puts in: names that no expression can contain. */
export const onEachStep = '@step'
export const onSize = '@sized'
export const onStructure = '@structure'
export const onCompact = '@compact'

type Kind<C extends string> = Extract<Expr['exprKind'], { case: C }>['value']

/** The expressions inside an expression. */
export function partsOf({ exprKind: kind }: Expr): Expr[] {
  const there = (parts: readonly (Expr | undefined)[]) => parts.filter(part => part !== undefined)
  switch (kind.case) {
    case 'selectExpr':
      return there([kind.value.operand])
    case 'callExpr':
      return there([kind.value.target, ...kind.value.args])
    case 'listExpr':
      return kind.value.elements
    case 'structExpr':
      return kind.value.entries.flatMap(({ keyKind, value }) =>
        there([keyKind.case === 'mapKey' ? keyKind.value : undefined, value]),
      )
    case 'comprehensionExpr': {
      const { iterRange, accuInit, loopCondition, loopStep, result } = kind.value
      return there([iterRange, accuInit, loopCondition, loopStep, result])
    }
    default:
      return []
  }
}

/** Calls whose work grows with what they are given. */
const growing = new Set([
  '_==_',
  '_!=_',
  '_+_',
  '@in',
  'contains',
  'matches',
  'find',
  'findAll',
  'replace',
  'split',
  'join',
  'indexOf',
  'lastIndexOf',
  'sum',
  'min',
  'max',
  'isSorted',
  'startsWith',
  'endsWith',
  'lowerAscii',
  'upperAscii',
  'trim',
  'substring',
  'size',
  'url',
  'isURL',
  '_<_',
  '_>_',
  '_<=_',
  '_>=_',
])

/**
 * The expression as the library can run it, changed in place. It has its meter built in: every step of a loop and every call that
 * grows with its input is charged, since the library counts nothing by itself. What the library does not know, the objects of
 * changes and optional entries, become calls.
 */
export function plannable(expr: Expr): Expr {
  for (const part of partsOf(expr)) plannable(part)
  const { exprKind: kind } = expr
  if (kind.case === 'structExpr') return structure(expr, kind.value)
  if (kind.case === 'listExpr') {
    expr.exprKind = withoutNones({ ...expr }, kind.value.elements).exprKind
    return expr
  }
  if (kind.case === 'comprehensionExpr' && kind.value.loopCondition) {
    const condition = kind.value.loopCondition
    const cost = 2 + countParts(kind.value.loopStep)
    kind.value.loopCondition = callOf(condition, onEachStep, [
      condition,
      constantOf(condition, 'int64Value', BigInt(cost)),
    ])
  } else if (kind.case === 'callExpr' && growing.has(kind.value.function)) {
    const { args, target } = kind.value
    if (target) kind.value.target = callOf(target, onSize, [target])
    kind.value.args = args.map(arg => (arg.exprKind.case === 'constExpr' ? arg : callOf(arg, onSize, [arg])))
  }
  return expr
}
const countParts = (expr: Expr | undefined): number =>
  expr ? partsOf(expr).reduce((sum, part) => sum + countParts(part), 1) : 0

/** `Object.spec{replicas: 1}` is a map that knows its name. */
function structure(expr: Expr, struct: Kind<'structExpr'>): Expr {
  const { messageName, entries } = struct
  const values = entries.flatMap(({ value }) => (value ? [value] : []))
  if (messageName !== '') {
    struct.messageName = ''
    for (const entry of entries)
      if (entry.keyKind.case === 'fieldKey')
        entry.keyKind = { case: 'mapKey', value: constantOf(expr, 'stringValue', entry.keyKind.value) }
  }
  const map = withoutNones({ ...expr }, values)
  const whole =
    messageName === '' ? map : callOf(expr, onStructure, [constantOf(expr, 'stringValue', messageName), map])
  expr.exprKind = whole.exprKind
  return expr
}

/** A list or a map with optional entries loses those that have no value. */
function withoutNones(expr: Expr, values: readonly Expr[]): Expr {
  const indexes = values.flatMap((value, index) =>
    isOptionalEntry(value) ? [constantOf(expr, 'int64Value', BigInt(index))] : [],
  )
  return indexes.length === 0 ? expr : callOf(expr, onCompact, [expr, listOf(expr, indexes)])
}
const isOptionalEntry = ({ exprKind }: Expr) =>
  exprKind.case === 'callExpr' && exprKind.value.function === optionalEntry

const listOf = (like: Expr, elements: Expr[]): Expr =>
  ({
    ...like,
    exprKind: { case: 'listExpr', value: { $typeName: 'cel.expr.Expr.CreateList', elements, optionalIndices: [] } },
  }) as Expr
const callOf = (like: Expr, name: string, args: Expr[]): Expr =>
  ({
    ...like,
    exprKind: { case: 'callExpr', value: { $typeName: 'cel.expr.Expr.Call', function: name, args } },
  }) as Expr
const constantOf = (like: Expr, kind: 'int64Value' | 'stringValue', value: bigint | string): Expr =>
  ({
    ...like,
    exprKind: {
      case: 'constExpr',
      value: { $typeName: 'cel.expr.Constant', constantKind: { case: kind, value } },
    },
  }) as Expr
