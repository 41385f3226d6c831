import { ExpressionError } from 'orch/sdk'
import {
  CelError,
  type CompileOptions,
  compileCel,
  FunctionTable,
  type Library,
  type Program,
  standardLibraries,
} from '../../../libs/cel/index.js'
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

/** All libraries; each knows since which version of Kubernetes there is one. */
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

/** Tables by minor version. There are few versions, and a table is made once for each. */
const tables = new Map<number, FunctionTable>()
export function functionsOf(minor = Number.POSITIVE_INFINITY): FunctionTable {
  let table = tables.get(minor)
  if (!table) tables.set(minor, (table = new FunctionTable(libraries, minor)))
  return table
}

/** Compiles an expression with the functions of Kubernetes. Throws an ExpressionError. */
export function compileExpression(
  text: string,
  { minor, ...options }: Omit<CompileOptions, 'functions' | 'costs'>,
): Program {
  try {
    return compileCel(text, {
      ...options,
      ...(minor === undefined ? {} : { minor }),
      functions: functionsOf(minor),
      costs: costModel,
    })
  } catch (error) {
    throw error instanceof CelError ? new ExpressionError(error.message) : error
  }
}
