import type { CallEstimator } from '../cost/estimate-calls.js'
import type { Work } from '../run/work.js'
import { readType, splitTypes, type Type } from '../types/cel-types.js'

/** An implementation of a function for arguments of certain types. */
export interface Overload {
  readonly id: string
  readonly isMethod: boolean
  /** Types of the arguments. The receiver of a method comes first. */
  readonly params: readonly Type[]
  readonly result: Type
  /**
   * Computes the value. Charges its work before doing it. Undefined for operators that the planner implements because they do not
   * evaluate all of their arguments.
   */
  readonly run?: Implementation
  /** Estimates the cost; see `cost/estimate-calls.ts` for functions without their own estimate. */
  readonly estimate?: CallEstimator
  /** The cost of a call; see `cost/call-costs.ts` for functions without their own. */
  readonly cost?: CallCost
  /** The part of the cost that depends on the result. */
  readonly costOfResult?: (result: unknown) => number
}
// biome-ignore lint/suspicious/noExplicitAny: the planner checks arguments against the signature.
export type Implementation = (work: Work, ...args: any[]) => unknown
/** Charges the work of determining it. */
export type CallCost = (args: readonly unknown[], work: Work) => number

/** Functions by name, each with its overloads by id. */
export interface Library {
  readonly name: string
  /** The minor version of Kubernetes 1.x that introduced the library. */
  readonly since: number
  /** Types that signatures of this library may name. */
  readonly types?: Readonly<Record<string, Type>>
  readonly functions: Readonly<Record<string, Readonly<Record<string, OverloadSource>>>>
}
interface OverloadSource extends Pick<Overload, 'isMethod' | 'run' | keyof Extras> {
  readonly signature: string
}
type Extras = Pick<Overload, 'estimate' | 'cost' | 'costOfResult'>

/** A function; its signature is `string,int:bool`. */
export const func = (signature: string, run?: Implementation, extras: Extras = {}): OverloadSource => ({
  signature,
  isMethod: false,
  ...(run ? { run } : {}),
  ...extras,
})
/** A method, whose first argument is the receiver. */
export const method = (signature: string, run?: Implementation, extras: Extras = {}): OverloadSource => ({
  ...func(signature, run, extras),
  isMethod: true,
})

export function readOverload(id: string, source: OverloadSource, types: Readonly<Record<string, Type>>): Overload {
  const { signature, ...rest } = source
  const colon = signature.lastIndexOf(':')
  const params = splitTypes(signature.slice(0, colon)).map(param => readType(param, types))
  return { id, params, result: readType(signature.slice(colon + 1), types), ...rest }
}
