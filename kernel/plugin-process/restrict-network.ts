import dgram from 'node:dgram'
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import { apply, captured, type Deny, denyAll } from './access-denied.js'
import { prototypeOf } from './restrict-process.js'

const { isArray } = Array
const { defineProperty, get } = Reflect
const endsWith = captured(String.prototype.endsWith)
const { lookup } = dns

/**
 * Limits connections to the named hosts and forbids listening. Node's permission model does not cover the network, so
 * this replaces the functions that all of Node's modules connect with, before the plugin is loaded. It stops code that
 * uses Node's modules; code that looks for a way around them may find one: see docs/security.md.
 */
export function restrictNetwork(hosts: readonly string[], link: net.Socket, deny: Deny): void {
  const named = new NamedHosts(hosts)
  restrictConnections(named, deny)
  denyAll(net.Server.prototype, ['listen', '_listen2'], () => deny('network', 'listen'))
  denyAll(net, ['_createServerHandle'], () => deny('network', 'listen'))
  // The link to the server has a handle that could listen and connect as well.
  const pipes = prototypeOf(Reflect.get(link, '_handle'))
  denyAll(pipes, ['bind', 'listen', 'fchmod'], () => deny('network', 'listen'))
  if (hosts.length === 0) denyAll(pipes, ['connect'], () => deny('network', 'connect to a socket'))
  denyAll(dgram, ['createSocket', 'Socket', '_createSocketHandle'], () => deny('network', 'open a UDP socket'))
  for (const module of [dns, dns.promises]) {
    restrictLookups(module, named, deny)
    denyAll(module, ['Resolver'], () => deny('network', 'look up names by itself'))
  }
  syncBuiltinESMExports()
}

/** `api.example.com:443`, or `*.example.com` for any port. */
class NamedHosts {
  /** Exact names: hosts and `host:port`. */
  readonly #exact: Record<string, boolean> = Object.create(null)
  readonly #hosts: Record<string, boolean> = Object.create(null)
  readonly #suffixes: { readonly suffix: string; readonly port: string | undefined }[] = []

  constructor(hosts: readonly string[]) {
    for (const each of hosts) {
      const [host = '', port] = each.split(':')
      if (host.startsWith('*.')) this.#suffixes.push({ suffix: host.slice(1), port })
      else this.#exact[each] = true
      this.#hosts[host] = true
    }
  }

  hasTarget(host: string, port: string): boolean {
    if (this.#exact[host] === true || this.#exact[`${host}:${port}`] === true) return true
    return this.#hasSuffix(host, port)
  }
  hasHost(host: string): boolean {
    return this.#hosts[host] === true || this.#hasSuffix(host, undefined)
  }
  #hasSuffix(host: string, port: string | undefined): boolean {
    for (let at = 0; at < this.#suffixes.length; at++) {
      const one = this.#suffixes[at]
      if (one && endsWith(host, one.suffix) && (one.port === undefined || port === undefined || one.port === port))
        return true
    }
    return false
  }
}

function restrictConnections(named: NamedHosts, deny: Deny): void {
  const { connect } = net.Socket.prototype
  const normalize: unknown = get(net, '_normalizeArgs')
  if (typeof normalize !== 'function') throw new Error('connections cannot be restricted in this version of Node')
  // Node marks arguments that it has normalized.
  const [mark = Symbol('unmarked')] = Object.getOwnPropertySymbols(normalize([]))
  net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]) {
    const first = args[0]
    const ordered: unknown = isArray(first) && get(first, mark) === true ? first : normalize(args)
    if (!isArray(ordered)) return deny('network', 'connect')
    const options = checked(ordered[0], named, deny)
    const passed = [options, ordered[1]]
    defineProperty(passed, mark, { value: true })
    return apply(connect, this, [passed])
  }
}

/**
 * A copy of the options of `connect`, so that what is checked is what is used, and names are resolved by the system.
 */
function checked(given: object, named: NamedHosts, deny: Deny): object {
  const options: Record<string, unknown> = { ...given }
  const path = options['path'] ? `${options['path']}` : undefined
  const host = `${options['host'] || 'localhost'}`
  const port = `${options['port']}`
  const isNamed = path === undefined ? named.hasTarget(host, port) : named.hasTarget(path, '')
  if (!isNamed) deny('network', `connect to ${path ?? `${host}:${port}`}`)
  return { ...options, path, host, port, lookup }
}

/** A lookup can leak data to the name server in the host name, so only permitted hosts are resolved. */
function restrictLookups(module: object, named: NamedHosts, deny: Deny): void {
  for (const [name, original] of Object.entries(module)) {
    if (typeof original !== 'function' || !/^(lookup|resolve|reverse)/.test(name)) continue
    Reflect.set(module, name, function (this: unknown, ...args: unknown[]) {
      const host = `${args[0]}`
      if (!named.hasHost(host)) deny('network', `look up ${host}`)
      args[0] = host
      return apply(original, this, args)
    })
  }
}
