import type { Vendor } from '../../plugin/vendor.js'
import type { ObjectMeta } from '../../resource/meta.js'
import { warningsAboutIp } from '../../validation/address-forms.js'
import { isValidLabelValue } from '../../validation/object-names.js'
import { parseQuantity, quantityValue } from '../../validation/quantity.js'
import { repeats } from '../../validation/repeats.js'
import { claimFractionWarnings } from '../claim-warnings.js'
import type { Container } from '../container.js'
import type { NodeSelectorTerm } from '../node-selector.js'
import type { PodSpec } from '../pod-spec.js'
import {
  appArmorWarnings,
  claimWarnings,
  clearWarnings,
  driverWarnings,
  graceWarning,
  moreLabelWarnings,
  pathWarnings,
  portNameWarnings,
  valueAndAddressWarnings,
} from './differences.js'
import { pathWarningsOf } from './path-warnings.js'
import { podAnnotations } from './pod-annotations.js'
import { portNameWarningsOf, portWarnings } from './port-warnings.js'

/** Deprecated labels of nodes, and the labels that replace them. */
export const oldNodeLabels = (vendor: Vendor): Record<string, string> => {
  const instead = (since: string, label: string) => `deprecated since ${since}; use "${label}" instead`
  return {
    [vendor.qualify('arch', 'beta')]: instead('v1.14', vendor.qualify('arch')),
    [vendor.qualify('os', 'beta')]: instead('v1.14', vendor.qualify('os')),
    [vendor.qualify('region', 'failure-domain.beta')]: instead('v1.17', vendor.qualify('region', 'topology')),
    [vendor.qualify('zone', 'failure-domain.beta')]: instead('v1.17', vendor.qualify('zone', 'topology')),
    [vendor.qualify('instance-type', 'beta')]: instead('v1.17', vendor.qualify('instance-type', 'node')),
    ...(vendor.level.has(moreLabelWarnings)
      ? {
          [vendor.qualify('created-by', 'app')]: 'deprecated since v1.9',
          [vendor.qualify('preferAvoidPods', 'scheduler.alpha')]:
            'deprecated since v1.22; use Taints and Tolerations instead',
          [vendor.qualify('master', 'node-role')]: `use "${vendor.qualify('control-plane', 'node-role')}" instead`,
        }
      : {}),
  }
}
const newlyOldSources = {
  glusterfs: [driverWarnings, 'deprecated in v1.25, non-functional in v1.26+'],
  cephfs: [clearWarnings, 'deprecated in v1.28, non-functional in v1.31+'],
  rbd: [clearWarnings, 'deprecated in v1.28, non-functional in v1.31+'],
} as const
const oldSources = {
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  gitRepo: 'deprecated in v1.11',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  flocker: 'deprecated in v1.22, non-functional in v1.25+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
  quobyte: 'deprecated in v1.22, non-functional in v1.25+',
} as const

/** A Pod, or the template of Pods. */
interface PodLike {
  readonly metadata?: ObjectMeta | undefined
  readonly spec?: PodSpec | undefined
}

/** Warnings about a valid Pod. `prefix` precedes the fields of a template: `template.`. */
export function podWarnings({ metadata, spec }: PodLike, vendor: Vendor, prefix = ''): string[] {
  if (!spec) return []
  const { level } = vendor
  const names = annotationNames(vendor)
  const annotations = metadata?.annotations ?? {}
  const beforePaths = [
    ...labelWarnings(spec, vendor),
    ...names.sysctlsAndPriority.flatMap(([key, why]) => annotationWarning(annotations, key, why)),
    ...(spec.volumes ?? []).flatMap((volume, i) =>
      (Object.keys(oldSources) as (keyof typeof oldSources)[])
        .filter(name => volume[name] !== undefined)
        // Kubernetes spells this one differently.
        .map(name => `spec.volumes[${i}].${name === 'storageos' ? 'storageOS' : name}: ${oldSources[name]}`),
    ),
    ...(spec.volumes ?? []).flatMap((volume, i) =>
      (Object.keys(newlyOldSources) as (keyof typeof newlyOldSources)[]).flatMap(name => {
        const [difference, why] = newlyOldSources[name]
        return volume[name] !== undefined && level.has(difference) ? [`spec.volumes[${i}].${name}: ${why}`] : []
      }),
    ),
    ...(level.has(claimWarnings) ? ephemeralClaimWarnings(spec) : []),
  ]
  const afterPaths = [
    ...listWarnings(spec),
    ...fractionWarnings({ 'spec.overhead': spec.overhead }),
    ...seccompWarning(annotations, names.seccompPod, spec),
    ...containersOf(spec).flatMap(([field, container]) => [
      ...seccompWarning(annotations, names.seccompContainer + container.name, container),
      ...(prefix !== '' && level.has(appArmorWarnings)
        ? appArmorWarning(annotations, names.appArmor, spec, container)
        : []),
      ...containerWarnings(container, field, level.has(clearWarnings)),
    ]),
    ...(level.has(clearWarnings) ? portWarnings(containersOf(spec)) : []),
    ...(level.has(portNameWarnings) ? portNameWarningsOf(containersOf(spec)) : []),
    ...(level.has(graceWarning) ? graceWarnings(spec) : []),
    ...(level.has(clearWarnings) ? nullSelectorWarnings(spec) : []),
    ...(level.has(valueAndAddressWarnings) ? addressWarnings(spec) : []),
  ]
  const inTemplate = (texts: readonly string[]) => texts.map(text => prefix + text)
  // Warnings about paths begin with the name of the volume, not with a field.
  const aboutPaths = level.has(pathWarnings) ? pathWarningsOf(spec.volumes ?? []) : []
  return [...inTemplate(beforePaths), ...aboutPaths, ...inTemplate(afterPaths)]
}

