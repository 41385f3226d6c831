import { definePermission, services } from 'orch/sdk'
import { expressions } from 'orch/sdk/expressions'
import type { DeviceGates } from '../gates.js'
import type { DeviceNames } from '../names.js'
import { checkAdminAccess } from './admin-access.js'
import { expressionsOfSpec } from './claim-spec-rules.js'
import type { ResourceClaimSpec } from './claim-spec-schema.js'
import { compileSelectors } from './compile-selectors.js'

/**
 * The asynchronous checks of a claim or a claim template: whether admin access is allowed here, and whether the expressions compile.
 * Other errors are reported together with these. A spec is immutable, so updates need no access; `onUpdate` is how often errors of its
 * expressions are reported nevertheless.
 */
export const claimSpecPermission = <T extends object>(
  specOf: (object: T) => { readonly spec: ResourceClaimSpec; readonly field: string },
  names: DeviceNames,
  gates: DeviceGates,
  { onUpdate }: { readonly onUpdate: 0 | 1 | 2 },
) =>
  definePermission<T>()({
    needs: { language: expressions, reader: services.reader },
    async review({ object, stored, namespace }, { language, reader }) {
      if (stored !== undefined && onUpdate === 0) return []
      const { spec, field } = specOf(object)
      const placed = expressionsOfSpec(spec, field, names.vendor.level)
      const errors = await compileSelectors(placed, language, gates)
      if (stored === undefined)
        return [...(await checkAdminAccess(adminRequest(spec), namespace, names, reader)), ...errors]
      if (onUpdate === 1) return errors
      // The second check treats them as stored ones, which may use more: those without errors need not be compiled again.
      const wrong = new Set(errors.map(error => error.field))
      const suspects = placed.filter(selector => wrong.has(selector.field))
      return [...errors, ...(await compileSelectors(suspects, language, gates, { areNew: false }))]
    },
  })

/** The field that requests admin access. Kubernetes reports this path, also for templates. */
function adminRequest({ devices }: ResourceClaimSpec): string | undefined {
  const index = (devices?.requests ?? []).findIndex(({ exactly }) => exactly?.adminAccess)
  return index < 0 ? undefined : `spec.devices.requests[${index}].adminAccess`
}
