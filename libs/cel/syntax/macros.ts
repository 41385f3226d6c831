import { accumulatorName, type Expr } from './ast.js'
import type { ExprBuilder, ExprMaker } from './builder.js'

interface MacroCall {
  readonly at: number
  readonly name: string
  readonly target: Expr | undefined
  readonly args: readonly Expr[]
}
/** Makes the error for a part of the call. */
type Fail = (part: Expr, message: string) => Error

/** Inserts an entry, or the entries of another map, into the map that a loop builds. */
export const mapInsert = 'cel.@mapInsert'
export const sortByKeys = '@sortByAssociatedKeys'

/** Which macros are available: those of version `1.minor`, and `cel.bind`, which not every host offers. */
export interface Dialect {
  readonly minor: number
  readonly hasBindings: boolean
}

/** Macros that expand to loops and conditions. Undefined if the call is not a macro. */
export function expandMacro(build: ExprBuilder, call: MacroCall, dialect: Dialect, fail: Fail): Expr | undefined {
  const { name, target, args, at } = call
  const { minor, hasBindings } = dialect
  const make = build.at(at)
  if (hasBindings && name === 'bind' && args.length === 3 && target?.kind === 'ident' && target.name === 'cel') {
    const parts = new MacroParts(make, target, args, fail)
    return bind(parts, parts.variable(0), args[1]!, args[2]!)
  }
  if (!target) return name === 'has' && args.length === 1 ? expandHas(make, args[0]!, fail) : undefined
  const key = `${name}/${args.length}`
  const macro = Object.hasOwn(macros, key) ? macros[key] : undefined
  // Without the macro it is a call of an undeclared function.
  if (!macro || (macrosSince[name] ?? sinceArguments(name, args.length)) > minor) return undefined
  return macro(new MacroParts(make, target, args, fail))
}

/** The minor version of Kubernetes 1.x that introduced a macro. */
const macrosSince: Readonly<Record<string, number>> = {
  optMap: 28,
  optFlatMap: 28,
  transformList: 32,
  transformMap: 32,
  transformMapEntry: 32,
  existsOne: 32,
  sortBy: 34,
}
/** Macros with two variables were added later. */
const sinceArguments = (name: string, count: number): number => (count === 3 && name !== 'map' ? 32 : 0)

function expandHas(make: ExprMaker, arg: Expr, fail: Fail): Expr {
  if (arg.kind !== 'select' || arg.testOnly) throw fail(arg, 'invalid argument to has() macro')
  return make.select(arg.operand, arg.field, true)
}

type Macro = (parts: MacroParts) => Expr

class MacroParts {
  readonly make: ExprMaker
  readonly target: Expr
  readonly args: readonly Expr[]
  readonly #fail: Fail
  constructor(make: ExprMaker, target: Expr, args: readonly Expr[], fail: Fail) {
    this.make = make
    this.target = target
    this.args = args
    this.#fail = fail
  }
  variable(index: number): string {
    const arg = this.args[index]!
    if (arg.kind !== 'ident') throw this.#fail(arg, 'argument must be a simple name')
    if (arg.name === '__result__') throw this.#fail(arg, 'iteration variable overwrites accumulator variable')
    return arg.name
  }
  twoVariables(): { variable: string; second: string } {
    const [variable, second] = [this.variable(0), this.variable(1)]
    if (variable === second) throw this.#fail(this.args[1]!, `duplicate variable name: ${variable}`)
    return { variable, second }
  }
  get result(): Expr {
    return this.make.ident(accumulatorName)
  }
  loop(parts: {
    variable: string
    second?: string
    init: Expr
    condition?: Expr
    step: Expr
    result?: Expr
    range?: Expr
  }): Expr {
    return this.make.loop({
      range: this.target,
      accumulator: accumulatorName,
      second: undefined,
      condition: this.make.literal(true),
      result: this.result,
      ...parts,
    })
  }
}

type Variables = { variable: string; second?: string }
const all = (parts: MacroParts, variables: Variables): Expr =>
  parts.loop({
    ...variables,
    init: parts.make.literal(true),
    condition: parts.make.call('@not_strictly_false', parts.result),
    step: parts.make.call('_&&_', parts.result, parts.args.at(-1)!),
  })
const exists = (parts: MacroParts, variables: Variables): Expr =>
  parts.loop({
    ...variables,
    init: parts.make.literal(false),
    condition: parts.make.call('@not_strictly_false', parts.make.call('!_', parts.result)),
    step: parts.make.call('_||_', parts.result, parts.args.at(-1)!),
  })
