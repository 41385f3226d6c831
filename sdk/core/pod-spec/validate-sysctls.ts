import type { ServedLevel } from '../../plugin/level.js'
import { duplicate, type FieldError, invalidValue, requiredValue } from '../../resource/field-errors.js'
import type { PodSpec } from '../pod-spec.js'
import { hostSysctlsStay, sysctlsMayHaveSlashes } from './sysctl-differences.js'

const maxLength = 253
const segment = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?'
const withDots = new RegExp(`^(${segment}\\.)*${segment}$`)
const withSlashes = new RegExp(`^(${segment}[\\./])*${segment}$`)

const sysctlsOf = ({ securityContext }: PodSpec) => securityContext?.sysctls ?? []

/** Names are unique, and do not belong to a namespace that the Pod shares with the host. What is `stored` may stay. */
export function validateSysctls(
  spec: PodSpec,
  field: string,
  level: ServedLevel,
  stored: PodSpec | undefined,
): FieldError[] {
  const hadSlashes = stored !== undefined && sysctlsOf(stored).some(({ name }) => name.includes('/'))
  const form = hadSlashes || level.has(sysctlsMayHaveSlashes) ? withSlashes : withDots
  const setHost = stored !== undefined && sysctlsOf(stored).some(({ name }) => sharedWithHost(name, stored))
  const checksHost = level.has(hostSysctlsStay) && !setHost
  const names = new Set<string>()
  return sysctlsOf(spec).flatMap(({ name }, i) => {
    const at = `${field}[${i}].name`
    const errors: FieldError[] = []
    if (name === '') errors.push(requiredValue(at))
    else if (name.length > maxLength || !form.test(name))
      errors.push(invalidValue(at, name, `must have at most ${maxLength} characters and match regex ${form.source}`))
    else if (names.has(name)) errors.push(duplicate(at, name))
    names.add(name)
    const shared = checksHost ? sharedWithHost(name, spec) : undefined
    if (shared) errors.push(invalidValue(at, name, `may not be specified when '${shared}' is true`))
    return errors
  })
}

const ofIpc = new Set(
  ['sem', 'shmall', 'shmmax', 'shmmni', 'shm_rmid_forced', 'shm', 'msgmax', 'msgmnb', 'msgmni', 'msg'].map(
    name => `kernel.${name}`,
  ),
)

/** The field that shares the namespace of a sysctl with the host, if one does. */
function sharedWithHost(name: string, spec: PodSpec): 'hostNetwork' | 'hostIPC' | undefined {
  const dotted = inDots(name).replace(/\*.*/s, '')
  if (spec.hostNetwork && dotted.startsWith('net.')) return 'hostNetwork'
  return spec.hostIPC && (ofIpc.has(dotted) || dotted.startsWith('fs.mqueue.')) ? 'hostIPC' : undefined
}

/** If the first separator is a slash, slashes separate the parts, and dots are part of their names. */
const inDots = (name: string): string =>
  /^[^./]*\//.test(name) ? name.replaceAll(/[./]/g, sign => (sign === '.' ? '/' : '.')) : name
