/** Parses and evaluates metrics in the Prometheus text format. */

export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const line = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)/
const label = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g

export function parseMetrics(text: string): Sample[] {
  return text.split('\n').flatMap(each => {
    const found = each.startsWith('#') ? null : line.exec(each)
    if (!found) return []
    const [, name = '', labels = '', value = ''] = found
    return [
      {
        name,
        labels: Object.fromEntries([...labels.matchAll(label)].map(([, key, text]) => [key, text])),
        value: Number(value),
      },
    ]
  })
}

export const sumOf = (
  samples: readonly Sample[],
  name: string,
  where: (labels: Sample['labels']) => boolean = () => true,
) => samples.reduce((sum, sample) => (sample.name === name && where(sample.labels) ? sum + sample.value : sum), 0)

/** The increase between two samples, by the value of a label. */
export function growthBy(
  before: readonly Sample[],
  after: readonly Sample[],
  name: string,
  by: string,
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  const add = (samples: readonly Sample[], sign: number) => {
    for (const sample of samples) {
      if (sample.name !== name) continue
      const key = sample.labels[by] ?? ''
      sums.set(key, (sums.get(key) ?? 0) + sign * sample.value)
    }
  }
  add(after, 1)
  add(before, -1)
  return sums
}

/** A percentile of what was observed between two samples, interpolated from the buckets of a histogram. */
export function percentile(
  before: readonly Sample[],
  after: readonly Sample[],
  name: string,
  part: number,
  where: (labels: Sample['labels']) => boolean = () => true,
): number | undefined {
  const chosen = (samples: readonly Sample[]) => samples.filter(sample => where(sample.labels))
  const growth = [...growthBy(chosen(before), chosen(after), `${name}_bucket`, 'le')]
    .map(([end, count]) => [end === '+Inf' ? Number.POSITIVE_INFINITY : Number(end), count] as const)
    .sort(([left], [right]) => left - right)
  const all = growth.at(-1)?.[1] ?? 0
  if (all <= 0) return undefined
  let lower = 0
  let below = 0
  for (const [end, count] of growth) {
    if (count >= all * part) {
      if (end === Number.POSITIVE_INFINITY) return lower
      return lower + (end - lower) * ((all * part - below) / Math.max(count - below, 1))
    }
    lower = end
    below = count
  }
  return lower
}
