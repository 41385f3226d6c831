import { type FieldError, forbiddenField, notSupported, requiredValue } from '../../resource/field-errors.js'
import type { Container } from '../container.js'
import type { PodSpec } from '../pod-spec.js'

const systems = ['linux', 'windows']

/** Every container with its place, those of the Pod first. */
export function containersWithPlaces(spec: PodSpec, field: string): [Container, string][] {
  const lists = ['initContainers', 'containers', 'ephemeralContainers'] as const
  return lists.flatMap(list =>
    (spec[list] ?? []).map((container, i): [Container, string] => [container, `${field}.${list}[${i}]`]),
  )
}

/** Fields that a Pod may not set because of the operating system that it names. */
export function validateSystem(spec: PodSpec, field: string): FieldError[] {
  const { os } = spec
  if (os === undefined) return []
  if (os.name === '') return [requiredValue(`${field}.os.name`)]
  if (!systems.includes(os.name)) return [notSupported(`${field}.os`, os.name, systems)]
  return os.name === 'linux' ? validateLinux(spec, field) : validateWindows(spec, field)
}

const validateLinux = (spec: PodSpec, field: string): FieldError[] =>
  [
    ...(spec.securityContext?.windowsOptions ? [field] : []),
    ...containersWithPlaces(spec, field)
      .filter(([{ securityContext }]) => securityContext?.windowsOptions)
      .map(([, at]) => at),
  ].map(at => forbiddenField(`${at}.securityContext.windowsOptions`, 'windows options cannot be set for a linux pod'))

/** In the order in which they are reported; those without a dot are fields of the spec. */
const noPodFields = [
  'securityContext.appArmorProfile',
  'securityContext.seLinuxOptions',
  'hostUsers',
  'hostPID',
  'hostIPC',
  'securityContext.seccompProfile',
  'securityContext.fsGroup',
  'securityContext.fsGroupChangePolicy',
  'securityContext.sysctls',
  'shareProcessNamespace',
  'securityContext.runAsUser',
  'securityContext.runAsGroup',
  'securityContext.supplementalGroups',
  'securityContext.supplementalGroupsPolicy',
  'securityContext.seLinuxChangePolicy',
]
const noContainerFields = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
] as const
/** Fields of a Pod that are not pointers in Go: false means not set. */
const plain = new Set(['hostPID', 'hostIPC'])

function validateWindows(spec: PodSpec, field: string): FieldError[] {
  const forbid = (at: string) => forbiddenField(at, 'cannot be set for a windows pod')
  const isSet = (name: string) => {
    const [first = '', second] = name.split('.')
    const value = (spec as Record<string, unknown>)[first]
    if (second !== undefined) return (value as Record<string, unknown> | undefined)?.[second] !== undefined
    return plain.has(first) ? value === true : value !== undefined
  }
  return [
    ...noPodFields.filter(isSet).map(name => forbid(`${field}.${name}`)),
    ...containersWithPlaces(spec, field).flatMap(([{ securityContext }, at]) =>
      noContainerFields
        .filter(name => securityContext?.[name] !== undefined)
        .map(name => forbid(`${at}.securityContext.${name}`)),
    ),
  ]
}
