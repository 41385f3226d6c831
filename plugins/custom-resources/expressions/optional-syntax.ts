import { ExpressionError } from 'orch/sdk'
import type { Expr } from './expression-types.js'

/** Names of the calls that replace optional syntax, which the library cannot parse. */
export const optionalSelect = 'optional_select__'
export const optionalIndex = 'optional_index__'
export const optionalEntry = 'optional_entry__'

interface Bracket {
  readonly closing: string
  /** Whether it contains entries, which can be optional: `[` and `{`. */
  readonly hasEntries: boolean
  readonly isMap: boolean
  /** The current map entry began with a question mark, and its value has not started. */
  isOptional: boolean
  /** The current value is being wrapped in a call. */
  isWrapped: boolean
}

/** Tokens: strings and comments (left as they are), names and numbers, and any other single character. */
const token =
  /(?:[rR][bB]?|[bB][rR]?)?(?:'''[\s\S]*?'''|"""[\s\S]*?"""|'(?:\\[\s\S]|[^'\\])*'|"(?:\\[\s\S]|[^"\\])*")|\/\/[^\n]*|[A-Za-z_][A-Za-z0-9_]*|\s+|\.\?|[\s\S]/g

/** Rewrites `a.?b` and `a[?b]` as method calls and optional entries as function calls. Other expressions are unchanged. */
export function plainOptionals(text: string): string {
  if ([optionalSelect, optionalIndex, optionalEntry].some(name => text.includes(name)))
    throw new ExpressionError('syntax error: a reserved name')
  if (!text.includes('?')) return text
  const tokens = text.match(token) ?? []
  const brackets: Bracket[] = []
  let plain = ''
  /** The last significant token. */
  let last = ''
  for (let i = 0; i < tokens.length; i++) {
    const each = tokens[i]!
    const around = brackets.at(-1)
    let written = each
    if (each === '.?') {
      let next = i + 1
      while (/^\s/.test(tokens[next] ?? '')) next++
      written = `.${optionalSelect}(${JSON.stringify(tokens[next] ?? '')})`
      i = next
    } else if ('([{'.includes(each)) {
      const isIndex = each === '[' && /^[\w"')\]}]/.test(last.at(-1) ?? '')
      const isOptional = isIndex && tokens[i + 1] === '?'
      brackets.push(bracketOf(each, isIndex, isOptional))
      if (isOptional) {
        written = `.${optionalIndex}(`
        i++
      }
    } else if (each === '?' && around?.hasEntries && (last === ',' || last === '[' || last === '{')) {
      if (around.isMap) around.isOptional = true
      else around.isWrapped = true
      written = around.isMap ? '' : `${optionalEntry}(`
    } else if (each === ':' && around?.isOptional) {
      around.isOptional = false
      around.isWrapped = true
      written = `: ${optionalEntry}(`
    } else if (around && (each === ',' || ')]}'.includes(each))) {
      written = (around.isWrapped ? ')' : '') + (each === ',' ? each : around.closing)
      around.isWrapped = false
      if (each !== ',') brackets.pop()
    }
    plain += written
    // A selected field ends with a parenthesis, as the call that replaces it does.
    if (!/^(\s|\/\/)/.test(each)) last = each === '.?' ? ')' : each
  }
  return plain
}

function bracketOf(opening: string, isIndex: boolean, isOptionalIndex: boolean): Bracket {
  const closing = isOptionalIndex || opening === '(' ? ')' : opening === '[' ? ']' : '}'
  const isMap = opening === '{'
  return { closing, hasEntries: isMap || (opening === '[' && !isIndex), isMap, isOptional: false, isWrapped: false }
}

type Call = Extract<Expr['exprKind'], { case: 'callExpr' }>['value']

/** `a.optMap(v, b)` is `a.hasValue() ? optional.of(b with v = a.value()) : optional.none()`; `optFlatMap` has no `of`. */
export function expandOptionalMacros(expr: Expr): Expr {
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const part of Object.values(value)) visit(part)
    const call = (value as Partial<Expr>).exprKind
    if (call?.case === 'callExpr' && call.value.target && call.value.args.length === 2)
      if (call.value.function === 'optMap' || call.value.function === 'optFlatMap') expand(value as Expr, call.value)
  }
  visit(expr)
  return expr
}

function expand(expr: Expr, { function: name, target, args }: Call): void {
  const [variable, result] = args
  if (variable?.exprKind.case !== 'identExpr')
    throw new ExpressionError(`syntax error: ${name} needs the name of a variable`)
  const node = (exprKind: unknown): Expr => ({ ...expr, exprKind }) as Expr
  const call = (called: string, on: Expr | undefined, ...callArgs: Expr[]) =>
    node({ case: 'callExpr', value: { $typeName: 'cel.expr.Expr.Call', function: called, target: on, args: callArgs } })
  const ident = (of: string) => node({ case: 'identExpr', value: { $typeName: 'cel.expr.Expr.Ident', name: of } })
  // A loop over an empty list, which only binds the variable.
  const bound = node({
    case: 'comprehensionExpr',
    value: {
      $typeName: 'cel.expr.Expr.Comprehension',
      iterVar: '#unused',
      iterVar2: '',
      iterRange: node({
        case: 'listExpr',
        value: { $typeName: 'cel.expr.Expr.CreateList', elements: [], optionalIndices: [] },
      }),
      accuVar: variable.exprKind.value.name,
      accuInit: call('value', target),
      loopCondition: node({
        case: 'constExpr',
        value: { $typeName: 'cel.expr.Constant', constantKind: { case: 'boolValue', value: false } },
      }),
      loopStep: ident(variable.exprKind.value.name),
      result,
    },
  })
  const some = name === 'optMap' ? call('of', ident('optional'), bound) : bound
  expr.exprKind = call('_?_:_', undefined, call('hasValue', target), some, call('none', ident('optional'))).exprKind
}
