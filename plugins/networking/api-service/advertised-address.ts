import { networkInterfaces } from 'node:os'
import { isValidIp } from 'orch/sdk'
import { checkNotSpecialIp } from 'orch/sdk/core'

/** Where others reach this server: the address it listens on, or, when that means only this machine, one of the machine's. */
export function advertisedAddress(baseUrl: string, configured: string): { ip: string; port: number } | undefined {
  const url = new URL(baseUrl)
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  const host = configured || url.hostname.replace(/^\[|\]$/g, '')
  const candidates = [host, ...ownAddresses()]
  const ip = candidates.find(address => isValidIp(address).length === 0 && checkNotSpecialIp(address, '').length === 0)
  return ip === undefined ? undefined : { ip, port }
}

function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap(addresses => addresses ?? [])
  return all.filter(({ internal, family }) => !internal && family === 'IPv4').map(({ address }) => address)
}
