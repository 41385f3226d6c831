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
 * The library parses, and knows the functions of the language and its values. It does not run expressions: its own evaluator takes
 * several times as long as `plan-expression.ts`, counts no costs, and knows no loops with two variables.
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

/** All functions of a name, with the types that they take. */
export const functionsNamed = (name: string): Functions | undefined => environment.funcs.find(name)
interface Functions {
  /** Undefined when none of them takes such values. */
  call(id: number, target: CelValue | undefined, args: CelValue[]): CelResult | undefined
}

/** The value of something that the library can evaluate by itself and that never changes, such as the name of a type. */
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
/** Some functions of the library work only while it believes that it evaluates something. */
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

/** A list or map as the library has it; everything else is one of its values already. */
export function libraryValue(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given
  if (Array.isArray(given)) return celList(given)
  return given instanceof Map ? celMap(given) : given
}
