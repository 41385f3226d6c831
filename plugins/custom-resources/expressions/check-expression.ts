import { ExpressionError } from 'orch/sdk'
import { checkLiterals } from './check-literals.js'
import { costOfCall, listCost, mapCost, maxCost, sized } from './expression-costs.js'
import { qualifiedName } from './expression-parts.js'
import {
  type Bindings,
  bound,
  describeType,
  dyn,
  type Expr,
  type ExpressionType,
  list,
  matches,
  maxSizeOf,
  optional,
  scalar,
} from './expression-types.js'
import { optionalEntry, optionalIndex, optionalSelect } from './optional-syntax.js'
import { signatures, typeNames } from './signatures.js'

/** The type of an expression and the upper bound of its cost. */
export interface Checked {
  readonly type: ExpressionType
  readonly cost: number
}
/** Variables and their types. Inner variables shadow outer ones. */
type Scope = ReadonlyMap<string, ExpressionType>

/** Marks the scope of expressions that may construct changes of objects. It cannot be the name of a variable. */
export const makesChanges: readonly [string, ExpressionType] = ['@changes', dyn]

/** Marks the scope of expressions whose literal patterns, durations and timestamps are checked at run time only. */
export const leavesLiterals: readonly [string, ExpressionType] = ['@literals', dyn]

/** An error with the id of the part of the expression where it occurred. */
export class ExpressionMistake extends ExpressionError {
  readonly id: bigint
  constructor(message: string, id: bigint) {
    super(message)
    this.id = id
  }
}

/** Checks types and estimates the cost in a single pass. Throws an ExpressionError. */
export function checkExpression(expr: Expr | undefined, scope: Scope): Checked {
  try {
    return checkKind(expr, scope)
  } catch (error) {
    // The innermost part is where the error is.
    if (expr && error instanceof ExpressionError && !(error instanceof ExpressionMistake))
      throw new ExpressionMistake(error.message, expr.id)
    throw error
  }
}

function checkKind(expr: Expr | undefined, scope: Scope): Checked {
  const kind = expr?.exprKind
  switch (kind?.case) {
    case 'constExpr':
      return { type: constantType(kind.value.constantKind), cost: 0 }
    case 'identExpr':
      return { type: identType(kind.value.name, scope), cost: 1 }
    case 'selectExpr':
      return checkSelect(kind.value, scope)
    case 'callExpr':
      return checkCall(kind.value, scope)
    case 'listExpr':
      return checkList(kind.value.elements, scope)
    case 'structExpr':
      return checkStruct(kind.value, scope)
    case 'comprehensionExpr':
      return checkComprehension(kind.value, scope)
    default:
      throw new ExpressionError('the expression is empty')
  }
}

type Kind<C extends string> = Extract<Expr['exprKind'], { case: C }>
type Constant = Kind<'constExpr'>['value']['constantKind']

const constantTypes: Readonly<Record<string, ExpressionType>> = {
  nullValue: scalar('null'),
  boolValue: scalar('bool'),
  int64Value: scalar('int'),
  uint64Value: scalar('uint'),
  doubleValue: scalar('double'),
}
function constantType(constant: Constant): ExpressionType {
  if (constant.case === 'stringValue') return scalar('string', constant.value.length)
  if (constant.case === 'bytesValue') return scalar('bytes', constant.value.length)
  return constantTypes[constant.case ?? ''] ?? dyn
}

function identType(name: string, scope: Scope): ExpressionType {
  const type = scope.get(name)
  if (type) return type
  if (typeNames.has(name)) return scalar('type')
  throw new ExpressionError(`undeclared reference to '${name}'`)
}

function checkSelect({ operand, field, testOnly }: Kind<'selectExpr'>['value'], scope: Scope): Checked {
  // A qualified name such as google.protobuf.Timestamp is a type.
  const qualified = qualifiedName(operand)
  if (qualified === 'google.protobuf' && (field === 'Timestamp' || field === 'Duration'))
    return { type: scalar('type'), cost: 1 }
  const { type, cost } = checkExpression(operand, scope)
  const found = fieldType(type, field)
  return { type: testOnly ? scalar('bool') : found, cost: cost + 1 }
}

