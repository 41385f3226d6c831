import type { ActionSubresource } from 'orch/sdk'
import { compileDefaults } from '../schema/apply-defaults.js'
import { compileDecoder, type Decoder } from '../schema/decode.js'
import { compileSettle } from '../schema/settle.js'
import { buildTypeModel, type StructNode } from '../schema/type-model.js'
import { type CompiledVersion, groupVersionOf } from './resource-type.js'

/** The type of what is sent to an action and of what it answers. */
export interface ActionType {
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
  const model = buildTypeModel(subresource.schema) as StructNode
  const groupVersion = groupVersionOf(subresource.group, subresource.version)
  const decode: Decoder = compileDecoder(model)
  const staticDefaults = compileDefaults(model)
  return {
    kind: subresource.objectKind,
    former: (subresource.formerVersions ?? []).map(version => groupVersionOf(subresource.group, version)),
    version: {
      name: subresource.version,
      groupVersion,
      definition: { name: subresource.version, schema: subresource.schema },
      model,
      decode,
      fillDefaults: object => staticDefaults?.(object),
      settle: compileSettle(model),
      checkConstraints: undefined,
      isStorage: false,
      jsonStart: Buffer.alloc(0),
    },
  }
}
