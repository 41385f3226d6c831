import { duplicate, type FieldError, invalidValue, type Vendor } from 'orch/sdk'
import { type Pod, warningsAboutIp } from 'orch/sdk/core'
import { canonicalIp, isStrictIp, isValidIp, isValidIpv4 } from 'orch/sdk/validation'
import { repeatedAddresses, statusAddressWarnings, strictAddresses } from './differences.js'

type AddressList = 'podIPs' | 'hostIPs'
const addressesOf = ({ status }: Pod, list: AddressList): string[] => (status?.[list] ?? []).map(({ ip = '' }) => ip)

/** The addresses of a Pod and of its node, as its node reports them. */
export const validateAddresses = (sent: Pod, stored: Pod, vendor: Vendor): FieldError[] => [
  ...checkForms(sent, stored, 'podIPs', vendor),
  ...checkFamilies(sent, 'podIPs'),
  ...(vendor.level.has(repeatedAddresses) ? checkRepeats(sent) : []),
  ...checkFirstHostAddress(sent),
  ...checkForms(sent, stored, 'hostIPs', vendor),
  ...checkFamilies(sent, 'hostIPs'),
]

/** Programs disagree about the meaning of some forms, so new addresses must not have them; stored ones may stay. */
function checkForms(sent: Pod, stored: Pod, list: AddressList, { level }: Vendor): FieldError[] {
  const rule = level.has(strictAddresses) ? isStrictIp : isValidIp
  const known = new Set(addressesOf(stored, list))
  return addressesOf(sent, list).flatMap((ip, i) =>
    known.has(ip) ? [] : rule(ip).map(text => invalidValue(`status.${list}[${i}]`, ip, text)),
  )
}

/** An IPv4-mapped address is one of IPv4. */
const isV4 = (ip: string): boolean => isValidIpv4(canonicalIp(ip)).length === 0

/** At most one address of each family. */
function checkFamilies(pod: Pod, list: AddressList): FieldError[] {
  const addresses = addressesOf(pod, list)
  if (addresses.length < 2) return []
  const at = `status.${list}`
  const areValid = addresses.every(ip => isValidIp(ip).length === 0)
  const isDualStack = areValid && addresses.length === 2 && new Set(addresses.map(isV4)).size === 2
  return [
    ...(areValid ? [] : [{ type: 'InternalError', field: at, detail: 'failed to check for dual stack' } as const]),
    ...(isDualStack
      ? []
      : [invalidValue(at, pod.status?.[list], 'may specify no more than one IP for each IP family')]),
  ]
}

function checkRepeats(pod: Pod): FieldError[] {
  const addresses = addressesOf(pod, 'podIPs')
  return addresses.flatMap((ip, i) => (addresses.indexOf(ip) === i ? [] : [duplicate(`status.podIPs[${i}]`, { ip })]))
}

function checkFirstHostAddress({ status }: Pod): FieldError[] {
  const first = status?.hostIPs?.[0]?.ip
  return first === undefined || first === (status?.hostIP ?? '')
    ? []
    : [invalidValue('status.hostIPs[0].ip', first, 'must be equal to `hostIP`')]
}

export const addressWarnings = (pod: Pod, { level }: Vendor): string[] =>
  level.has(statusAddressWarnings)
    ? (['podIPs', 'hostIPs'] as const).flatMap(list =>
        addressesOf(pod, list).flatMap((ip, i) => warningsAboutIp(`status.${list}[${i}].ip`, ip)),
      )
    : []
