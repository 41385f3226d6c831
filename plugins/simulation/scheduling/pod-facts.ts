import { addAll } from 'orch/sdk'
import { controllerOf, keyOf } from 'orch/sdk/controllers'
import type { NodeSelectorTerm, PodSpec, PreferredSchedulingTerm, Toleration } from 'orch/sdk/core'
import { parseQuantity, quantityValue } from 'orch/sdk/validation'
import type { StoredPod } from '../running/container-facts.js'
import type { PlacedPod, TopologyTerm, TopologyTerms } from './topology-terms.js'

export type Amounts = Record<string, number>
export interface WeightedTerm {
  readonly weight: number
  readonly term: TopologyTerm
}
export interface SpreadRule {
  readonly term: TopologyTerm
  readonly maxSkew: number
  readonly isRequired: boolean
}

/** The scheduling requirements of a Pod, computed once. */
export interface PodFacts extends PlacedPod {
  readonly pod: StoredPod
  readonly key: string
  readonly priority: number
  readonly mayPreempt: boolean
  readonly requests: Amounts
  /** For scoring nodes: a Pod without requests is assumed to use something, too. */
  readonly load: { readonly cpu: number; readonly memory: number }
  readonly ports: readonly string[]
  readonly selector: readonly (readonly [string, string])[]
  readonly requiredTerms: readonly NodeSelectorTerm[] | undefined
  /** The only possible nodes, if the terms name them. */
  readonly onlyNodes: readonly string[] | undefined
  readonly preferredTerms: readonly PreferredSchedulingTerm[]
  readonly tolerations: readonly Toleration[]
  readonly near: readonly TopologyTerm[]
  readonly away: readonly TopologyTerm[]
  /** Weights of anti-affinity terms are negative. */
  readonly weightedTerms: readonly WeightedTerm[]
  readonly spread: readonly SpreadRule[]
  readonly claims: readonly string[]
}

/** Assumed for containers without requests: 100m of cpu, 200Mi of memory. */
const defaultLoad = { cpu: 100, memory: 200 * 1024 * 1024 }
const known = new Map<string, number>()

/** An amount as a number: thousandths of cpu, whole units of everything else. */
export function amountOf(resource: string, text: string): number {
  const id = `${resource === 'cpu'}${text}`
  const found = known.get(id)
  if (found !== undefined) return found
  if (known.size >= 10_000) known.clear()
  const amount = Number(quantityValue(parseQuantity(text), resource === 'cpu' ? -3 : 0))
  known.set(id, amount)
  return amount
}

function add(sum: Amounts, list: Readonly<Record<string, string>> = {}): void {
  for (const [name, text] of Object.entries(list)) sum[name] = (sum[name] ?? 0) + amountOf(name, text)
}

/**
 * The requests of a Pod: the sum of its containers and sidecars, or its largest init container plus the sidecars started before it,
 * and its overhead. Pod-level requests replace that.
 */
function requestsOf({ containers, initContainers = [], overhead, resources: own }: PodSpec): Amounts {
  const sum: Amounts = {}
  const sidecars: Amounts = {}
  const most: Amounts = {}
  for (const { resources } of containers) add(sum, resources?.requests)
  for (const { resources, restartPolicy } of initContainers) {
    if (restartPolicy === 'Always') {
      add(sum, resources?.requests)
      add(sidecars, resources?.requests)
    } else
      for (const [name, text] of Object.entries(resources?.requests ?? {}))
        most[name] = Math.max(most[name] ?? 0, amountOf(name, text) + (sidecars[name] ?? 0))
  }
  for (const [name, amount] of Object.entries(most)) sum[name] = Math.max(sum[name] ?? 0, amount)
  for (const [name, text] of Object.entries(own?.requests ?? {})) sum[name] = amountOf(name, text)
  add(sum, overhead)
  return sum
}

function loadOf({ containers }: PodSpec): { cpu: number; memory: number } {
  const load = { cpu: 0, memory: 0 }
  for (const { resources } of containers)
    for (const name of ['cpu', 'memory'] as const) {
      const text = resources?.requests?.[name]
      load[name] += text === undefined ? defaultLoad[name] : amountOf(name, text)
    }
  return load
}

const portsOf = ({ containers }: PodSpec): string[] =>
  containers.flatMap(({ ports = [] }) =>
    ports.flatMap(({ hostPort, hostIP, protocol }) =>
      hostPort ? [`${protocol ?? 'TCP'} ${hostPort} ${hostIP || '0.0.0.0'}`] : [],
    ),
  )

function namesIn(terms: readonly NodeSelectorTerm[] | undefined): string[] | undefined {
  if (!terms) return undefined
  const names: string[] = []
  for (const { matchFields = [] } of terms) {
    const named = matchFields.find(({ key, operator }) => key === 'metadata.name' && operator === 'In')
    if (!named) return undefined
    addAll(names, named.values ?? [])
  }
  return names
}

export function factsOf(pod: StoredPod, terms: TopologyTerms, hostnameLabel: string): PodFacts {
  const { spec, metadata } = pod
  const { namespace = '', name = '', labels = {} } = metadata
  const { nodeAffinity, podAffinity, podAntiAffinity } = spec.affinity ?? {}
  const requiredTerms = nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms
  const weighed = (list: typeof podAffinity, sign: number): WeightedTerm[] =>
    (list?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ weight, podAffinityTerm }) => ({
      weight: sign * weight,
      term: terms.ofAffinity(podAffinityTerm, namespace),
    }))
  const required = (list: typeof podAffinity) =>
    (list?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map(term => terms.ofAffinity(term, namespace))
  const spread = (spec.topologySpreadConstraints ?? []).map(one => ({
    term: terms.ofSelector(one.labelSelector, one.topologyKey, namespace),
    maxSkew: one.maxSkew,
    isRequired: one.whenUnsatisfiable === 'DoNotSchedule',
  }))
  return {
    pod,
    key: keyOf(pod),
    namespace,
    labels,
    priority: spec.priority ?? 0,
    mayPreempt: spec.preemptionPolicy !== 'Never',
    requests: requestsOf(spec),
    load: loadOf(spec),
    ports: portsOf(spec),
    selector: Object.entries(spec.nodeSelector ?? {}),
    requiredTerms,
    onlyNodes: namesIn(requiredTerms),
    preferredTerms: nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [],
    tolerations: spec.tolerations ?? [],
    near: required(podAffinity),
    away: required(podAntiAffinity),
    weightedTerms: [...weighed(podAffinity, 1), ...weighed(podAntiAffinity, -1)],
    // Pods of one owner are spread over nodes by default, unless they have constraints of their own.
    spread: spread.length > 0 || !controllerOf(pod) ? spread : [ownerSpread(pod, terms, hostnameLabel)],
    claims: (spec.volumes ?? []).flatMap(volume => {
      if (volume.persistentVolumeClaim) return [volume.persistentVolumeClaim.claimName]
      return volume.ephemeral ? [`${name}-${volume.name}`] : []
    }),
  }
}

/** Pods of one owner have the same labels, apart from those that identify each Pod. */
function ownerSpread({ metadata }: StoredPod, terms: TopologyTerms, hostnameLabel: string): SpreadRule {
  const { namespace = '', labels = {} } = metadata
  const perPodLabels = /pod-name|controller-uid|completion-index/
  const matchLabels = Object.fromEntries(Object.entries(labels).filter(([key]) => !perPodLabels.test(key)))
  return { term: terms.ofSelector({ matchLabels }, hostnameLabel, namespace), maxSkew: 1, isRequired: false }
}
