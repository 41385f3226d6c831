import type { Registry } from 'prom-client'

/**
 * The query parameter that selects metrics by name, as in other exporters of this format. Most of a page are buckets of
 * histograms, which a client that polls a few gauges does not need.
 */
export const metricsParameter = 'name[]'

/** The metrics of this process: all of them, or those that are named. Unknown names are ignored. */
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

/** The named metrics of an existing page. A metric starts with its help line. */
export function metricsNamed(page: string, names: readonly string[]): string {
  if (names.length === 0) return page
  const wanted = new Set(names)
  return page
    .split(/^(?=# HELP )/m)
    .filter(metric => wanted.has(metric.split(' ', 3)[2] ?? ''))
    .join('')
}
