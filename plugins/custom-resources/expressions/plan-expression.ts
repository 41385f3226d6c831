import { type CelValue, celList, celMap, celType, celUint, isCelList, isCelMap, isCelUint } from '@bufbuild/cel'
import { structureOf } from './change-values.js'
import { constantOf, functionsNamed, libraryValue } from './environment.js'
import { type ExprKind, qualifiedName } from './expression-parts.js'
import type { Expr } from './expression-types.js'
import { absorbed, Failure, Frame, type Step } from './frame.js'
import type { Meter } from './meter.js'
import { optionalEntry } from './optional-syntax.js'
import { entryValue, isOptional } from './optional-values.js'
import { planCall } from './plan-calls.js'
import { planLoop } from './plan-loops.js'

type Values = Readonly<Record<string, unknown>>
/** Reads a variable from the values of an evaluation. */
export type ReadVariable = (values: Values, meter: Meter) => unknown

/** Compiles a checked expression into a function. It charges for every step of a loop and for calls with proportional cost. */
export function planExpression(
  expr: Expr,
  variables: ReadonlyMap<string, ReadVariable>,
): (values: Values, meter: Meter) => unknown {
  const planner = new Planner(variables)
  const step = planner.plan(expr, new Map())
  return (values, meter) => step(new Frame(values, meter, planner.places))
}

/** The variables of enclosing loops: their slots, and whether they may hold failures. */
type Locals = ReadonlyMap<string, { readonly place: number; readonly mayFail: boolean }>

class Planner {
  readonly #variables: ReadonlyMap<string, ReadVariable>
  /** The number of slots for variables of loops. */
  places = 0

  constructor(variables: ReadonlyMap<string, ReadVariable>) {
    this.#variables = variables
  }

  plan(expr: Expr | undefined, locals: Locals): Step {
    const kind = expr?.exprKind
    switch (kind?.case) {
      case 'constExpr': {
        const value = constant(kind.value)
        return () => value
      }
      case 'identExpr':
        return this.#name(kind.value.name, locals)
      case 'selectExpr':
        return this.#select(expr!, kind.value, locals)
      case 'callExpr':
        return this.#call(Number(expr!.id), kind.value, locals)
      case 'listExpr':
        return this.#list(kind.value, locals)
      case 'structExpr':
        return this.#struct(kind.value, locals)
      case 'comprehensionExpr':
        return this.#loop(kind.value, locals)
      default:
        throw new Failure('the expression is empty')
    }
  }

