import { formatClauses } from '../functions/format.js'
import type { Call, Expr } from '../syntax/ast.js'
import { describeType, type TypeKind } from './cel-types.js'
import type { CheckedExpression } from './checked-expression.js'

const whole: readonly TypeKind[] = ['int', 'uint']
/** Strings are allowed because `NaN` and `Infinity` are written as strings. */
const fractions: readonly TypeKind[] = ['double', 'string']
/** The types that `%s` accepts. */
const printable: readonly TypeKind[] = [
  ...['list', 'map', 'int', 'uint', 'double', 'bool', 'string'],
  ...['timestamp', 'bytes', 'duration', 'type', 'null'],
] as TypeKind[]
const clauses: Readonly<Record<string, { readonly types: readonly TypeKind[]; readonly only: string }>> = {
  s: {
    types: printable,
    only: 'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  },
  d: { types: whole, only: 'decimal clause can only be used on integers' },
  f: { types: fractions, only: 'fixed-point clause can only be used on doubles' },
  e: { types: fractions, only: 'scientific clause can only be used on doubles' },
  b: { types: [...whole, 'bool'], only: 'only integers and bools can be formatted as binary' },
  o: { types: whole, only: 'octal clause can only be used on integers' },
  x: {
    types: [...whole, 'string', 'bytes'],
    only: 'only integers, byte buffers, and strings can be formatted as hex',
  },
}

/** What is wrong with `'%d of %s'.format([1, 'a'])`, if the text and the list are literals; undefined if nothing is. */
export function formatProblem(
  call: Call,
  checked: CheckedExpression,
): { readonly at: Expr; readonly message: string } | undefined {
  const { name, target, args } = call
  const [list] = args
  if (name !== 'format' || target?.kind !== 'literal' || typeof target.value !== 'string') return undefined
  if (args.length !== 1 || list?.kind !== 'list') return undefined
  let used = 0
  for (const { clause } of formatClauses(target.value)) {
    if (clause === undefined) continue
    const item = list.items[used]
    if (clause === '') return { at: call, message: 'unexpected end of string' }
    if (!item) return { at: call, message: `index ${used} out of range` }
    used++
    const rule = clauses[clause === 'X' ? 'x' : clause]
    if (!rule)
      return {
        at: call,
        message: `could not parse formatting clause: unrecognized formatting clause ${JSON.stringify(clause)}`,
      }
    const wrong =
      clause === 's' ? firstUnprintable(item, checked) : isOneOf(item, rule.types, checked) ? undefined : item
    if (wrong)
      return {
        at: wrong,
        message: `error during formatting: ${rule.only}, was given ${describeType(checked.typeOf(wrong))}`,
      }
  }
  if (list.items.length > used)
    return {
      at: call,
      message: `too many arguments supplied to string.format (expected ${used}, got ${list.items.length})`,
    }
  return undefined
}

const isOneOf = (expr: Expr, types: readonly TypeKind[], checked: CheckedExpression): boolean => {
  const { kind } = checked.typeOf(expr)
  return kind === 'dyn' || types.includes(kind)
}

/** The value, or the first part of a literal, that `%s` does not accept. */
function firstUnprintable(expr: Expr, checked: CheckedExpression): Expr | undefined {
  if (!isOneOf(expr, printable, checked)) return expr
  const parts =
    expr.kind === 'list'
      ? expr.items
      : expr.kind === 'map'
        ? expr.entries.flatMap(({ key, value }) => [key, value])
        : []
  for (const part of parts) {
    const found = firstUnprintable(part, checked)
    if (found) return found
  }
  return undefined
}
