import type { Expr } from './expression-types.js'

export type ExprKind<C extends string> = Extract<Expr['exprKind'], { case: C }>['value']

/** The direct subexpressions of an expression. */
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

export const countParts = (expr: Expr | undefined): number =>
  expr ? partsOf(expr).reduce((sum, part) => sum + countParts(part), 1) : 0

/** `a.b.c` as a name; undefined for any other expression. */
export function qualifiedName(expr: Expr | undefined): string | undefined {
  const kind = expr?.exprKind
  if (kind?.case === 'identExpr') return kind.value.name
  if (kind?.case !== 'selectExpr' || kind.value.testOnly) return undefined
  const outer = qualifiedName(kind.value.operand)
  return outer === undefined ? undefined : `${outer}.${kind.value.field}`
}

/** Whether the expression is an identifier with this name. */
export const isName = (expr: Expr | undefined, name: string): boolean =>
  expr?.exprKind.case === 'identExpr' && expr.exprKind.value.name === name

/** The arguments if the expression is a call of this function; undefined otherwise. */
export const argsOf = (expr: Expr | undefined, name: string): readonly Expr[] | undefined =>
  expr?.exprKind.case === 'callExpr' && expr.exprKind.value.function === name ? expr.exprKind.value.args : undefined
