import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { FlagError, type GivenFlags } from './read-flags.js'
import { referenceFlags } from './reference-flags.js'

/** What `orch serve` is to be told, and what is left to do beside it. */
export interface ServePlan {
  readonly flags: readonly string[]
  readonly warnings: readonly string[]
  /** Serve plain HTTP here, too, to whoever comes. */
  readonly insecure?: { readonly host: string; readonly port: number }
  /** Write the serving certificate into this folder: the caller has put none there. */
  readonly certificatesInto?: string
  /** Do the first objects of a store depend on what was given? Then those that were prepared are of no use. */
  readonly hasOtherFirstObjects: boolean
}

/** Control loops that are part of kube-apiserver itself. All others belong to a controller manager, which suites do not run. */
export const serverLoops = ['customresourcedefinition', 'flow-control', 'apiservice-availability', 'event-expiry']

/** The range that addresses of Services come from where nothing else is said, here as in envtest. */
const usualServiceRange = '10.0.0.0/24'
const loopback = '127.0.0.1'

/** From the flags of kube-apiserver to those of `orch serve`. `controls` are the admission controls that there are. */
export function planServe(
  { values, meaningless }: GivenFlags,
  controls: readonly string[],
  workingDir: string,
): ServePlan {
  const last = (name: string): string | undefined => values.get(name)?.at(-1) || undefined
  const flags: string[] = []
  const warnings: string[] = []
  if (meaningless.length > 0) warnings.push(`ignored, for they have no meaning here: ${meaningless.join(', ')}`)
  for (const { name, use } of referenceFlags().values()) {
    if (use !== 'same') continue
    for (const value of values.get(name) ?? []) if (value !== '') flags.push(`--${name}=${value}`)
  }
  if (last('bind-address') === undefined) flags.push(`--bind-address=${loopback}`)
  if (last('secure-port') === undefined) flags.push('--secure-port=6443')
  flags.push(`--authorization-mode=${authorizationModes(values.get('authorization-mode')).join(',')}`)
  flags.push(`--controllers=${[...serverLoops, ...listOf(values.get('controllers'))].join(',')}`)
  for (const name of ['enable-admission-plugins', 'disable-admission-plugins']) {
    const given = listOf(values.get(name))
    const unknown = given.filter(control => !controls.includes(control))
    if (unknown.length > 0) warnings.push(`--${name}: there is no ${unknown.join(', ')} here`)
    const known = given.filter(control => controls.includes(control))
    if (known.length > 0) flags.push(`--${name}=${known.join(',')}`)
  }
  if (last('allow-privileged') === 'false')
    warnings.push('--allow-privileged=false is ignored: Pods may be privileged here')
  const insecure = insecureServing(last('insecure-bind-address') ?? loopback, last('insecure-port') ?? '0')
  const certificates = certificatesIn(last('cert-dir'), workingDir, last('tls-cert-file') !== undefined)
  const range = last('service-cluster-ip-range') ?? usualServiceRange
  return {
    flags: [...flags, ...certificates.flags],
    warnings,
    ...(insecure ? { insecure } : {}),
    ...(certificates.into === undefined ? {} : { certificatesInto: certificates.into }),
    hasOtherFirstObjects: range !== usualServiceRange || last('runtime-config') !== undefined,
  }
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
  return modes.length > 0 ? modes : ['AlwaysAllow']
}

function insecureServing(host: string, port: string): ServePlan['insecure'] {
  if (!/^\d+$/.test(port) || Number(port) > 65_535) throw new FlagError(`--insecure-port: "${port}" is not a port`)
  if (Number(port) === 0) return undefined
  const isLocal = host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
  // Whoever reaches it is an administrator.
  if (!isLocal) throw new FlagError(`--insecure-bind-address: only a loopback address is allowed, not ${host}`)
  return { host, port: Number(port) }
}

/** As the reference, which serves with apiserver.crt of the folder, or makes one there. */
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
