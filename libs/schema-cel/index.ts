/** CEL with the functions of Kubernetes, over values that schemas describe. */
export { compileExpression, maxCallCost } from './environment.js'
export { jsonOf } from './json-of.js'
export type { ToValue } from './json-values.js'
export {
  type AuthorizerOfExpressions,
  authorizerType,
  authorizerValue,
  requestResourceValue,
  resourceCheckType,
} from './libraries/authorization.js'
export { changeType, checkPatchTypeNames, checkTypeNames } from './libraries/changes.js'
export { type Appearance, appearanceOf, escapedName, maxRequestBytes, open, sizeAt } from './schema-types.js'
