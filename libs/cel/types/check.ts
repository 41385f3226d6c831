import type { Overload } from '../functions/overload.js'
import { type Call, type Comprehension, type Expr, type ParsedExpression, qualifiedName } from '../syntax/ast.js'
import { celErrorOf, type Issue } from '../syntax/errors.js'
import {
  boolType,
  describeType,
  dynType,
  errorType,
  isDyn,
  isDynOrError,
  isExactType,
  isOptional,
  listType,
  mapType,
  optionalType,
  structType,
  type Type,
  typeParameter,
  typeType,
  unwrapped,
} from './cel-types.js'
import type { CheckedExpression, CheckOptions } from './checked-expression.js'
import { literalType, loopVariables, typeValues } from './known-types.js'
import { mostGeneral, Substitutions, withFreshParameters } from './unify.js'

/** Checks the types of an expression. Throws a CelError. */
export function checkExpression(parsed: ParsedExpression, options: CheckOptions): CheckedExpression {
  const checker = new Checker(parsed, options)
  checker.check(parsed.root)
  if (checker.issues.length > 0) throw celErrorOf(parsed.text, checker.issues)
  return checker.result()
}

class Checker {
  readonly issues: Issue[] = []
  readonly #parsed: ParsedExpression
  readonly #options: CheckOptions
  readonly #types: Type[] = []
  readonly #overloads = new Map<number, readonly Overload[]>()
  readonly #names = new Map<number, string>()
  readonly #substitutions = new Substitutions()
  /** Variables of loops; inner ones shadow outer ones. */
  readonly #locals: { readonly name: string; readonly type: Type }[] = []
  #parameters = 0

  constructor(parsed: ParsedExpression, options: CheckOptions) {
    this.#parsed = parsed
    this.#options = options
  }

  result(): CheckedExpression {
    const types = this.#types.map(type => this.#substitutions.resolve(type, true))
    return {
      ...this.#parsed,
      type: types[this.#parsed.root.id]!,
      typeOf: expr => types[expr.id] ?? dynType,
      overloadsOf: call => this.#overloads.get(call.id) ?? [],
      nameOf: expr => this.#names.get(expr.id),
    }
  }

  #report(expr: { readonly id: number }, message: string): void {
    this.issues.push({ at: this.#parsed.positions[expr.id] ?? 0, message })
  }
  #fresh = (): Type => typeParameter(`_var${this.#parameters++}`)
  #get(expr: Expr): Type {
    return this.#types[expr.id] ?? errorType
  }

  check(expr: Expr): void {
    this.#types[expr.id] = this.#typeOf(expr)
  }
  #checked(expr: Expr): Type {
    this.check(expr)
    return this.#get(expr)
  }