const existsOne = (parts: MacroParts, variables: Variables): Expr => {
  const { make } = parts
  return parts.loop({
    ...variables,
    init: make.literal(0n),
    step: make.call('_?_:_', parts.args.at(-1)!, make.call('_+_', parts.result, make.literal(1n)), parts.result),
    result: make.call('_==_', parts.result, make.literal(1n)),
  })
}
/** A loop that builds a list or map, optionally of the items that pass a filter. */
const collect = (parts: MacroParts, variables: Variables, init: Expr, add: Expr, filter: Expr | undefined): Expr =>
  parts.loop({
    ...variables,
    init,
    step: filter ? parts.make.call('_?_:_', filter, add, parts.result) : add,
  })
const append = ({ make, result }: MacroParts, item: Expr) => make.call('_+_', result, make.list([item]))

/** The macro of `map`, which `sortBy` applies to its own variable. */
const mapMacro: Macro = parts =>
  collect(
    parts,
    { variable: parts.variable(0) },
    parts.make.list(),
    append(parts, parts.args.at(-1)!),
    parts.args.length === 3 ? parts.args[1] : undefined,
  )
const transform =
  (init: (make: ExprMaker) => Expr, add: (parts: MacroParts, value: Expr, key: string) => Expr): Macro =>
  parts => {
    const variables = parts.twoVariables()
    const filter = parts.args.length === 4 ? parts.args[2] : undefined
    return collect(parts, variables, init(parts.make), add(parts, parts.args.at(-1)!, variables.variable), filter)
  }
const transformList = transform(make => make.list(), append)
const transformMap = transform(
  make => make.map(),
  ({ make, result }, value, key) => make.call(mapInsert, result, make.ident(key), value),
)
const transformMapEntry = transform(
  make => make.map(),
  ({ make, result }, entry) => make.call(mapInsert, result, entry),
)

/** Binds a variable to a value for one expression: a loop without iterations. */
const bind = ({ make }: MacroParts, name: string, value: Expr, result: Expr): Expr =>
  make.loop({
    range: make.list(),
    variable: '#unused',
    second: undefined,
    accumulator: name,
    init: value,
    condition: make.literal(false),
    step: make.ident(name),
    result,
  })
const optMap =
  (isFlat: boolean): Macro =>
  parts => {
    const { make, target, args } = parts
    const value = bind(parts, parts.variable(0), make.method(target, 'value'), args[1]!)
    return make.call(
      '_?_:_',
      make.method(target, 'hasValue'),
      isFlat ? value : make.call('optional.of', value),
      make.call('optional.none'),
    )
  }
const sortInput = '@__sortBy_input__'
const sortBy: Macro = parts => {
  const { make, target, args } = parts
  const keys = mapMacro(new MacroParts(make, make.ident(sortInput), args, () => new Error('not a name')))
  return bind(parts, sortInput, target, make.method(make.ident(sortInput), sortByKeys, keys))
}

const one = (macro: (parts: MacroParts, variables: Variables) => Expr): Macro => {
  return parts => macro(parts, { variable: parts.variable(0) })
}
const two = (macro: (parts: MacroParts, variables: Variables) => Expr): Macro => {
  return parts => macro(parts, parts.twoVariables())
}
/** By name and number of arguments. */
export const macros: Readonly<Record<string, Macro | undefined>> = {
  'all/2': one(all),
  'exists/2': one(exists),
  'exists_one/2': one(existsOne),
  'existsOne/2': one(existsOne),
  'filter/2': parts =>
    collect(parts, { variable: parts.variable(0) }, parts.make.list(), append(parts, parts.args[0]!), parts.args[1]),
  'map/2': mapMacro,
  'map/3': mapMacro,
  'all/3': two(all),
  'exists/3': two(exists),
  'exists_one/3': two(existsOne),
  'existsOne/3': two(existsOne),
  'transformList/3': transformList,
  'transformList/4': transformList,
  'transformMap/3': transformMap,
  'transformMap/4': transformMap,
  'transformMapEntry/3': transformMapEntry,
  'transformMapEntry/4': transformMapEntry,
  'optMap/2': optMap(false),
  'optFlatMap/2': optMap(true),
  'sortBy/2': parts => {
    parts.variable(0)
    return sortBy(parts)
  },
}
