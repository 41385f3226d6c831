import {
  type Authorizer,
  definePermission,
  type FieldError,
  forbiddenField,
  invalid,
  type PermissionRequest,
  services,
  type UserInfo,
} from 'orch/sdk'
import { isDns1123Subdomain, sameJson } from 'orch/sdk/validation'
import type { DeviceGates } from '../gates.js'
import type { DeviceNames } from '../names.js'
import { checkAdminAccess } from '../schemas/admin-access.js'
import type { AllocationResult, ResourceClaim, ResourceClaimStatus } from './schema.js'
import { deviceId, validateStatusUpdate } from './status-rules.js'

/**
 * Permission to write the status of a claim is not enough for every part of it: allocating devices and reserving a claim requires a
 * permission for all namespaces, and the status of devices requires one for their driver. Denials are reported as errors
 * of their fields.
 */
export const statusPermission = (names: DeviceNames, gates: DeviceGates) =>
  definePermission<ResourceClaim>()({
    needs: { authorizer: services.authorizer, reader: services.reader },
    async review(request, { authorizer, reader }) {
      const { object, stored, namespace } = request
      const [status, before] = [object.status ?? {}, stored!.status ?? {}]
      const admin = adminResult(before) === undefined ? adminResult(status) : undefined
      const asked = [
        ...(await checkAdminAccess(admin, namespace, names, reader)),
        ...(gates.checksStatusByPart ? await checkParts(request, status, before, names, gates, authorizer) : []),
      ]
      if (asked.length === 0) return
      const errors = [...asked, ...validateStatusUpdate(object, stored!, names.vendor.level)]
      throw invalid({ group: names.group, kind: 'ResourceClaim' }, object.metadata?.name ?? '', errors)
    },
  })

function adminResult({ allocation }: ResourceClaimStatus): string | undefined {
  const index = (allocation?.devices?.results ?? []).findIndex(({ adminAccess }) => adminAccess)
  return index < 0 ? undefined : `status.allocation.devices.results[${index}].adminAccess`
}

async function checkParts(
  { user, verb, namespace }: PermissionRequest<ResourceClaim>,
  status: ResourceClaimStatus,
  before: ResourceClaimStatus,
  { group, nodeNameExtra }: DeviceNames,
  { hasDeviceStatus }: DeviceGates,
  authorizer: Authorizer,
): Promise<FieldError[]> {
  const errors: FieldError[] = []
  const claims = { group, version: 'v1', resource: 'resourceclaims' }
  const isBinding =
    !sameJson(status.allocation, before.allocation) || !sameJson(status.reservedFor ?? [], before.reservedFor ?? [])
  // Cluster-wide: an allocated device is unavailable to all namespaces.
  if (isBinding && !(await authorizer.allows(user, verb, { ...claims, subresource: 'binding' })))
    errors.push(
      forbiddenField(
        'status.allocation',
        `changing status.allocation or status.reservedFor requires permission for the verb "${verb}" on "resourceclaims/binding" in all namespaces`,
      ),
    )
  // The status of devices is removed with the allocation.
  if (!hasDeviceStatus || !status.allocation) return errors
  const verbs = [
    ...(isOnNode(user, status.allocation, nodeNameExtra) ? [`associated-node:${verb}`] : []),
    `arbitrary-node:${verb}`,
  ]
  for (const name of changedDrivers(status, before)) {
    const target = { ...claims, subresource: 'driver', namespace, name }
    const answers = await Promise.all(verbs.map(each => authorizer.allows(user, each, target)))
    if (!answers.includes(true))
      errors.push(
        forbiddenField(
          'status.devices',
          `changing status.devices of driver "${name}" requires permission for one of the verbs ${verbs.join(', ')} on "resourceclaims/driver"`,
        ),
      )
  }
  return errors
}

/** Drivers whose devices were added, changed or removed, in order. */
function changedDrivers(status: ResourceClaimStatus, before: ResourceClaimStatus): string[] {
  const known = new Map((before.devices ?? []).map(device => [deviceId(device), device]))
  const changed = new Set<string>()
  for (const device of status.devices ?? []) {
    const id = deviceId(device)
    if (!sameJson(known.get(id), device)) changed.add(device.driver)
    known.delete(id)
  }
  for (const { driver } of known.values()) changed.add(driver)
  return [...changed].sort()
}

/** Whether the service account belongs to a Pod on the only node of the devices. */
function isOnNode({ name, extra = {} }: UserInfo, { nodeSelector }: AllocationResult, extraKey: string): boolean {
  const node = onlyNode(nodeSelector)
  const [own, ...others] = extra[extraKey] ?? []
  return (
    node !== undefined &&
    own === node &&
    others.length === 0 &&
    name.startsWith('system:serviceaccount:') &&
    isDns1123Subdomain(node).length === 0
  )
}

function onlyNode(selector: AllocationResult['nodeSelector']): string | undefined {
  const [term, ...others] = selector?.nodeSelectorTerms ?? []
  const [match, ...more] = term?.matchFields ?? []
  if (!match || others.length > 0 || more.length > 0 || (term?.matchExpressions ?? []).length > 0) return undefined
  const [node, ...rest] = match.values ?? []
  return match.key === 'metadata.name' && match.operator === 'In' && rest.length === 0 ? node : undefined
}