function fieldType(type: ExpressionType, field: string): ExpressionType {
  if (type.kind === 'dyn' || type.kind === 'Object') return dyn
  if (type.kind === 'map') return type.value
  if (type.kind === 'optional') return optional(fieldType(type.item, field))
  if (type.kind === 'authorizer' && field === 'requestResource') return scalar('resourceCheck')
  if (type.kind !== 'object') throw new ExpressionError(`type '${describeType(type)}' does not support field selection`)
  const found = type.fields.get(field)
  if (!found) throw new ExpressionError(`undefined field '${field}'`)
  return found
}
const unwrapped = (type: ExpressionType): ExpressionType => (type.kind === 'optional' ? type.item : type)

/** `a.?b` and `a[?b]`, which were rewritten as calls for the parser. */
function checkOptional(name: string, [target, key]: readonly Checked[], args: readonly Expr[]): Checked {
  const cost = target!.cost + key!.cost + 1
  const of = unwrapped(target!.type)
  const constant = args[0]?.exprKind.case === 'constExpr' ? args[0].exprKind.value.constantKind : undefined
  if (name === optionalSelect) return { type: optional(fieldType(of, String(constant?.value))), cost }
  if (of.kind === 'list') return { type: optional(of.item), cost }
  return { type: optional(of.kind === 'map' ? of.value : dyn), cost }
}

function checkCall(call: Kind<'callExpr'>['value'], scope: Scope): Checked {
  const { args } = call
  // `optional.of` is the name of a function, unless there is a variable `optional`.
  const qualified = call.target && `${qualifiedName(call.target)}.${call.function}`
  const isQualified = qualified !== undefined && signatures.has(qualified)
  const name = isQualified ? qualified : call.function
  const target = isQualified ? undefined : call.target
  const parts = [...(target ? [target] : []), ...args].map(arg =>
    name === 'format' && arg.exprKind.case === 'listExpr'
      ? checkMixedList(arg.exprKind.value.elements, scope)
      : checkExpression(arg, scope),
  )
  const argumentTypes = parts.map(part => part.type)
  if (name === optionalEntry) {
    const { type, cost } = parts[0]!
    if (type.kind !== 'optional' && type.kind !== 'dyn')
      throw new ExpressionError(`an optional entry needs an optional value, not ${describeType(type)}`)
    return { type: unwrapped(type), cost }
  }
  if (name === optionalSelect || name === optionalIndex) return checkOptional(name, parts, args)
  const overloads = signatures.get(name)
  if (!overloads) throw new ExpressionError(`undeclared reference to '${name}'`)
  const results: ExpressionType[] = []
  for (const { isMethod, takes, returns } of overloads) {
    if (isMethod !== (target !== undefined) || takes.length !== argumentTypes.length) continue
    const bindings: Bindings = new Map()
    if (takes.every((type, i) => matches(type, argumentTypes[i]!, bindings))) results.push(bound(returns, bindings))
  }
  const [first, ...others] = results
  if (!first)
    throw new ExpressionError(
      `found no matching overload for '${name}' applied to '(${argumentTypes.map(describeType).join(', ')})'`,
    )
  if (!scope.has(leavesLiterals[0])) checkLiterals(name, target ? [target, ...args] : args)
  const isSame = others.every(type => type.kind === first.kind)
  const cost = parts.reduce((sum, part) => sum + part.cost, 0) + costOfCall(name, argumentTypes)
  return { type: isSame ? sized(name, first, argumentTypes) : dyn, cost: Math.min(cost, maxCost) }
}

function checkList(elements: readonly Expr[], scope: Scope): Checked {
  const parts = elements.map(element => checkExpression(element, scope))
  const item = parts.map(part => part.type).reduce(joined, dyn)
  return { type: list(item, parts.length), cost: parts.reduce((sum, part) => sum + part.cost, listCost) }
}

