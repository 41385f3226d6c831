import { definePermission, services } from 'orch/sdk'
import { expressions } from 'orch/sdk/expressions'
import type { DeviceGates } from '../gates.js'
import type { DeviceNames } from '../names.js'
import { checkAdminAccess } from './admin-access.js'
import { expressionsOfSpec } from './claim-spec-rules.js'
import type { ResourceClaimSpec } from './claim-spec-schema.js'
import { compileSelectors } from './compile-selectors.js'

/**
 * The asynchronous checks of a new claim or claim template: whether admin access is allowed here, and whether the
 * expressions compile. Other errors are reported together with these. A spec is immutable, so updates are not checked.
 */
export const claimSpecPermission = <T extends object>(
  specOf: (object: T) => { readonly spec: ResourceClaimSpec; readonly field: string },
  names: DeviceNames,
  gates: DeviceGates,
) =>
  definePermission<T>()({
    needs: { language: expressions, reader: services.reader },
    async review({ object, stored, namespace }, { language, reader }) {
      if (stored !== undefined) return []
      const { spec, field } = specOf(object)
      return [
        ...(await checkAdminAccess(adminRequest(spec), namespace, names, reader)),
        ...(await compileSelectors(expressionsOfSpec(spec, field), language, gates)),
      ]
    },
  })

/** The field that requests admin access. Kubernetes reports this path, also for templates. */
function adminRequest({ devices }: ResourceClaimSpec): string | undefined {
  const index = (devices?.requests ?? []).findIndex(({ exactly }) => exactly?.adminAccess)
  return index < 0 ? undefined : `spec.devices.requests[${index}].adminAccess`
}
