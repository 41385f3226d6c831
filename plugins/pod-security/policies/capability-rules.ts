import { type FieldError, invalidValue } from 'orch/sdk'
import type { Capabilities } from 'orch/sdk/core'
import type { PolicySpec } from './policy.js'

/** The capabilities of a container with the defaults of the policy; the same object if nothing changes. */
export function fillCapabilities(given: Capabilities | undefined, spec: PolicySpec): Capabilities | undefined {
  const added = new Set(given?.add ?? [])
  const dropped = new Set(given?.drop ?? [])
  const add = new Set([...(spec.defaultAddCapabilities ?? []).filter(one => !dropped.has(one)), ...added])
  const drop = new Set([...(spec.requiredDropCapabilities ?? []), ...dropped])
  if (add.size === added.size && drop.size === dropped.size) return given
  return {
    ...(add.size > 0 ? { add: [...add].sort() } : {}),
    ...(drop.size > 0 ? { drop: [...drop].sort() } : {}),
  }
}

export function checkCapabilities(given: Capabilities | undefined, spec: PolicySpec, field: string): FieldError[] {
  const { defaultAddCapabilities: usual = [], requiredDropCapabilities: forbidden = [] } = spec
  const { allowedCapabilities: allowed = [] } = spec
  if (!given)
    return usual.length + forbidden.length === 0
      ? []
      : [invalidValue(field, null, 'required capabilities are not set on the securityContext')]
  if (allowed.includes('*')) return []
  const { add = [], drop = [] } = given
  return [
    ...add
      .filter(capability => !usual.includes(capability) && !allowed.includes(capability))
      .map(capability => invalidValue(`${field}.add`, capability, 'capability may not be added')),
    ...forbidden
      .filter(capability => !drop.includes(capability))
      .map(capability =>
        invalidValue(`${field}.drop`, drop, `${capability} is required to be dropped but was not found`),
      ),
  ]
}
