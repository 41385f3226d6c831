export { type CompileOptions, compileCel, type LiteralKind, type Outcome, type Program } from './compile.js'
export { matching, traversal } from './cost/call-costs.js'
export type { SizeAt } from './cost/estimate.js'
export type { CallEstimate, CallEstimator, CostModel, EstimatedNode, SizeEstimates } from './cost/estimate-calls.js'
export { listCost, patternFactor, structCost, traversalFactor } from './cost/factors.js'
export type { EstimateRules } from './cost/known-sizes.js'
export { add, exactly, multiply, type Range, scale, unbounded, union } from './cost/range.js'
export { FunctionTable } from './environment.js'
export { arithmetic } from './functions/arithmetic.js'
export { comparison } from './functions/comparison.js'
export { conversions } from './functions/conversions.js'
export { lists } from './functions/lists.js'
export { mapEntries } from './functions/map-entries.js'
export { optionals } from './functions/optionals.js'
export { func, type Implementation, type Library, method, type Overload } from './functions/overload.js'
export { findMatches, patternProblem } from './functions/patterns.js'
export { sets } from './functions/sets.js'
export { coreStrings, quote, stringFormats, strings } from './functions/strings.js'
export { durationText, parseDuration, parseTimestamp, times, timestampText } from './functions/time.js'
export { compareValues, isEqual } from './run/equality.js'
export type { ReadVariable } from './run/plan.js'
export {
  ArrayList,
  CelList,
  CelMap,
  Duration,
  EntriesMap,
  type ListSemantics,
  OpaqueValue,
  Optional,
  StructValue,
  sizeOfValue,
  Timestamp,
  TypeValue,
  Uint,
} from './run/values.js'
export { Failure, Work, WorkExceeded, type WorkLimits } from './run/work.js'
export { standardLibraries } from './standard-libraries.js'
export { CelError } from './syntax/errors.js'
export { macros } from './syntax/macros.js'
export {
  boolType,
  bytesType,
  describeType,
  doubleType,
  durationType,
  dynType,
  intType,
  isExactType,
  listType,
  mapType,
  nullType,
  opaqueType,
  optionalType,
  readType,
  stringType,
  structType,
  type Type,
  timestampType,
} from './types/cel-types.js'
