import {
  type CelResult,
  CelScalar,
  type CelValue,
  celEnv,
  celFunc,
  celList,
  celMap,
  isCelError,
  parse,
  plan,
} from '@bufbuild/cel'
import { compilePattern } from '../schemas/pattern.js'
import { addressFunctions } from './address-functions.js'
import { authorizerFunctions } from './authorizer-values.js'
import { changeFunctions } from './change-values.js'
import { extensionFunctions } from './extension-functions.js'
import { formatFunctions } from './format-functions.js'
import { Failure } from './frame.js'
import { imageFunctions } from './image-functions.js'
import { optionalFunctions } from './optional-values.js'
import { orderFunctions } from './ordered-values.js'
import { quantityFunctions } from './quantity-functions.js'
import { setFunctions } from './set-functions.js'
import { versionFunctions } from './version-functions.js'

/**
 * The library provides the parser, the standard functions and the values. Its evaluator is not used: it takes several times as long
 * as `plan-expression.ts`, does not count costs, and does not support loops with two variables.
 */
const onEvaluate = '@evaluate'
let running: () => unknown = () => undefined
let result: { readonly value: unknown } | { readonly thrown: unknown }

const environment = celEnv({
  funcs: [
    ...extensionFunctions,
    ...optionalFunctions,
    ...authorizerFunctions,
    ...changeFunctions,
    ...quantityFunctions,
    ...versionFunctions,
    ...orderFunctions,
    ...addressFunctions,
    ...setFunctions,
    ...formatFunctions,
    ...imageFunctions,
    celFunc(onEvaluate, [], CelScalar.BOOL, () => {
      try {
        result = { value: running() }
      } catch (thrown) {
        result = { thrown }
      }
      return true
    }),
  ],
  re2: { compile: compilePattern },
})

/** All overloads of a function. */
export const functionsNamed = (name: string): Functions | undefined => environment.funcs.find(name)
interface Functions {
  /** Undefined if no overload takes these arguments. */
  call(id: number, target: CelValue | undefined, args: CelValue[]): CelResult | undefined
}

/** The value of a constant that the library can evaluate, such as the name of a type. */
export function constantOf(text: string): unknown {
  const value = plan(environment, parse(text))()
  if (isCelError(value)) throw new Failure(value.message)
  return value
}

const enter = plan(environment, {
  $typeName: 'cel.expr.Expr',
  id: 1n,
  exprKind: {
    case: 'callExpr',
    value: { $typeName: 'cel.expr.Expr.Call', function: onEvaluate, args: [] },
  },
})
let isWithin = false
/** Runs code inside an evaluation of the library, which some of its functions require. */
export function withinLibrary<T>(run: () => T): T {
  if (isWithin) return run()
  isWithin = true
  running = run
  try {
    enter()
  } finally {
    isWithin = false
  }
  if ('thrown' in result) throw result.thrown
  return result.value as T
}

/** Converts a list or map to a value of the library; other values already are. */
export function libraryValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return celList(value)
  return value instanceof Map ? celMap(value) : value
}
