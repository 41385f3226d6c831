import type { PodSpec } from 'orch/sdk'

/** Names of the main containers, for a column. */
export const containerNames = (spec: PodSpec | undefined): string =>
  (spec?.containers ?? []).map(({ name }) => name).join(',')
/** Images of the main containers, for a column. */
export const imageNames = (spec: PodSpec | undefined): string =>
  (spec?.containers ?? []).map(({ image = '' }) => image).join(',')
/** Labels or a selector as `a=b,c=d`, for a column. */
export function labelsText(labels: Readonly<Record<string, string>> | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`)
  return pairs.length === 0 ? '<none>' : pairs.sort().join(',')
}
