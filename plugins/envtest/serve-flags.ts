import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { FlagError, type GivenFlags } from './read-flags.js'
import { referenceFlags } from './reference-flags.js'

/** The flags for `orch serve`, and further actions. */
export interface ServePlan {
  readonly flags: readonly string[]
  /** The version to serve, whatever the folder was written for. */
  readonly version?: string
  readonly warnings: readonly string[]
  /** Also serve plain HTTP here, without authentication. */
  readonly insecure?: { readonly host: string; readonly port: number }
  /** The folder to write the serving certificate to, because it has none. */
  readonly certificatesInto?: string
  /** Whether the flags affect the first objects of a store, so that the prepared ones cannot be used. */
  readonly hasOtherFirstObjects: boolean
}

/** The names that flags may refer to. */
export interface KnownNames {
  readonly admissionControls: readonly string[]
  readonly featureGates: readonly string[]
}

/** Control loops that are part of kube-apiserver itself. All others belong to a controller manager, which suites do not run. */
export const serverLoops = ['customresourcedefinition', 'flow-control', 'apiservice-availability', 'event-expiry']

/** The default range of Service addresses, as in envtest. */
const usualServiceRange = '10.0.0.0/24'
const loopback = '127.0.0.1'

/** From the flags of kube-apiserver to those of `orch serve`. */
export function planServe({ values, meaningless }: GivenFlags, known: KnownNames, workingDir: string): ServePlan {
  const last = (name: string): string | undefined => values.get(name)?.at(-1) || undefined
  const flags: string[] = []
  const warnings: string[] = []
  if (meaningless.length > 0) warnings.push(`ignored, because they have no effect: ${meaningless.join(', ')}`)
  for (const { name, use } of referenceFlags().values()) {
    if (use !== 'same') continue
    for (const value of values.get(name) ?? []) if (value !== '') flags.push(`--${name}=${value}`)
  }
  if (last('bind-address') === undefined) flags.push(`--bind-address=${loopback}`)
  if (last('secure-port') === undefined) flags.push('--secure-port=6443')
  const modes = authorizationModes(values.get('authorization-mode'))
  // A file names the authorizers instead. If both are given, the server reports that only one is allowed.
  if (modes.length > 0 || last('authorization-config') === undefined)
    flags.push(`--authorization-mode=${modes.join(',') || 'AlwaysAllow'}`)
  flags.push(`--controllers=${[...serverLoops, ...listOf(values.get('controllers'))].join(',')}`)
  for (const name of ['enable-admission-plugins', 'disable-admission-plugins']) {
    const here = onlyKnown(name, listOf(values.get(name)), known.admissionControls, warnings)
    if (here.length > 0) flags.push(`--${name}=${here.join(',')}`)
  }
  const gates = onlyKnown('feature-gates', listOf(values.get('feature-gates')), known.featureGates, warnings)
  if (gates.length > 0) flags.push(`--feature-gates=${gates.join(',')}`)
  const encryption = last('encryption-provider-config') ?? last('experimental-encryption-provider-config')
  if (encryption !== undefined) flags.push(`--encryption-provider-config=${encryption}`)
  const version = emulatedVersion(last('emulated-version'))
  if (last('allow-privileged') === 'false')
    warnings.push('--allow-privileged=false is ignored: Pods may be privileged here')
  const insecure = insecureServing(last('insecure-bind-address') ?? loopback, last('insecure-port') ?? '0')
  const certificates = certificatesIn(last('cert-dir'), workingDir, last('tls-cert-file') !== undefined)
  const range = last('service-cluster-ip-range') ?? usualServiceRange
  return {
    flags: [...flags, ...certificates.flags],
    ...(version === undefined ? {} : { version }),
    warnings,
    ...(insecure ? { insecure } : {}),
    ...(certificates.into === undefined ? {} : { certificatesInto: certificates.into }),
    // Prepared objects are not encrypted, and a configuration may require that of all objects.
    hasOtherFirstObjects:
      range !== usualServiceRange ||
      last('runtime-config') !== undefined ||
      version !== undefined ||
      encryption !== undefined ||
      gates.length > 0,
  }
}

/** The reference takes `1.31` and `kube=1.31`. */
function emulatedVersion(given: string | undefined): string | undefined {
  const [, version] = /^(?:kube=)?(v?1\.\d+)$/.exec(given ?? '') ?? []
  if (given !== undefined && version === undefined)
    throw new FlagError(`--emulated-version: "${given}" is not a version such as 1.31`)
  return version
}

/** The entries `NAME` or `NAME=value` with a known name. The others are listed in a warning. */
function onlyKnown(flag: string, given: readonly string[], known: readonly string[], warnings: string[]): string[] {
  const nameOf = (entry: string) => entry.split('=', 1)[0] ?? ''
  const unknown = given.map(nameOf).filter(name => !known.includes(name))
  if (unknown.length > 0) warnings.push(`--${flag}: ignored, because they do not exist here: ${unknown.join(', ')}`)
  return given.filter(entry => known.includes(nameOf(entry)))
}

const listOf = (texts: readonly string[] | undefined): string[] =>
  (texts ?? [])
    .flatMap(text => text.split(','))
    .map(part => part.trim())
    .filter(part => part !== '')

function authorizationModes(texts: readonly string[] | undefined): string[] {
  const modes = listOf(texts)
  if (modes.includes('ABAC'))
    throw new FlagError(
      '--authorization-mode: ABAC is not supported here; use RBAC, AlwaysAllow, AlwaysDeny or Webhook',
    )
  return modes
}

function insecureServing(host: string, port: string): ServePlan['insecure'] {
  if (!/^\d+$/.test(port) || Number(port) > 65_535) throw new FlagError(`--insecure-port: "${port}" is not a port`)
  if (Number(port) === 0) return undefined
  const isLocal = host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
  // Every client of this port is an administrator.
  if (!isLocal) throw new FlagError(`--insecure-bind-address: only a loopback address is allowed, not ${host}`)
  return { host, port: Number(port) }
}

/** Like the reference, uses apiserver.crt in the folder, or creates one there. */
function certificatesIn(
  folder: string | undefined,
  workingDir: string,
  isGiven: boolean,
): { flags: string[]; into?: string } {
  if (folder === undefined || isGiven) return { flags: [] }
  const path = resolve(workingDir, folder)
  const [certificate, key] = [join(path, 'apiserver.crt'), join(path, 'apiserver.key')]
  if (existsSync(certificate) && existsSync(key))
    return { flags: [`--tls-cert-file=${certificate}`, `--tls-private-key-file=${key}`] }
  return { flags: [], into: path }
}
