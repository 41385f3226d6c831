import { type NodeSelectorTerm, type Pod, type PodSpec, parseQuantity, quantityValue, type Vendor } from 'orch/sdk'
import { podAnnotations } from '../pod-spec/pod-annotations.js'

/** Labels of nodes that have better names today. */
const oldNodeLabels = (vendor: Vendor): Record<string, string> => {
  const instead = (since: string, label: string) => `deprecated since ${since}; use "${label}" instead`
  return {
    [vendor.qualify('arch', 'beta')]: instead('v1.14', vendor.qualify('arch')),
    [vendor.qualify('os', 'beta')]: instead('v1.14', vendor.qualify('os')),
    [vendor.qualify('region', 'failure-domain.beta')]: instead('v1.17', vendor.qualify('region', 'topology')),
    [vendor.qualify('zone', 'failure-domain.beta')]: instead('v1.17', vendor.qualify('zone', 'topology')),
    [vendor.qualify('instance-type', 'beta')]: instead('v1.17', vendor.qualify('instance-type', 'node')),
  }
}
const oldSources = {
  gitRepo: 'deprecated in v1.11',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  flocker: 'deprecated in v1.22, non-functional in v1.25+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
  quobyte: 'deprecated in v1.22, non-functional in v1.25+',
} as const

/** What the author of a Pod should know although it is allowed. */
export const podWarnings = (pod: Pod, stored: Pod | undefined, vendor: Vendor): string[] => [
  ...labelWarnings(pod.spec, vendor),
  ...annotationWarnings(pod, stored, vendor),
  ...(pod.spec.volumes ?? []).flatMap((volume, i) =>
    (Object.keys(oldSources) as (keyof typeof oldSources)[])
      .filter(name => volume[name] !== undefined)
      .map(name => `spec.volumes[${i}].${name}: ${oldSources[name]}`),
  ),
  ...listWarnings(pod.spec),
  ...fractionWarnings(pod.spec),
]

function labelWarnings(spec: PodSpec, vendor: Vendor): string[] {
  const old = oldNodeLabels(vendor)
  const warn = (field: string, label: string) => (old[label] === undefined ? [] : [`${field}: ${old[label]}`])
  const inTerm = (field: string, { matchExpressions = [] }: NodeSelectorTerm) =>
    matchExpressions.flatMap(({ key }, i) => warn(`${field}.matchExpressions[${i}].key`, key))
  const affinity = spec.affinity?.nodeAffinity
  const at = 'spec.affinity.nodeAffinity'
  const must = affinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []
  const likes = affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []
  return [
    ...Object.keys(spec.nodeSelector ?? {}).flatMap(label => warn(`spec.nodeSelector[${label}]`, label)),
    ...must.flatMap((term, i) =>
      inTerm(`${at}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[${i}]`, term),
    ),
    ...likes.flatMap(({ preference }, i) =>
      inTerm(`${at}.preferredDuringSchedulingIgnoredDuringExecution[${i}].preference`, preference),
    ),
    ...(spec.topologySpreadConstraints ?? []).flatMap(({ topologyKey }, i) =>
      warn(`spec.topologySpreadConstraints[${i}].topologyKey`, topologyKey),
    ),
  ]
}

/** The profile is also a field; one that only stands in an annotation has no field, because nobody understands it. */
function annotationWarnings({ metadata, spec }: Pod, stored: Pod | undefined, vendor: Vendor): string[] {
  const names = podAnnotations(vendor)
  const isNew = (key: string) =>
    metadata?.annotations?.[key] !== undefined && stored?.metadata?.annotations?.[key] === undefined
  const warn = (key: string) =>
    `metadata.annotations[${key}]: deprecated since v1.19; use the "seccompProfile" field instead`
  return [
    ...(isNew(names.seccompPod) && !spec.securityContext?.seccompProfile ? [warn(names.seccompPod)] : []),
    ...(spec.containers ?? [])
      .filter(({ name, securityContext }) => isNew(names.seccompContainer + name) && !securityContext?.seccompProfile)
      .map(({ name }) => warn(names.seccompContainer + name)),
  ]
}

function repeated(values: readonly string[]): number[] {
  return values.flatMap((value, i) => (values.indexOf(value) < i ? [i] : []))
}
function listWarnings({
  hostAliases = [],
  imagePullSecrets = [],
  terminationGracePeriodSeconds = 0,
}: PodSpec): string[] {
  const secrets = imagePullSecrets.map(({ name = '' }) => name)
  const aliases = hostAliases.map(({ ip = '' }) => ip)
  return [
    ...repeated(aliases).map(i => `spec.hostAliases[${i}].ip: duplicate ip "${aliases[i]}"`),
    ...secrets.flatMap((name, i) => (name === '' ? [`spec.imagePullSecrets[${i}].name: invalid empty name ""`] : [])),
    ...repeated(secrets)
      .filter(i => secrets[i] !== '')
      .map(i => `spec.imagePullSecrets[${i}].name: duplicate name "${secrets[i]}"`),
    ...(terminationGracePeriodSeconds < 0
      ? ['spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1.']
      : []),
  ]
}

const counted = ['memory', 'ephemeral-storage'] as const
/** Half a byte is most likely a wrong unit. */
function fractionWarnings(spec: PodSpec): string[] {
  const isFraction = (amount: string) => quantityValue(parseQuantity(amount), -3) % 1000n !== 0n
  return (['initContainers', 'containers'] as const).flatMap(list =>
    (spec[list] ?? []).flatMap(({ resources }, i) =>
      (['limits', 'requests'] as const).flatMap(part =>
        counted.flatMap(name => {
          const amount = resources?.[part]?.[name]
          return amount !== undefined && isFraction(amount)
            ? [
                `spec.${list}[${i}].resources.${part}[${name}]: fractional byte value "${amount}" is invalid, must be an integer`,
              ]
            : []
        }),
      ),
    ),
  )
}