  #name(name: string, locals: Locals): Step {
    const local = locals.get(name)
    if (local) {
      const { place, mayFail } = local
      if (!mayFail) return frame => frame.locals[place]
      return frame => {
        const value = frame.locals[place]
        if (value instanceof Failure) throw value
        return value
      }
    }
    const read = this.#variables.get(name)
    if (read) return frame => libraryValue(read(frame.values, frame.meter))
    const value = constantOf(name)
    return () => value
  }

  #select(expr: Expr, { operand, field, testOnly }: ExprKind<'selectExpr'>, locals: Locals): Step {
    const qualified = testOnly ? undefined : qualifiedName(expr)
    if (qualified !== undefined && !locals.has(qualified.split('.', 1)[0]!)) {
      const read = this.#variables.get(qualified)
      if (read) return frame => libraryValue(read(frame.values, frame.meter))
      if (qualified.startsWith('google.')) {
        const value = constantOf(qualified)
        return () => value
      }
    }
    const of = this.plan(operand, locals)
    if (testOnly)
      return frame => {
        const value = of(frame)
        return isCelMap(value) && value.has(field)
      }
    return frame => {
      const value = of(frame)
      const found = isCelMap(value) ? value.get(field) : undefined
      if (found === undefined) throw new Failure(`no such key: ${field}`)
      return found
    }
  }

  #call(id: number, call: ExprKind<'callExpr'>, locals: Locals): Step {
    const qualified = call.target && `${qualifiedName(call.target)}.${call.function}`
    const isQualified = qualified !== undefined && functionsNamed(qualified) !== undefined
    const name = isQualified ? qualified : call.function
    const target = isQualified || !call.target ? undefined : this.plan(call.target, locals)
    const args = call.args.map(arg => this.plan(arg, locals))
    const [first, second, third] = args
    switch (name) {
      case '_[_]':
        return index(first!, second!)
      case '_?_:_':
        return conditional(first!, second!, third!)
      case '_&&_':
        return logical(args, false)
      case '_||_':
        return logical(args, true)
      case '@not_strictly_false':
        return frame => {
          try {
            return first!(frame) !== false
          } catch (thrown) {
            absorbed(thrown, frame)
            return true
          }
        }
      default:
        return planCall(
          id,
          name,
          target,
          args,
          call.args.map(({ exprKind }) => exprKind.case === 'constExpr'),
        )
    }
  }

  #list({ elements }: ExprKind<'listExpr'>, locals: Locals): Step {
    const items = elements.map(element => this.#entry(element, locals))
    return frame => {
      const values: unknown[] = []
      for (const item of items) {
        const value = item(frame)
        if (value !== undefined) values.push(value)
      }
      return celList(values as never)
    }
  }

  /** `Object.spec{replicas: 1}` is a map with a type name. */
  #struct({ messageName, entries }: ExprKind<'structExpr'>, locals: Locals): Step {
    const planned = entries.map(({ keyKind, value }) => {
      const key = keyKind.case === 'fieldKey' ? () => keyKind.value : this.plan(keyKind.value as Expr, locals)
      return [key, this.#entry(value, locals)] as const
    })
    return frame => {
      const map = new Map<unknown, unknown>()
      for (const [key, value] of planned) {
        const name = mapKey(key(frame))
        if (map.has(name)) throw new Failure(`map key conflict: ${String(name)}`)
        const found = value(frame)
        if (found !== undefined) map.set(name, found)
      }
      const made = celMap(map as never)
      return messageName === '' ? made : structureOf(messageName, made)
    }
  }

  /** An optional entry without a value is undefined, and is left out. */
  #entry(expr: Expr | undefined, locals: Locals): Step {
    const call = expr?.exprKind.case === 'callExpr' ? expr.exprKind.value : undefined
    if (call?.function !== optionalEntry) return this.plan(expr, locals)
    const value = this.plan(call.args[0], locals)
    return frame => {
      const entry = value(frame)
      if (!isOptional(entry)) throw new Failure('an optional entry needs an optional value')
      return entryValue(entry)
    }
  }

  #loop(loop: ExprKind<'comprehensionExpr'>, locals: Locals): Step {
    const [accumulated, first] = [this.places++, this.places++]
    const second = loop.iterVar2 === '' ? undefined : this.places++
    const inner = new Map(locals)
    inner.set(loop.accuVar, { place: accumulated, mayFail: true })
    inner.set(loop.iterVar, { place: first, mayFail: false })
    if (second !== undefined) inner.set(loop.iterVar2, { place: second, mayFail: false })
    return planLoop(loop, {
      outside: expr => this.plan(expr, locals),
      inside: expr => this.plan(expr, inner),
      accumulated,
      first,
      second,
    })
  }
}

function constant({ constantKind: { case: kind, value } }: ExprKind<'constExpr'>): unknown {
  if (kind === undefined) throw new Failure('invalid constant')
  if (kind === 'uint64Value') return celUint(value as bigint)
  return kind === 'nullValue' ? null : value
}

function mapKey(key: unknown): unknown {
  if (typeof key === 'number' && Number.isInteger(key)) return BigInt(key)
  if (typeof key === 'string' || typeof key === 'bigint' || typeof key === 'boolean' || isCelUint(key)) return key
  throw new Failure('unsupported key type')
}

function index(of: Step, at: Step): Step {
  return frame => {
    const value = of(frame)
    const key = at(frame)
    if (isCelMap(value)) {
      const found = value.get(key as never)
      if (found === undefined) throw new Failure(`no such key: ${shown(key)}`)
      return found
    }
    if (!isCelList(value)) throw new Failure(`no such overload: ${celType(value as CelValue).name}[${shown(key)}]`)
    const position = isCelUint(key)
      ? Number(key.value)
      : typeof key === 'bigint' || typeof key === 'number'
        ? Number(key)
        : Number.NaN
    const found = Number.isInteger(position) ? value.get(position) : undefined
    if (found === undefined) throw new Failure(`index out of bounds: ${shown(key)}`)
    return found
  }
}
const shown = (key: unknown): string => String(isCelUint(key) ? key.value : key)

function conditional(condition: Step, then: Step, otherwise: Step): Step {
  return frame => {
    const chosen = condition(frame)
    if (chosen === true) return then(frame)
    if (chosen === false) return otherwise(frame)
    throw new Failure(`found no matching overload for _?_:_ applied to '(${celType(chosen as CelValue).name})'`)
  }
}

/** A decisive operand determines the result even if another operand failed. */
function logical(parts: readonly Step[], decisive: boolean): Step {
  return frame => {
    let failure: Failure | undefined
    for (let i = 0; i < parts.length; i++) {
      try {
        const value = parts[i]!(frame)
        if (value === decisive) return decisive
        if (value !== !decisive)
          failure ??= new Failure(`type mismatch: expected bool, got ${celType(value as CelValue).name}`)
      } catch (thrown) {
        failure ??= absorbed(thrown, frame)
      }
    }
    if (failure) throw failure
    return !decisive
  }
}
