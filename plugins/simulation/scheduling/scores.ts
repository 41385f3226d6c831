import { isNodeSelected, isTolerated } from 'orch/sdk/core'
import type { Cluster, NodeState } from './cluster.js'
import type { PodFacts } from './pod-facts.js'

const most = 100

/** The weighted sum of several scores for each node; the sums are comparable with each other only. */
export function scoresOf(pod: PodFacts, nodes: readonly NodeState[], cluster: Cluster): number[] {
  const sums = nodes.map(state => balance(pod, state))
  const addAll = (scores: readonly number[], weight: number) => {
    for (const [i, score] of scores.entries()) sums[i] = (sums[i] ?? 0) + weight * score
  }
  if (pod.preferredTerms.length > 0) addAll(normalize(nodes.map(state => preferenceScore(pod, state))), 1)
  const tainted = nodes.map(state => untoleratedTaints(pod, state))
  if (tainted.some(count => count > 0)) addAll(normalizeInverted(tainted), 1)
  if (pod.weightedTerms.length > 0) {
    const counts = pod.weightedTerms.map(({ weight, term }) => ({ weight, counts: cluster.counts.of(term) }))
    const liking = nodes.map(({ labels }) =>
      counts.reduce((sum, { weight, counts: { term, byValue } }) => {
        return sum + weight * (byValue.get(labels[term.topologyKey] ?? '') ?? 0)
      }, 0),
    )
    addAll(normalize(liking), 1)
  }
  for (const { term, isRequired } of pod.spread) {
    if (isRequired && pod.spread.length > 1) continue
    const { byValue } = cluster.counts.of(term)
    addAll(normalizeInverted(nodes.map(({ labels }) => byValue.get(labels[term.topologyKey] ?? '') ?? 0)), 2)
  }
  return sums
}

/** Prefers nodes with more free resources, and with balanced usage of cpu and memory. */
function balance({ load }: PodFacts, { allocatable, load: taken }: NodeState): number {
  const shareOf = (name: 'cpu' | 'memory') => {
    const all = allocatable[name] ?? 0
    return all === 0 ? 1 : Math.min(1, (taken[name] + load[name]) / all)
  }
  const cpu = shareOf('cpu')
  const memory = shareOf('memory')
  const left = ((1 - cpu + (1 - memory)) / 2) * most
  const alike = (1 - Math.abs(cpu - memory) / 2) * most
  return left + alike
}

const preferenceScore = ({ preferredTerms }: PodFacts, { node }: NodeState): number =>
  preferredTerms.reduce(
    (sum, { weight, preference }) => sum + (node && isNodeSelected(preference, node) ? weight : 0),
    0,
  )

const untoleratedTaints = ({ tolerations }: PodFacts, { taints }: NodeState): number =>
  taints.filter(taint => taint.effect === 'PreferNoSchedule' && !isTolerated(taint, tolerations)).length

/** Scales the minimum to 0 and the maximum to 100. */
function normalize(values: readonly number[]): number[] {
  const least = values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  const range = values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY) - least
  return values.map(value => (range === 0 ? 0 : ((value - least) / range) * most))
}
const normalizeInverted = (values: readonly number[]): number[] => normalize(values.map(value => -value))
