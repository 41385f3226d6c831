import { defineDifference } from '../../plugin/level.js'
import type { Vendor } from '../../plugin/vendor.js'
import { duplicate, type FieldError, invalidValue, requiredValue } from '../../resource/field-errors.js'
import type { PodSpec } from '../pod-spec.js'

const sysctlsMayBePaths = defineDifference({
  name: 'sysctls-may-be-paths',
  since: '1.25',
  description: 'The parts of the name of a sysctl may be separated by slashes.',
  knownFrom: 'source',
  additive: true,
})

const hostSysctlsAreRefused = defineDifference({
  name: 'sysctls-of-the-host-are-refused',
  since: '1.29',
  description: 'A Pod that uses the network or the IPC of the host must not set sysctls of it.',
  knownFrom: 'source',
})

const segment = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?'
const dotted = new RegExp(`^(${segment}\\.)*${segment}$`)
const dottedOrPath = new RegExp(`^(${segment}[./])*${segment}$`)
const maxLength = 253

type Names = readonly string[]
const namesIn = (spec: PodSpec | undefined): Names => (spec?.securityContext?.sysctls ?? []).map(({ name }) => name)

/** Kernel parameters of a Pod. What the `stored` one has may stay. `field` is the spec. */
export function validateSysctls(
  spec: PodSpec,
  field: string,
  { level }: Vendor,
  stored: PodSpec | undefined,
): FieldError[] {
  const former = namesIn(stored)
  const form = level.has(sysctlsMayBePaths) || former.some(name => name.includes('/')) ? dottedOrPath : dotted
  const isHostChecked =
    level.has(hostSysctlsAreRefused) && !former.some(name => hostField(name, stored ?? {}) !== undefined)
  const seen = new Set<string>()
  return namesIn(spec).flatMap((name, i) => {
    const at = `${field}.securityContext.sysctls[${i}].name`
    const errors: FieldError[] = []
    if (name === '') errors.push(requiredValue(at))
    else if (name.length > maxLength || !form.test(name))
      errors.push(invalidValue(at, name, `must have at most ${maxLength} characters and match regex ${form.source}`))
    else if (seen.has(name)) errors.push(duplicate(at, name))
    seen.add(name)
    const shared = isHostChecked ? hostField(name, spec) : undefined
    if (shared) errors.push(invalidValue(at, name, `may not be specified when '${shared}' is true`))
    return errors
  })
}

const ofIpc = /^(?:kernel\.(?:sem|shm(?:all|max|mni|_rmid_forced)?|msg(?:max|mnb|mni)?)$|fs\.mqueue\.)/

/** The field by which a Pod shares with the host what the sysctl is about; undefined if it does not. */
function hostField(
  name: string,
  { hostNetwork, hostIPC }: Pick<PodSpec, 'hostNetwork' | 'hostIPC'>,
): 'hostNetwork' | 'hostIPC' | undefined {
  // If the first separator is a slash, slashes separate the parts, and dots stand for slashes.
  const dotted = /^[^./]*\//.test(name) ? name.replaceAll(/[./]/g, mark => (mark === '/' ? '.' : '/')) : name
  const parts = dotted.replace(/\*.*/s, '')
  if (hostNetwork && parts.startsWith('net.')) return 'hostNetwork'
  return hostIPC && ofIpc.test(parts) ? 'hostIPC' : undefined
}
