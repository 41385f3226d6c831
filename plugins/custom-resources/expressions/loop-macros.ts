import { ExpressionError } from 'orch/sdk'
import { type ExprKind, partsOf } from './expression-parts.js'
import type { Expr } from './expression-types.js'

/** Inserts an entry, or the entries of another map, into a map. The name cannot occur in an expression. */
export const mapInsert = '@mapInsert'

const result = '@result'

/** Expands macros with two variables, index or key and value: `list.all(i, v, …)`, `map.transformMap(k, v, …)`. Mutates `expr`. */
export function expandLoopMacros(expr: Expr): Expr {
  for (const part of partsOf(expr)) expandLoopMacros(part)
  const call = expr.exprKind.case === 'callExpr' ? expr.exprKind.value : undefined
  const macro = call?.target && call.args.length >= 3 ? macros[call.function] : undefined
  if (!call || !macro || call.args.length > (macro.isFiltered ? 4 : 3)) return expr
  const [first, second, ...rest] = call.args
  const [iterVar, iterVar2] = [nameOf(first, call.function), nameOf(second, call.function)]
  if (iterVar === iterVar2)
    throw new ExpressionError(`syntax error: ${call.function} needs two names, not ${iterVar} twice`)
  const at = new Builder(expr)
  const { init, condition, step, value } = macro.make(at, rest.at(-1)!, {
    key: at.name(iterVar),
    item: at.name(iterVar2),
  })
  const filter = rest.length === 2 ? rest[0] : undefined
  expr.exprKind = {
    case: 'comprehensionExpr',
    value: {
      $typeName: 'cel.expr.Expr.Comprehension',
      iterVar,
      iterVar2,
      iterRange: call.target!,
      accuVar: result,
      accuInit: init,
      loopCondition: condition ?? at.constant('boolValue', true),
      loopStep: filter ? at.call('_?_:_', filter, step, at.name(result)) : step,
      result: value ?? at.name(result),
    },
  }
  return expr
}

function nameOf(expr: Expr | undefined, macro: string): string {
  if (expr?.exprKind.case !== 'identExpr')
    throw new ExpressionError(`syntax error: ${macro} needs the names of two variables`)
  return expr.exprKind.value.name
}

/** Builds expressions with the id of the expression that they replace. */
class Builder {
  readonly #like: Expr
  constructor(like: Expr) {
    this.#like = like
  }
  #node(exprKind: Expr['exprKind']): Expr {
    return { ...this.#like, exprKind }
  }
  name(name: string): Expr {
    return this.#node({ case: 'identExpr', value: { $typeName: 'cel.expr.Expr.Ident', name } })
  }
  call(name: string, ...args: Expr[]): Expr {
    return this.#node({ case: 'callExpr', value: { $typeName: 'cel.expr.Expr.Call', function: name, args } })
  }
  constant(kind: 'boolValue' | 'int64Value', value: boolean | bigint): Expr {
    const constantKind = { case: kind, value } as ExprKind<'constExpr'>['constantKind']
    return this.#node({ case: 'constExpr', value: { $typeName: 'cel.expr.Constant', constantKind } })
  }
  list(...elements: Expr[]): Expr {
    return this.#node({
      case: 'listExpr',
      value: { $typeName: 'cel.expr.Expr.CreateList', elements, optionalIndices: [] },
    })
  }
  emptyMap(): Expr {
    return this.#node({
      case: 'structExpr',
      value: { $typeName: 'cel.expr.Expr.CreateStruct', messageName: '', entries: [] },
    })
  }
}

interface Expansion {
  readonly init: Expr
  readonly condition?: Expr
  readonly step: Expr
  readonly value?: Expr
}
interface Macro {
  /** Whether it takes an optional filter before the transformation. */
  readonly isFiltered?: boolean
  make(at: Builder, given: Expr, variables: { key: Expr; item: Expr }): Expansion
}

const one: Macro = {
  make: (at, test) => ({
    init: at.constant('int64Value', 0n),
    step: at.call('_?_:_', test, at.call('_+_', at.name(result), at.constant('int64Value', 1n)), at.name(result)),
    value: at.call('_==_', at.name(result), at.constant('int64Value', 1n)),
  }),
}
const macros: Readonly<Record<string, Macro | undefined>> = {
  all: {
    make: (at, test) => ({
      init: at.constant('boolValue', true),
      condition: at.call('@not_strictly_false', at.name(result)),
      step: at.call('_&&_', at.name(result), test),
    }),
  },
  exists: {
    make: (at, test) => ({
      init: at.constant('boolValue', false),
      condition: at.call('@not_strictly_false', at.call('!_', at.name(result))),
      step: at.call('_||_', at.name(result), test),
    }),
  },
  existsOne: one,
  exists_one: one,
  transformList: {
    isFiltered: true,
    make: (at, item) => ({ init: at.list(), step: at.call('_+_', at.name(result), at.list(item)) }),
  },
  transformMap: {
    isFiltered: true,
    make: (at, value, { key }) => ({ init: at.emptyMap(), step: at.call(mapInsert, at.name(result), key, value) }),
  },
  transformMapEntry: {
    isFiltered: true,
    make: (at, entry) => ({ init: at.emptyMap(), step: at.call(mapInsert, at.name(result), entry) }),
  },
}
