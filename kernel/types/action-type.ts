import type { ActionSubresource } from 'orch/sdk'
import { type CompiledVersion, compileVersion, groupVersionOf } from './compiled-version.js'

/** The type of the request and response bodies of an action. */
export interface ActionType {
  readonly group: string
  readonly kind: string
  readonly version: CompiledVersion
  /** Further group versions that are accepted in the body. */
  readonly former?: readonly string[]
}
const compiled = new WeakMap<ActionSubresource, ActionType>()

/** Derived from its schema on first use. */
export function actionTypeOf(subresource: ActionSubresource): ActionType {
  let found = compiled.get(subresource)
  if (!found) compiled.set(subresource, (found = compileAction(subresource)))
  return found
}

function compileAction(subresource: ActionSubresource): ActionType {
  const { group, version: name, objectKind: kind, schema, columns, formerVersions = [], defaults } = subresource
  return {
    group,
    kind,
    version: compileVersion(
      { group, kind },
      { name, schema, ...(columns ? { columns } : {}), ...(defaults ? { defaults } : {}) },
      false,
    ),
    former: formerVersions.map(former => groupVersionOf(group, former)),
  }
}

/** Can the subresource be patched? Only if it can be read and written. */
export const isPatchable = ({ handlers }: ActionSubresource): boolean =>
  handlers.get !== undefined && handlers.update !== undefined
