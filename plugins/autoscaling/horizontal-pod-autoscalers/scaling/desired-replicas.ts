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
