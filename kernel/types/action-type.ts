import type { ActionSubresource } from 'orch/sdk'
import { type CompiledVersion, compileVersion, groupVersionOf } from './compiled-version.js'

/** The type of what is sent to an action and of what it answers. */
export interface ActionType {
  readonly group: string
  readonly kind: string
  readonly version: CompiledVersion
  /** Group versions of the body that are taken as well. */
  readonly former?: readonly string[]
}
const compiled = new WeakMap<ActionSubresource, ActionType>()

/** Derived from its schema when it is first asked for. */
export function actionTypeOf(subresource: ActionSubresource): ActionType {
  let found = compiled.get(subresource)
  if (!found) compiled.set(subresource, (found = compileAction(subresource)))
  return found
}

function compileAction(subresource: ActionSubresource): ActionType {
  const { group, version: name, objectKind: kind, schema, formerVersions = [], defaults } = subresource
  return {
    group,
    kind,
    version: compileVersion({ group, kind }, { name, schema, ...(defaults ? { defaults } : {}) }, false),
    former: formerVersions.map(former => groupVersionOf(group, former)),
  }
}

/** Can the subresource be patched? Then it can be read and written. */
export const isPatchable = ({ handlers }: ActionSubresource): boolean =>
  handlers.get !== undefined && handlers.update !== undefined
