import type { Expr } from '../syntax/ast.js'
import { partsOf } from '../syntax/ast.js'
import { celErrorOf, type Issue } from '../syntax/errors.js'
import { describeType, isExactType, isOptional, type Type } from './cel-types.js'
import { formatProblem } from './check-format.js'
import type { CheckedExpression } from './checked-expression.js'

/** How literal arguments of functions are checked, by the name of the function. */
export type LiteralChecks = Readonly<Record<string, LiteralCheck>>
export interface LiteralCheck {
  readonly argument: number
  /** Why an argument is invalid; undefined if it is valid. */
  problem(text: string): string | undefined
  /** Whether the problem is found only when the expression is prepared to run, after it was checked. */
  readonly isInternal?: boolean
}

/** Functions whose arguments may be lists of different types. */
const takesMixedLists = new Set(['format'])

/** Checks beyond types: list items have one type, and literals are valid. Throws a CelError. */
export function validateExpression(
  checked: CheckedExpression,
  { literals, checksFormats }: { readonly literals: LiteralChecks; readonly checksFormats: boolean },
): void {
  const issues: Issue[] = []
  const internal: Issue[] = []
  const report = (expr: Expr, message: string) => issues.push({ at: checked.positions[expr.id] ?? 0, message })
  const sameTypes = (parts: readonly (readonly [Expr, boolean])[]) => {
    let first: Type | undefined
    for (const [part, isOptionalEntry] of parts) {
      const found = checked.typeOf(part)
      const type = isOptionalEntry && isOptional(found) ? found.params[0]! : found
      first ??= type
      if (isExactType(first, type)) continue
      report(part, `expected type '${describeType(first)}' but found '${describeType(type)}'`)
      return
    }
  }
  const visit = (expr: Expr, mayMix: boolean): void => {
    if (!mayMix && expr.kind === 'list') sameTypes(expr.items.map((item, i) => [item, expr.optional.has(i)]))
    if (!mayMix && expr.kind === 'map') {
      sameTypes(expr.entries.map(({ key }) => [key, false]))
      sameTypes(expr.entries.map(({ value, isOptional }) => [value, isOptional]))
    }
    if (expr.kind === 'call') {
      const check = Object.hasOwn(literals, expr.name) ? literals[expr.name] : undefined
      const argument = check && expr.args[check.argument - (expr.target ? 1 : 0)]
      const problem =
        argument?.kind === 'literal' && typeof argument.value === 'string' ? check!.problem(argument.value) : undefined
      if (problem !== undefined)
        (check!.isInternal ? internal : issues).push({
          at: checked.positions[argument!.id] ?? 0,
          message: `invalid ${expr.name} argument: ${problem}`,
        })
      const wrongFormat = checksFormats ? formatProblem(expr, checked) : undefined
      if (wrongFormat) report(wrongFormat.at, wrongFormat.message)
    }
    const isMixed = mayMix || (expr.kind === 'call' && takesMixedLists.has(expr.name))
    for (const part of partsOf(expr)) visit(part, isMixed)
  }
  visit(checked.root, false)
  if (issues.length > 0) throw celErrorOf(checked.text, issues)
  if (internal.length > 0) throw celErrorOf(checked.text, internal, { isInternal: true })
}