/** A list of arguments for `format`, which may have different types. */
function checkMixedList(elements: readonly Expr[], scope: Scope): Checked {
  const parts = elements.map(element => checkExpression(element, scope))
  const size = parts.reduce((sum, { type }) => sum + maxSizeOf(type), 0)
  return { type: list(dyn, size), cost: parts.reduce((sum, part) => sum + part.cost, listCost) }
}

function joined(all: ExpressionType, type: ExpressionType): ExpressionType {
  if (all.kind === 'dyn') return type
  if (!matches(all, type, new Map()))
    throw new ExpressionError(`expected type '${describeType(all)}' but found '${describeType(type)}'`)
  return maxSizeOf(type) > maxSizeOf(all) ? type : all
}

const patchFields = new Set('op path from value'.split(' '))

/** `Object.spec{...}` and `JSONPatch{...}`. */
function checkChange({ messageName, entries }: Kind<'structExpr'>['value'], scope: Scope): Checked {
  const isPatch = messageName === 'JSONPatch'
  if (!scope.has(makesChanges[0]) || !(isPatch || messageName === 'Object' || messageName.startsWith('Object.')))
    throw new ExpressionError(`undeclared reference to '${messageName}'`)
  let cost = mapCost
  for (const { keyKind, value } of entries) {
    const field = keyKind.case === 'fieldKey' ? keyKind.value : ''
    const checked = checkExpression(value, scope)
    cost += checked.cost
    if (!isPatch) continue
    if (!patchFields.has(field)) throw new ExpressionError(`undefined field '${field}'`)
    if (field !== 'value' && !matches(scalar('string'), checked.type, new Map()))
      throw new ExpressionError(
        `expected type of field '${field}' is 'string' but provided type is '${describeType(checked.type)}'`,
      )
  }
  return { type: scalar(isPatch ? 'JSONPatch' : 'Object'), cost }
}

function checkStruct(struct: Kind<'structExpr'>['value'], scope: Scope): Checked {
  const { messageName, entries } = struct
  if (messageName !== '') return checkChange(struct, scope)
  let key = dyn
  let value = dyn
  let cost = mapCost
  for (const entry of entries) {
    if (entry.keyKind.case !== 'mapKey') throw new ExpressionError('a map needs keys')
    const [ofKey, ofValue] = [checkExpression(entry.keyKind.value, scope), checkExpression(entry.value, scope)]
    key = joined(key, ofKey.type)
    value = joined(value, ofValue.type)
    cost += ofKey.cost + ofValue.cost
  }
  return { type: { kind: 'map', key, value, maxSize: entries.length }, cost }
}

function checkComprehension(loop: Kind<'comprehensionExpr'>['value'], scope: Scope): Checked {
  const range = checkExpression(loop.iterRange, scope)
  const start = checkExpression(loop.accuInit, scope)
  const { type } = range
  if (!['list', 'map', 'dyn'].includes(type.kind))
    throw new ExpressionError(
      `expression of type '${describeType(type)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
    )
  const [first, second] =
    type.kind === 'list'
      ? [loop.iterVar2 === '' ? type.item : scalar('int'), type.item]
      : type.kind === 'map'
        ? [type.key, type.value]
        : [dyn, dyn]
  const inner = new Map([
    ...scope,
    [loop.iterVar, first],
    ...(loop.iterVar2 === '' ? [] : [[loop.iterVar2, second] as const]),
  ])
  inner.set(loop.accuVar, start.type)
  const step = checkExpression(loop.loopStep, inner)
  const size = maxSizeOf(type)
  const accumulated =
    step.type.kind === 'list' || step.type.kind === 'map' ? { ...step.type, maxSize: size } : step.type
  inner.set(loop.accuVar, accumulated)
  const condition = checkExpression(loop.loopCondition, inner)
  const result = checkExpression(loop.result, inner)
  const cost = range.cost + start.cost + size * (condition.cost + step.cost) + result.cost
  return { type: result.type, cost: Math.min(cost, maxCost) }
}
