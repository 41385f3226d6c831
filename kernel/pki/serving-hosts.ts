import { isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import type { VendorProfile } from 'orch/sdk'

/** Every name and address the serving certificate must be valid for. */
export function servingHosts(bindAddress: string, profile: VendorProfile): string[] {
  const service = profile.apiService
  return [
    ...new Set([
      'localhost',
      '127.0.0.1',
      '::1',
      ...reachableAt(bindAddress),
      service,
      `${service}.default`,
      `${service}.default.svc`,
    ]),
  ]
}

/** A wildcard address is reached at each address of this machine. */
function reachableAt(bindAddress: string): string[] {
  if (bindAddress !== '0.0.0.0' && bindAddress !== '::') return [bindAddress]
  const addresses = Object.values(networkInterfaces()).flatMap(list => (list ?? []).map(entry => entry.address))
  // Link-local addresses carry a zone that no certificate can name.
  return [hostname(), ...addresses.filter(address => isIP(address) !== 0 && !address.startsWith('fe80:'))]
}
