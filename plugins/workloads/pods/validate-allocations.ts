import {
  addAll,
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  requiredValue,
  tooLong,
} from 'orch/sdk'
import type { Container, Pod } from 'orch/sdk/core'
import { isDns1123Label, isDns1123Subdomain } from 'orch/sdk/validation'

const healthValues = ['Healthy', 'Unhealthy', 'Unknown']
const maxMessageBytes = 1024

/** The health of allocated devices: containers must request them, and each may occur only once. */
export const validateAllocations = ({ spec, status }: Pod): FieldError[] => [
  ...ofContainers(status?.containerStatuses, spec.containers, 'status.containerStatuses'),
  ...ofContainers(status?.initContainerStatuses, spec.initContainers, 'status.initContainerStatuses'),
  ...(status?.ephemeralContainerStatuses ?? []).flatMap(({ allocatedResourcesStatus }, i) =>
    allocatedResourcesStatus === undefined
      ? []
      : [
          forbiddenField(
            `status.ephemeralContainerStatuses[${i}].allocatedResourcesStatus`,
            'must not be specified for ephemeral containers',
          ),
        ],
  ),
]

type Statuses = NonNullable<Pod['status']>['containerStatuses']
function ofContainers(statuses: Statuses, containers: readonly Container[] | undefined, field: string): FieldError[] {
  const byName = new Map((containers ?? []).map(each => [each.name, each]))
  return (statuses ?? []).flatMap(({ name, allocatedResourcesStatus = [] }, i) => {
    const container = byName.get(name)
    return allocatedResourcesStatus.flatMap((allocated, j) => {
      const at = `${field}[${i}].allocatedResourcesStatus[${j}]`
      const errors: FieldError[] = []
      if (container && !isRequested(container, allocated.name ?? ''))
        errors.push(
          invalidValue(`${at}.name`, allocated.name, "must match one of the container's resource requests or claims"),
        )
      const ids = new Set<string>()
      for (const [k, { resourceID = '', health = '', message }] of (allocated.resources ?? []).entries()) {
        const place = `${at}.resources[${k}]`
        if (!healthValues.includes(health)) errors.push(notSupported(`${place}.health`, health, healthValues))
        if (message === '') errors.push(requiredValue(`${place}.message`, 'must be non-empty if specified'))
        else if (message !== undefined && Buffer.byteLength(message) > maxMessageBytes)
          errors.push(tooLong(`${place}.message`, maxMessageBytes))
        if (ids.has(resourceID)) errors.push(duplicate(`${place}.resourceID`, resourceID))
        ids.add(resourceID)
      }
      return errors
    })
  })
}

const isRequested = ({ resources }: Container, name: string): boolean =>
  name.startsWith('claim:')
    ? (resources?.claims ?? []).some(claim => name === `claim:${claim.name}${claim.request ? `/${claim.request}` : ''}`)
    : Object.hasOwn(resources?.requests ?? {}, name)

/** The claim for extended resources: which of its requests belongs to which container. */
export function validateExtendedClaim({ spec, status }: Pod): FieldError[] {
  const claim = status?.extendedResourceClaimStatus
  if (!claim) return []
  const field = 'status.extendedResourceClaimStatus'
  const containers = new Map([...(spec.initContainers ?? []), ...spec.containers].map(each => [each.name, each]))
  const errors: FieldError[] = []
  const { requestMappings = [], resourceClaimName = '' } = claim
  if (requestMappings.length === 0)
    errors.push(requiredValue(`${field}.requestMappings`, 'at least one request mapping is required'))
  const seen = new Set<string>()
  for (const [i, { containerName = '', resourceName = '', requestName = '' }] of requestMappings.entries()) {
    const at = `${field}.requestMappings[${i}]`
    const container = containers.get(containerName)
    if (!container)
      errors.push(invalidValue(`${at}.containerName`, containerName, 'must match the name of a container of the Pod'))
    else if (!Object.hasOwn(container.resources?.requests ?? {}, resourceName))
      errors.push(invalidValue(`${at}.resourceName`, resourceName, 'must match a resource that the container requests'))
    addAll(
      errors,
      isDns1123Label(requestName).map(text => invalidValue(`${field}.requestName`, requestName, text)),
    )
    const key = JSON.stringify([containerName, resourceName, requestName])
    if (seen.has(key))
      errors.push(
        duplicate(`${at}.containerName`, containerName),
        duplicate(`${at}.resourceName`, resourceName),
        duplicate(`${at}.requestName`, requestName),
      )
    seen.add(key)
  }
  if (resourceClaimName === '') errors.push(requiredValue(`${field}.resourceClaimName`))
  else
    addAll(
      errors,
      isDns1123Subdomain(resourceClaimName).map(text =>
        invalidValue(`${field}.resourceClaimName`, resourceClaimName, text),
      ),
    )
  return errors
}
