import type { FlatClaimSpec, FlatRequest, ResourceClaimSpec } from './claim-spec-schema.js'

/** Fields of a request in older versions that are those of its one kind of device. */
const wanted = [
  'deviceClassName',
  'selectors',
  'allocationMode',
  'count',
  'adminAccess',
  'tolerations',
  'capacity',
] as const

/** Older versions have the fields of the one kind of device in the request itself. */
export function nestRequests({ devices = {}, ...others }: FlatClaimSpec): ResourceClaimSpec {
  const { requests, ...rest } = devices
  return { ...others, devices: { ...rest, ...(requests ? { requests: requests.map(nested) } : {}) } }
}
function nested({ name, firstAvailable, ...flat }: FlatRequest) {
  const isSet = wanted.some(field => flat[field] !== undefined)
  return {
    name,
    ...(isSet ? { exactly: { ...flat, deviceClassName: flat.deviceClassName ?? '' } } : {}),
    ...(firstAvailable ? { firstAvailable } : {}),
  }
}

export function flattenRequests({ devices = {}, ...others }: ResourceClaimSpec): FlatClaimSpec {
  const { requests, ...rest } = devices
  const flat = requests?.map(({ exactly, ...request }): FlatRequest => ({ ...request, ...exactly }))
  return { ...others, devices: { ...rest, ...(flat ? { requests: flat } : {}) } }
}
