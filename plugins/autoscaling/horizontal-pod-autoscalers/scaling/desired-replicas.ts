import type { Behavior, ScalingRules } from '../metric-structs.js'

/** What an autoscaler remembers of the last minutes. */
export interface ScalingHistory {
  /** What its metrics asked for, before any limit. */
  readonly recommendations: { readonly at: number; readonly replicas: number }[]
  /** By how many replicas it changed its target. */
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
  /** What limits them; undefined when nothing does. */
  readonly limit?: Reasoned
  /** Why it is not yet what the metrics ask for. */
  readonly stabilized?: Reasoned
}

const defaultDownWindowSeconds = 300
/** The longest window and the longest period that are allowed. */
const longestSeconds = 3600

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

/** The replica count after all limits: of the stabilization windows, of the policies and of the spec. Notes what is wanted. */
export function limited(
  wanted: number,
  current: number,
  bounds: ScalingBounds,
  history: ScalingHistory,
  now: number,
): LimitedReplicas {
  const steady = stabilize(wanted, current, bounds, history, now)
  const stabilized = steady === wanted ? {} : { stabilized: wanted >= current ? stabilizedUp : stabilizedDown }
  if (steady > current) {
    // Without policies it doubles at most, or grows to 4.
    const rules = bounds.behavior?.scaleUp
    const rate = Math.max(current, rateLimit(1, current, rules, Math.max(current * 2, 4), history, now))
    const most = Math.min(bounds.max, rate)
    if (steady > most) return { replicas: most, limit: bounds.max > rate ? tooFastUp : tooMany, ...stabilized }
  } else if (steady < current) {
    const rate = Math.min(current, rateLimit(-1, current, bounds.behavior?.scaleDown, 0, history, now))
    const least = Math.max(bounds.min, rate)
    if (steady < least) return { replicas: least, limit: bounds.min < rate ? tooFastDown : tooFew, ...stabilized }
  }
  return { replicas: steady, ...stabilized }
}

/** Grows to what was asked for throughout the window, and shrinks to no less than was asked for within it. */
function stabilize(
  wanted: number,
  current: number,
  { behavior }: ScalingBounds,
  { recommendations, changes }: ScalingHistory,
  now: number,
): number {
  const upSeconds = behavior?.scaleUp?.stabilizationWindowSeconds ?? 0
  const downSeconds = behavior?.scaleDown?.stabilizationWindowSeconds ?? defaultDownWindowSeconds
  let [least, most] = [wanted, wanted]
  for (const { at, replicas } of recommendations) {
    if (at > now - upSeconds * 1000) least = Math.min(least, replicas)
    if (at > now - downSeconds * 1000) most = Math.max(most, replicas)
  }
  recommendations.push({ at: now, replicas: wanted })
  for (const list of [recommendations, changes])
    while (list[0] && list[0].at <= now - longestSeconds * 1000) list.shift()
  return Math.min(Math.max(current, least), most)
}

/** So many replicas the policies let it grow (1) or shrink (-1) to; `without` where there are none. */
function rateLimit(
  direction: 1 | -1,
  current: number,
  rules: ScalingRules | undefined,
  without: number,
  history: ScalingHistory,
  now: number,
): number {
  if (rules?.selectPolicy === 'Disabled') return current
  if (!rules?.policies?.length) return without
  const limits = rules.policies.map(({ type, value = 0, periodSeconds = 0 }) => {
    const before = current - changeWithin(history, periodSeconds, now)
    if (type === 'Pods') return before + direction * value
    const share = before * (1 + (direction * value) / 100)
    return direction > 0 ? Math.ceil(share) : Math.trunc(share)
  })
  // The largest change counts, unless the policy says the smallest.
  const isHighest = direction > 0 === (rules.selectPolicy !== 'Min')
  return limits.reduce((one, other) => (isHighest ? Math.max(one, other) : Math.min(one, other)))
}

/** By how much the target has grown, or shrunk, within a period. */
const changeWithin = ({ changes }: ScalingHistory, seconds: number, now: number): number =>
  changes.reduce((sum, { at, by }) => (at > now - seconds * 1000 ? sum + by : sum), 0)
