import type { ApiObject } from 'orch/sdk'
import type { WriteTarget } from './write-target.js'

/** What a type does when an object of it is gone, before whoever removed it is answered. */
export async function afterRemoval({ type, services }: WriteTarget, object: ApiObject): Promise<void> {
  const hook = type.definition.afterRemoval
  if (hook) await hook.run(object, services.resolve(type.plugin, hook.needs))
}
