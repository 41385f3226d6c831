import type { Behavior, ScalingRules } from '../metric-structs.js'

/** Recent recommendations and changes of an autoscaler. */
export interface ScalingHistory {
  /** Replica counts from the metrics, before any limit. */
  readonly recommendations: { readonly at: number; readonly replicas: number }[]
  /** Changes of the replica count of the target. */
  readonly changes: { readonly at: number; readonly by: number }[]
}
export const newHistory = (): ScalingHistory => ({ recommendations: [], changes: [] })

export interface ScalingBounds {
  readonly min: number
  readonly max: number
  readonly behavior?: Behavior | undefined
}
export interface Reasoned {
  readonly reason: string
  readonly message: string
}
export interface LimitedReplicas {
  readonly replicas: number
  /** The reason for the limit. */
  readonly limit?: Reasoned
  /** Why the stabilization window changed the recommendation. */
  readonly stabilized?: Reasoned
}

const defaultDownWindowSeconds = 300
/** The maximum window and period. */
const maxSeconds = 3600

const tooMany: Reasoned = {
  reason: 'TooManyReplicas',
  message: 'the desired replica count is more than the maximum replica count',
}
const tooFew: Reasoned = {
  reason: 'TooFewReplicas',
  message: 'the desired replica count is less than the minimum replica count',
}
const tooFastUp: Reasoned = {
  reason: 'ScaleUpLimit',
  message: 'the desired replica count is increasing faster than the maximum scale rate',
}
const tooFastDown: Reasoned = {
  reason: 'ScaleDownLimit',
  message: 'the desired replica count is decreasing faster than the maximum scale rate',
}
const stabilizedUp: Reasoned = {
  reason: 'ScaleUpStabilized',
  message: 'recent recommendations were lower than current one, applying the lowest recent recommendation',
}
const stabilizedDown: Reasoned = {
  reason: 'ScaleDownStabilized',
  message: 'recent recommendations were higher than current one, applying the highest recent recommendation',
}

/**
 * Applies the stabilization windows, the policies and the bounds to a recommendation, and records it in the history.
 */
export function limitReplicas(
  recommended: number,
  current: number,
  bounds: ScalingBounds,
  history: ScalingHistory,
  now: number,
): LimitedReplicas {
  const stable = stabilize(recommended, current, bounds, history, now)
  const stabilized =
    stable === recommended ? {} : { stabilized: recommended >= current ? stabilizedUp : stabilizedDown }
  if (stable > current) {
    // Without policies, the count at most doubles, or grows to 4.
    const rules = bounds.behavior?.scaleUp
    const rate = Math.max(current, rateLimit(1, current, rules, Math.max(current * 2, 4), history, now))
    const most = Math.min(bounds.max, rate)
    if (stable > most) return { replicas: most, limit: bounds.max > rate ? tooFastUp : tooMany, ...stabilized }
  } else if (stable < current) {
    const rate = Math.min(current, rateLimit(-1, current, bounds.behavior?.scaleDown, 0, history, now))
    const least = Math.max(bounds.min, rate)
    if (stable < least) return { replicas: least, limit: bounds.min < rate ? tooFastDown : tooFew, ...stabilized }
  }
  return { replicas: stable, ...stabilized }
}

/** Scales up at most to the lowest, and down at most to the highest, recommendation within the window. */
function stabilize(
  recommended: number,
  current: number,
  { behavior }: ScalingBounds,
  { recommendations, changes }: ScalingHistory,
  now: number,
): number {
  const upSeconds = behavior?.scaleUp?.stabilizationWindowSeconds ?? 0
  const downSeconds = behavior?.scaleDown?.stabilizationWindowSeconds ?? defaultDownWindowSeconds
  let [least, most] = [recommended, recommended]
  for (const { at, replicas } of recommendations) {
    if (at > now - upSeconds * 1000) least = Math.min(least, replicas)
    if (at > now - downSeconds * 1000) most = Math.max(most, replicas)
  }
  recommendations.push({ at: now, replicas: recommended })
  for (const list of [recommendations, changes]) while (list[0] && list[0].at <= now - maxSeconds * 1000) list.shift()
  return Math.min(Math.max(current, least), most)
}

/** The replica count to which the policies allow scaling up (1) or down (-1); `unlimited` without policies. */
function rateLimit(
  direction: 1 | -1,
  current: number,
  rules: ScalingRules | undefined,
  unlimited: number,
  history: ScalingHistory,
  now: number,
): number {
  if (rules?.selectPolicy === 'Disabled') return current
  if (!rules?.policies?.length) return unlimited
  const limits = rules.policies.map(({ type, value = 0, periodSeconds = 0 }) => {
    const before = current - changeWithin(history, periodSeconds, now)
    if (type === 'Pods') return before + direction * value
    const share = before * (1 + (direction * value) / 100)
    return direction > 0 ? Math.ceil(share) : Math.trunc(share)
  })
  // The policy with the largest change is used, unless selectPolicy is Min.
  const isHighest = direction > 0 === (rules.selectPolicy !== 'Min')
  return limits.reduce((one, other) => (isHighest ? Math.max(one, other) : Math.min(one, other)))
}

/** The change of the replica count within a period. */
const changeWithin = ({ changes }: ScalingHistory, seconds: number, now: number): number =>
  changes.reduce((sum, { at, by }) => (at > now - seconds * 1000 ? sum + by : sum), 0)
