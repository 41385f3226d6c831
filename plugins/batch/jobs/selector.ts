import { isDeepStrictEqual } from 'node:util'
import { type FieldError, invalidValue, labelSelectorMatcher, requiredValue } from 'orch/sdk'
import { type Job, podLabels } from './schema.js'

/**
 * A job knows its Pods by its own UID, which nobody else has. Labels and selector say so, unless whoever made the job
 * chose others.
 */
export function generateSelector(job: Job): void {
  const { metadata = {}, spec } = job
  if (!spec || spec.manualSelector) return
  const { name = '', uid = '' } = metadata
  const { template = {} } = spec
  const before = template.metadata?.labels
  const labels = { [podLabels.uid]: uid, [podLabels.job]: name, ...before }
  // A job whose labels equal those of its template keeps them equal.
  if (before && isDeepStrictEqual(metadata.labels, before)) job.metadata = { ...metadata, labels }
  spec.template = { ...template, metadata: { ...template.metadata, labels } }
  spec.selector = { ...spec.selector, matchLabels: { [podLabels.uid]: uid, ...spec.selector?.matchLabels } }
}

/** What somebody sent instead of the labels and the selector that the server gives. */
export function validateGeneratedSelector({ metadata = {}, spec }: Job): FieldError[] {
  if (!spec?.selector || spec.manualSelector) return []
  const expected = { [podLabels.uid]: metadata.uid ?? '', [podLabels.job]: metadata.name ?? '' }
  const labels = spec.template?.metadata?.labels ?? {}
  const errors = Object.entries(expected).flatMap(([key, value]) => {
    const field = `spec.template.metadata.labels[${key}]`
    if (labels[key] === undefined) return [requiredValue(field, `must be '${value}'`)]
    return labels[key] === value ? [] : [invalidValue(field, labels, `must be '${value}'`)]
  })
  if (!isSelected(spec.selector, expected))
    errors.push(invalidValue('spec.selector', spec.selector, '`selector` not auto-generated'))
  return errors
}

/** A selector that cannot be understood is reported elsewhere. */
function isSelected(selector: Parameters<typeof labelSelectorMatcher>[0], labels: Record<string, string>): boolean {
  try {
    return labelSelectorMatcher(selector)(labels)
  } catch {
    return true
  }
}
