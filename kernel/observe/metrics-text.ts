import type { Registry } from 'prom-client'

/**
 * The query parameter by which a reader names the metrics it wants, as in other exporters of this format. Most of a page are
 * buckets of histograms, which somebody who looks at a few gauges every other second need not be sent.
 */
export const metricsParameter = 'name[]'

/** The metrics of this process: all of them, or those that are named. Unknown names have nothing to show. */
export async function metricsText(registry: Registry, names: readonly string[]): Promise<string> {
  if (names.length === 0) return registry.metrics()
  const wanted = new Set(names)
  const known = registry
    .getMetricsAsArray()
    .map(({ name }) => name)
    .filter(name => wanted.has(name))
  const texts = await Promise.all(known.map(name => registry.getSingleMetricAsString(name)))
  return texts.map(text => `${text}\n`).join('\n')
}

/** The same of a page that is there already. A metric begins with the line of its help. */
export function metricsNamed(page: string, names: readonly string[]): string {
  if (names.length === 0) return page
  const wanted = new Set(names)
  return page
    .split(/^(?=# HELP )/m)
    .filter(metric => wanted.has(metric.split(' ', 3)[2] ?? ''))
    .join('')
}
