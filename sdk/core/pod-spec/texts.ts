import type { LabelSelector } from '../../resource/meta.js'
import type { PodSpec } from '../pod-spec.js'

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
/** A label selector as text, such as `a=b,c in (d,e),!f`: sorted by label, and empty if it has no requirements. */
export function selectorText(selector: LabelSelector | null | undefined): string {
  const conditions = Object.entries(selector?.matchLabels ?? {}).map(([key, value]) => ({
    key,
    text: `${key}=${value}`,
  }))
  for (const { key, operator, values = [] } of selector?.matchExpressions ?? []) {
    const list = `(${[...values].sort().join(',')})`
    const text =
      operator === 'Exists' ? key : operator === 'DoesNotExist' ? `!${key}` : `${key} ${operator.toLowerCase()} ${list}`
    conditions.push({ key, text })
  }
  return conditions
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ text }) => text)
    .join(',')
}
