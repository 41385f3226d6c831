import { isDeepStrictEqual } from 'node:util'
import { type FieldError, invalidValue, requiredValue, type ServedLevel } from 'orch/sdk'
import { checkNotSpecialIp, type EndpointAddress, type EndpointPort, type Endpoints } from 'orch/sdk/core'
import { isDns1123Label, isDns1123Subdomain, isQualifiedName, isStrictIp, isValidIp } from 'orch/sdk/validation'
import { storedEndpointsMayStay } from '../differences.js'

/** `areStrict`: addresses must be canonical. */
export const validateEndpoints = ({ subsets = [] }: Endpoints, areStrict: boolean): FieldError[] =>
  subsets.flatMap(({ addresses = [], notReadyAddresses = [], ports = [] }, i) => {
    const at = `subsets[${i}]`
    const isEmpty = addresses.length === 0 && notReadyAddresses.length === 0
    return [
      ...(isEmpty ? [requiredValue(at, 'must specify `addresses` or `notReadyAddresses`')] : []),
      ...addresses.flatMap((address, a) => validateAddress(address, `${at}.addresses[${a}]`, areStrict)),
      ...notReadyAddresses.flatMap((address, a) =>
        validateAddress(address, `${at}.notReadyAddresses[${a}]`, areStrict),
      ),
      ...ports.flatMap((port, p) => validatePort(port, `${at}.ports[${p}]`, ports.length > 1)),
    ]
  })

/** Subsets that do not change may stay, whatever they contain: an older version may have accepted them. */
export function validateEndpointsUpdate(
  sent: Endpoints,
  stored: Endpoints,
  { areStrict, level }: { readonly areStrict: boolean; readonly level: ServedLevel },
): FieldError[] {
  const errors = validateEndpoints(sent, areStrict)
  // Compared only if there are errors: Endpoints can be large.
  const mayStay =
    errors.length > 0 &&
    level.has(storedEndpointsMayStay) &&
    isDeepStrictEqual(sent.subsets ?? [], stored.subsets ?? [])
  return mayStay ? [] : errors
}

function validateAddress(
  { ip, hostname = '', nodeName }: EndpointAddress,
  field: string,
  areStrict: boolean,
): FieldError[] {
  const broken = (areStrict ? isStrictIp : isValidIp)(ip).map(text => invalidValue(`${field}.ip`, ip, text))
  return [
    ...broken,
    ...(hostname === '' ? [] : isDns1123Label(hostname)).map(text => invalidValue(`${field}.hostname`, hostname, text)),
    ...(nodeName === undefined ? [] : isDns1123Subdomain(nodeName)).map(text =>
      invalidValue(`${field}.nodeName`, nodeName, text),
    ),
    // An invalid address is reported twice, as in the reference.
    ...(isValidIp(ip).length > 0 ? broken : checkNotSpecialIp(ip, `${field}.ip`)),
  ]
}

function validatePort(port: EndpointPort, field: string, needsName: boolean): FieldError[] {
  const { name = '', appProtocol } = port
  return [
    ...(name === ''
      ? needsName
        ? [requiredValue(`${field}.name`)]
        : []
      : isDns1123Label(name).map(text => invalidValue(`${field}.name`, name, text))),
    ...(appProtocol === undefined ? [] : isQualifiedName(appProtocol)).map(text =>
      invalidValue(`${field}.appProtocol`, appProtocol, text),
    ),
  ]
}
