import dgram from 'node:dgram'
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'

/** An attempt that permissions do not allow, with the code that Node's own permission model uses. */
class AccessDenied extends Error {
  readonly code = 'ERR_ACCESS_DENIED'
}

/**
 * Connections go to the hosts that were named, and nothing listens. Node's permission model knows no network, so this replaces what all its
 * modules connect with, before the plugin is loaded. It stops what asks Node for a connection; code that looks for a way around
 * Node's modules may find one: see docs/security.md.
 */
export function restrictNetwork(hosts: readonly string[], violation: (what: string) => void): void {
  const deny = (what: string): never => {
    violation(what)
    throw new AccessDenied(`${what} is not among the permissions of this plugin`)
  }
  const connect = net.Socket.prototype.connect
  net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]) {
    const target = targetOf(args)
    if (!isAllowed(target, hosts)) deny(`connect to ${target}`)
    return Reflect.apply(connect, this, args)
  }
  net.Server.prototype.listen = () => deny('listen')
  dgram.createSocket = () => deny('open a UDP socket')
  for (const module of [dns, dns.promises]) restrictLookups(module, hosts, deny)
  syncBuiltinESMExports()
}

/** Names of hosts would tell whoever answers for them what a plugin knows. */
function restrictLookups(module: object, hosts: readonly string[], deny: (what: string) => never): void {
  for (const [name, lookUp] of Object.entries(module)) {
    if (typeof lookUp !== 'function' || !/^(lookup|resolve|reverse)/.test(name)) continue
    Reflect.set(module, name, function (this: unknown, ...args: unknown[]) {
      if (!hosts.some(host => isHost(String(args[0]), host.split(':')[0] ?? ''))) deny(`look up ${String(args[0])}`)
      return Reflect.apply(lookUp, this, args)
    })
  }
}

/** What `connect` is asked for: `host:port`, or the path of a socket. */
function targetOf(args: readonly unknown[]): string {
  // Node's own callers pass the arguments as a list.
  const [first, second] = Array.isArray(args[0]) ? args[0] : args
  if (typeof first === 'object' && first !== null) {
    const { path, host = 'localhost', port } = Object.fromEntries(Object.entries(first))
    return path === undefined || path === null ? `${host}:${port}` : String(path)
  }
  return typeof first === 'number' || /^\d+$/.test(String(first))
    ? `${typeof second === 'string' ? second : 'localhost'}:${first}`
    : String(first)
}

function isAllowed(target: string, hosts: readonly string[]): boolean {
  const at = target.lastIndexOf(':')
  const [host, port] = [target.slice(0, at), target.slice(at + 1)]
  return hosts.some(each => {
    const [name = '', onlyPort] = each.split(':')
    return isHost(host, name) && (onlyPort === undefined || onlyPort === port)
  })
}
const isHost = (host: string, named: string): boolean =>
  named === host || (named.startsWith('*.') && host.endsWith(named.slice(1)))
