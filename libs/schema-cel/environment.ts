import {
  type CompileOptions,
  compileCel,
  FunctionTable,
  type Library,
  type Program,
  standardLibraries,
} from '../cel/index.js'
import { costModel } from './cost-model.js'
import { addresses } from './libraries/addresses.js'
import { authorization, authorizationSelectors } from './libraries/authorization.js'
import { changes } from './libraries/changes.js'
import { images } from './libraries/images.js'
import { listValues } from './libraries/list-values.js'
import { namedFormats } from './libraries/named-formats.js'
import { quantities } from './libraries/quantities.js'
import { regularExpressions } from './libraries/regular-expressions.js'
import { semanticVersions } from './libraries/semantic-versions.js'
import { urls } from './libraries/urls.js'

/** All libraries; each names the version of Kubernetes that introduced it. */
export const libraries: readonly Library[] = [
  ...standardLibraries,
  urls,
  regularExpressions,
  listValues,
  authorization,
  quantities,
  addresses,
  namedFormats,
  authorizationSelectors,
  semanticVersions,
  images,
  changes,
]
/** Without the libraries for expressions that change objects. */
const librariesOfConditions = libraries.filter(library => library !== changes)

/** Function tables by minor version, each built once. */
const tables = { all: new Map<number, FunctionTable>(), ofConditions: new Map<number, FunctionTable>() }
export function functionsOf(minor = Number.POSITIVE_INFINITY, makesChanges = true): FunctionTable {
  const known = makesChanges ? tables.all : tables.ofConditions
  let table = known.get(minor)
  if (!table) known.set(minor, (table = new FunctionTable(makesChanges ? libraries : librariesOfConditions, minor)))
  return table
}

/** The cost limit of one evaluation. */
export const maxCallCost = 1_000_000

/** Compiles an expression with the functions of Kubernetes. Throws a CelError. */
export const compileExpression = (
  text: string,
  { minor, makesChanges = false, ...options }: Omit<CompileOptions, 'functions' | 'costs'> & { makesChanges?: boolean },
): Program =>
  compileCel(text, {
    ...options,
    ...(minor === undefined ? {} : { minor }),
    functions: functionsOf(minor, makesChanges),
    costs: costModel,
  })