  #typeOf(expr: Expr): Type {
    switch (expr.kind) {
      case 'literal':
        return literalType(expr.value)
      case 'ident':
        return this.#variable(expr.name, expr) ?? this.#undeclared(expr, expr.name)
      case 'select':
        return this.#select(expr)
      case 'call':
        return this.#call(expr)
      case 'list':
        return this.#list(expr)
      case 'map':
        return this.#map(expr)
      case 'struct':
        return this.#struct(expr)
      case 'comprehension':
        return this.#loop(expr)
    }
  }

  #undeclared(expr: Expr, name: string): Type {
    this.#report(expr, `undeclared reference to '${name}' (in container '')`)
    return errorType
  }
  #variable(name: string, expr: Expr): Type | undefined {
    const local = this.#locals.findLast(each => each.name === name)
    if (local) return local.type
    const declared = this.#options.variables.get(name)
    const named = Object.hasOwn(typeValues, name) ? typeValues[name] : this.#options.functions.types.get(name)
    const type = declared ?? (named && typeType(named))
    if (type) this.#names.set(expr.id, name)
    return type
  }

  #select(expr: Expr & { kind: 'select' }): Type {
    const qualified = expr.testOnly ? undefined : qualifiedName(expr)
    // A variable of a loop hides qualified names that begin like it.
    if (qualified?.includes('.') && !this.#locals.some(({ name }) => qualified.startsWith(`${name}.`))) {
      const type = this.#variable(qualified, expr)
      if (type) return type
    }
    const type = this.#field(expr, expr.operand, expr.field, false)
    return expr.testOnly ? boolType : this.#substitutions.resolve(type)
  }
  #field(expr: Expr, operand: Expr, field: string, isOptionalSelect: boolean): Type {
    const operandType = this.#substitutions.resolve(this.#checked(operand))
    const target = unwrapped(operandType)
    const found = this.#fieldOf(expr, target, field)
    return isOptional(operandType) || isOptionalSelect ? optionalType(found) : found
  }
  #fieldOf(expr: Expr, target: Type, field: string): Type {
    switch (target.kind) {
      case 'map':
        return target.params[1]!
      case 'struct': {
        const found = target.fields ? target.fields.get(field) : dynType
        if (!found) this.#report(expr, `undefined field '${field}'`)
        return found ?? errorType
      }
      case 'param':
        this.#substitutions.assign(dynType, target)
        return dynType
      default:
        if (!isDynOrError(target)) this.#report(expr, `type '${describeType(target)}' does not support field selection`)
        return dynType
    }
  }

  #call(call: Call): Type {
    const { name, target, args } = call
    if (name === '_?._') {
      const [operand, field] = args
      const fieldName = field?.kind === 'literal' && typeof field.value === 'string' ? field.value : ''
      this.check(field!)
      this.#overloads.set(call.id, this.#options.functions.overloads('_?._') ?? [])
      return this.#substitutions.resolve(this.#field(call, operand!, fieldName, true))
    }
    for (const arg of args) this.check(arg)
    if (!target) {
      const overloads = this.#options.functions.overloads(name)
      if (!overloads) return this.#undeclared(call, name)
      return this.#resolve(call, name, undefined, overloads)
    }
    const prefix = qualifiedName(target)
    const qualified = prefix === undefined ? undefined : `${prefix}.${name}`
    const functions = qualified === undefined ? undefined : this.#options.functions.overloads(qualified)
    if (functions) {
      this.#names.set(call.id, qualified!)
      return this.#resolve(call, qualified!, undefined, functions)
    }
    this.check(target)
    const methods = this.#options.functions.overloads(name)
    return methods ? this.#resolve(call, name, target, methods) : this.#undeclared(call, name)
  }

  #resolve(call: Call, name: string, target: Expr | undefined, overloads: readonly Overload[]): Type {
    const given = [...(target ? [target] : []), ...call.args]
    const types = given.map(arg => this.#get(arg))
    if (name === '_&&_' || name === '_||_') {
      let type = boolType
      for (const [i, argument] of types.entries())
        if (!this.#substitutions.assign(argument, boolType)) {
          this.#mismatch(given[i]!, boolType, argument)
          type = errorType
        }
      this.#overloads.set(call.id, overloads)
      return type
    }
    const fitting: Overload[] = []
    let result: Type | undefined
    for (const overload of overloads) {
      if (overload.isMethod !== (target !== undefined)) continue
      const [returned, ...params] = withFreshParameters([overload.result, ...overload.params], this.#fresh)
      if (!this.#substitutions.assignAll(types, params)) continue
      fitting.push(overload)
      const type = this.#substitutions.resolve(returned!)
      if (!result) result = type
      else if (!isDyn(result) && !isExactType(result, type)) result = dynType
    }
    if (!result) {
      const shown = types.map(type => describeType(this.#substitutions.resolve(type, true)))
      const signature = target ? `${shown[0]}.(${shown.slice(1).join(', ')})` : `(${shown.join(', ')})`
      this.#report(call, `found no matching overload for '${name}' applied to '${signature}'`)
      return errorType
    }
    this.#overloads.set(call.id, fitting)
    return result
  }

  #mismatch(expr: Expr, expected: Type, found: Type): void {
    const [one, other] = [expected, found].map(type => describeType(this.#substitutions.resolve(type)))
    this.#report(expr, `expected type '${one}' but found '${other}'`)
  }

  /** The common type of items; see `validate.ts` for where they must not differ. */
  #joined(before: Type | undefined, type: Type): Type {
    if (!before) return type
    return this.#substitutions.assign(before, type) ? mostGeneral(before, type) : dynType
  }
  /** The type of an item that is left out if it has no value. */
  #optionalEntry(expr: Expr, type: Type): Type {
    const content = unwrapped(type)
    if (!isOptional(type) && !isDyn(type)) this.#mismatch(expr, optionalType(type), type)
    return content
  }

  #list(expr: Expr & { kind: 'list' }): Type {
    let item: Type | undefined
    for (const [i, each] of expr.items.entries()) {
      const type = this.#checked(each)
      item = this.#joined(item, expr.optional.has(i) ? this.#optionalEntry(each, type) : type)
    }
    return listType(item ?? this.#fresh())
  }

  #map(expr: Expr & { kind: 'map' }): Type {
    let key: Type | undefined
    let value: Type | undefined
    for (const entry of expr.entries) {
      key = this.#joined(key, this.#checked(entry.key))
      const type = this.#checked(entry.value)
      value = this.#joined(value, entry.isOptional ? this.#optionalEntry(entry.value, type) : type)
    }
    return mapType(key ?? this.#fresh(), value ?? this.#fresh())
  }

  #struct(expr: Expr & { kind: 'struct' }): Type {
    const type = this.#options.structs?.(expr.typeName)
    if (!type) return this.#undeclared(expr, expr.typeName)
    for (const field of expr.fields) {
      const given = this.#checked(field.value)
      const expected = type.fields ? type.fields.get(field.name) : dynType
      if (!expected) {
        this.#report(field, `undefined field '${field.name}'`)
        continue
      }
      const value = field.isOptional ? this.#optionalEntry(field.value, given) : given
      if (!this.#substitutions.assign(expected, value))
        this.#report(
          field,
          `expected type of field '${field.name}' is '${describeType(expected)}' but provided type is '${describeType(this.#substitutions.resolve(value))}'`,
        )
    }
    return structType(type.name, type.fields)
  }

  #loop(loop: Comprehension): Type {
    this.check(loop.range)
    const accumulated = this.#checked(loop.init)
    const range = this.#substitutions.resolve(this.#get(loop.range))
    const [first, second] = this.#variablesOf(loop, range)
    const outside = this.#locals.length
    this.#locals.push({ name: loop.accumulator, type: accumulated })
    const inside = this.#locals.length
    this.#locals.push({ name: loop.variable, type: first })
    if (loop.second !== undefined) this.#locals.push({ name: loop.second, type: second })
    this.#assert(loop.condition, boolType)
    this.#assert(loop.step, accumulated)
    this.#locals.length = inside
    const result = this.#checked(loop.result)
    this.#locals.length = outside
    return this.#substitutions.resolve(result)
  }
  #assert(expr: Expr, type: Type): void {
    const found = this.#checked(expr)
    if (!this.#substitutions.assign(type, found)) this.#mismatch(expr, type, found)
  }
  #variablesOf({ range: expr, second }: Comprehension, range: Type): readonly [Type, Type] {
    const found = loopVariables(range, second !== undefined)
    if (found) {
      // Types that are still unknown become dynamic here.
      if (range.kind === 'param') this.#substitutions.assign(dynType, range)
      return found
    }
    const shown = describeType(range)
    this.#report(
      expr,
      `expression of type '${shown}' cannot be range of a comprehension (must be list, map, or dynamic)`,
    )
    return [errorType, errorType]
  }
}