/** Every container with its field. */
const containersOf = (spec: PodSpec): [field: string, container: Container][] =>
  (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap(list =>
    ((spec[list] ?? []) as Container[]).map((container, i): [string, Container] => [`spec.${list}[${i}]`, container]),
  )

/** Terms without a selector match no Pod, which is hardly intended. */
function nullSelectorWarnings({ affinity, topologySpreadConstraints = [] }: PodSpec): string[] {
  const text = (field: string) => `${field}.labelSelector: a null labelSelector results in matching no pod`
  const inAffinity = (['podAffinity', 'podAntiAffinity'] as const).flatMap(kind => {
    const at = `spec.affinity.${kind}`
    const required = affinity?.[kind]?.requiredDuringSchedulingIgnoredDuringExecution ?? []
    const preferred = affinity?.[kind]?.preferredDuringSchedulingIgnoredDuringExecution ?? []
    return [
      ...required.flatMap(({ labelSelector }, i) =>
        labelSelector ? [] : [text(`${at}.requiredDuringSchedulingIgnoredDuringExecution[${i}]`)],
      ),
      ...preferred.flatMap(({ podAffinityTerm }, i) =>
        podAffinityTerm.labelSelector
          ? []
          : [text(`${at}.preferredDuringSchedulingIgnoredDuringExecution[${i}].podAffinityTerm`)],
      ),
    ]
  })
  const inSpread = topologySpreadConstraints.flatMap(({ labelSelector }, i) =>
    labelSelector ? [] : [text(`spec.topologySpreadConstraints[${i}]`)],
  )
  return [...inSpread, ...inAffinity]
}

const addressWarnings = ({ dnsConfig, hostAliases = [] }: PodSpec): string[] => [
  ...(dnsConfig?.nameservers ?? []).flatMap((ip, i) => warningsAboutIp(`spec.dnsConfig.nameservers[${i}]`, ip)),
  ...hostAliases.flatMap(({ ip = '' }, i) => warningsAboutIp(`spec.hostAliases[${i}].ip`, ip)),
]

function appArmorWarning(annotations: Annotations, prefix: string, spec: PodSpec, container: Container): string[] {
  if (container.securityContext?.appArmorProfile || spec.securityContext?.appArmorProfile) return []
  return annotationWarning(
    annotations,
    prefix + container.name,
    'deprecated since v1.30; use the "appArmorProfile" field instead',
  )
}

/** A variable hides an earlier one of the same name, unless its value refers to it. */
const hidden = (env: NonNullable<Container['env']>): number[] =>
  repeated(env.map(({ name }) => name)).filter(i => {
    const { name, value = '', valueFrom } = env[i]!
    const reference = `$(${name})`
    return valueFrom !== undefined || value === reference || !value.includes(reference)
  })

function containerWarnings({ resources, env = [] }: Container, field: string, warnsAboutHidden: boolean): string[] {
  const names = env.map(({ name }) => name)
  return [
    ...fractionWarnings({
      [`${field}.resources.limits`]: resources?.limits,
      [`${field}.resources.requests`]: resources?.requests,
    }),
    ...(warnsAboutHidden
      ? hidden(env).map(
          i => `${field}.env[${i}]: hides previous definition of "${names[i]}", which may be dropped when using apply`,
        )
      : repeated(names).map(i => `${field}.env[${i}].name: duplicate name "${names[i]}"`)),
  ]
}

function labelWarnings(spec: PodSpec, vendor: Vendor): string[] {
  const old = oldNodeLabels(vendor)
  const warn = (field: string, label: string, named = '') =>
    old[label] === undefined ? [] : [`${field}: ${named}${old[label]}`]
  const inTerm = (field: string, { matchExpressions = [] }: NodeSelectorTerm, areValuesChecked = false) =>
    matchExpressions.flatMap(({ key, values = [] }, i) => {
      const at = `${field}.matchExpressions[${i}]`
      return [
        ...warn(`${at}.key`, key, `${key} is `),
        ...(areValuesChecked
          ? values.flatMap((value, j) =>
              isValidLabelValue(value).map(text => `${at}.values[${j}]: ${value} is invalid, ${text}`),
            )
          : []),
      ]
    })
  const affinity = spec.affinity?.nodeAffinity
  const at = 'spec.affinity.nodeAffinity'
  const required = affinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []
  const preferred = affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []
  return [
    ...Object.keys(spec.nodeSelector ?? {}).flatMap(label => warn(`spec.nodeSelector[${label}]`, label)),
    ...required.flatMap((term, i) =>
      inTerm(`${at}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[${i}]`, term),
    ),
    ...preferred.flatMap(({ preference }, i) =>
      inTerm(
        `${at}.preferredDuringSchedulingIgnoredDuringExecution[${i}].preference`,
        preference,
        // A required term with such a value is rejected; a preferred one has always been accepted.
        vendor.level.has(valueAndAddressWarnings),
      ),
    ),
    ...(spec.topologySpreadConstraints ?? []).flatMap(({ topologyKey }, i) =>
      warn(`spec.topologySpreadConstraints[${i}].topologyKey`, topologyKey, `${topologyKey} is `),
    ),
  ]
}

type Annotations = Readonly<Record<string, string>>
const annotationNames = (vendor: Vendor) => {
  const { criticalPod, sysctls, seccompPod, seccompContainer, appArmorContainer: appArmor } = podAnnotations(vendor)
  const useSysctls = 'non-functional in v1.11+; use the "sysctls" field instead'
  const sysctlsAndPriority = [
    [criticalPod, 'non-functional in v1.16+; use the "priorityClassName" field instead'],
    ...sysctls.map(key => [key, useSysctls]),
  ] as [key: string, why: string][]
  return { seccompPod, seccompContainer, appArmor, sysctlsAndPriority }
}
const annotationWarning = (annotations: Annotations, key: string, why: string) =>
  annotations[key] === undefined ? [] : [`metadata.annotations[${key}]: ${why}`]

/** An annotation without the corresponding field has an unknown profile, since known ones are copied to the field. */
const seccompWarning = (annotations: Annotations, key: string, { securityContext }: PodSpec | Container) =>
  securityContext?.seccompProfile
    ? []
    : annotationWarning(annotations, key, 'deprecated since v1.19; use the "seccompProfile" field instead')

/** The positions of values that occur earlier in the list. */
const repeated = (values: readonly string[]): number[] =>
  repeats(values).flatMap((isRepeat, i) => (isRepeat ? [i] : []))

function listWarnings({ hostAliases = [], imagePullSecrets = [] }: PodSpec): string[] {
  const secrets = imagePullSecrets.map(({ name = '' }) => name)
  const aliases = hostAliases.map(({ ip = '' }) => ip)
  return [
    ...repeated(aliases).map(i => `spec.hostAliases[${i}].ip: duplicate ip "${aliases[i]}"`),
    ...repeated(secrets).map(i => `spec.imagePullSecrets[${i}].name: duplicate name "${secrets[i]}"`),
    ...secrets.flatMap((name, i) => (name === '' ? [`spec.imagePullSecrets[${i}].name: invalid empty name ""`] : [])),
  ]
}
const ephemeralClaimWarnings = ({ volumes = [] }: PodSpec): string[] =>
  volumes.flatMap(({ ephemeral }, i) =>
    claimFractionWarnings(
      ephemeral?.volumeClaimTemplate?.spec ?? {},
      `spec.volumes[${i}].ephemeral.volumeClaimTemplate.spec`,
    ),
  )
const graceWarnings = ({ terminationGracePeriodSeconds = 0 }: PodSpec): string[] =>
  terminationGracePeriodSeconds < 0
    ? ['spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1.']
    : []

const counted = ['memory', 'ephemeral-storage'] as const
/** A fraction of a byte is most likely a wrong unit. Amounts are passed by field. */
function fractionWarnings(lists: Readonly<Record<string, Readonly<Record<string, string>> | undefined>>): string[] {
  const isFraction = (amount: string) => quantityValue(parseQuantity(amount), -3) % 1000n !== 0n
  return counted.flatMap(name =>
    Object.entries(lists).flatMap(([field, amounts]) => {
      const amount = amounts?.[name]
      return amount !== undefined && isFraction(amount)
        ? [`${field}[${name}]: fractional byte value "${amount}" is invalid, must be an integer`]
        : []
    }),
  )
}
