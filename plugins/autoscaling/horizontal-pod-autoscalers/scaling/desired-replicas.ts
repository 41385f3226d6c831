import type { MetricSpec, MetricStatus } from '../metric-structs.js'

/** The tolerance: a smaller relative difference does not trigger scaling. */
const tolerance = 0.1

/** What Pods use and ask for of one resource, in thousandths; only of Pods that were measured. */
export interface Usage {
  readonly used: readonly number[]
  readonly requested: readonly number[]
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
/** Thousandths as a quantity. */
const quantityOf = (thousandths: number): string =>
  Number.isInteger(thousandths / 1000) ? String(thousandths / 1000) : `${Math.round(thousandths)}m`

/** How many Pods a resource asks for, and what was measured. Throws what keeps it from being known. */
export function replicasFor(
  { resource }: MetricSpec,
  usage: Usage,
  current: number,
  milliOf: (quantity: string) => number,
): { replicas: number; status: MetricStatus } {
  const { name = '', target } = resource ?? { name: '', target: { type: '' } }
  if (usage.used.length === 0) throw new Error(`no metrics returned for resource ${name}`)
  const average = sum(usage.used) / usage.used.length
  const isShare = target.averageUtilization !== undefined
  const requested = sum(usage.requested)
  if (isShare && requested === 0) throw new Error(`missing request for ${name}`)
  const averageUtilization = isShare ? Math.floor((sum(usage.used) * 100) / requested) : undefined
  const ratio =
    averageUtilization === undefined
      ? average / milliOf(target.averageValue ?? '0')
      : averageUtilization / (target.averageUtilization ?? 1)
  const replicas = Math.abs(1 - ratio) <= tolerance ? current : Math.ceil(ratio * usage.used.length)
  const value = {
    averageValue: quantityOf(average),
    ...(averageUtilization === undefined ? {} : { averageUtilization }),
  }
  return { replicas, status: { type: 'Resource', resource: { name, current: value } } }
}

/** Earlier recommendations of one autoscaler, for the stabilization windows. */
export type Recommendations = { readonly at: number; readonly replicas: number }[]

const defaultDownWindowSeconds = 300

/** The replica count after all limits: of the spec, of the scaling policies and of the stabilization window. */
export function limited(
  wanted: number,
  current: number,
  bounds: { min: number; max: number; downWindowSeconds?: number },
  history: Recommendations,
  now: number,
): { replicas: number; reason?: 'TooManyReplicas' | 'TooFewReplicas' | 'ScaleUpLimit' } {
  const windowMs = (bounds.downWindowSeconds ?? defaultDownWindowSeconds) * 1000
  const recent = history.filter(({ at }) => now - at <= windowMs)
  history.splice(0, history.length)
  for (const one of recent) history.push(one)
  history.push({ at: now, replicas: wanted })
  // Scaling down stops at the highest recommendation within the window.
  const most = recent.reduce((highest, { replicas }) => Math.max(highest, replicas), wanted)
  const steady = wanted < current ? Math.min(current, most) : wanted
  const upLimit = Math.max(current * 2, 4)
  if (steady > bounds.max && bounds.max <= upLimit) return { replicas: bounds.max, reason: 'TooManyReplicas' }
  if (steady > upLimit) return { replicas: upLimit, reason: 'ScaleUpLimit' }
  if (steady < bounds.min) return { replicas: bounds.min, reason: 'TooFewReplicas' }
  return { replicas: steady }
}
