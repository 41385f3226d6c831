import { type FieldError, invalidValue, requiredValue, type Vendor } from 'orch/sdk'
import { labelSelectorMatcher } from 'orch/sdk/validation'
import { prefixedLabels } from '../differences.js'
import { batchNames } from '../names.js'
import { type Job, podLabels } from './schema.js'

/** The labels of the Pods of a job, and the one of them that its selector uses. */
function labelsOf({ metadata = {} }: Job, vendor: Vendor): { labels: Record<string, string>; selected: string } {
  const { name = '', uid = '' } = metadata
  const former = { [podLabels.uid]: uid, [podLabels.job]: name }
  if (!vendor.level.has(prefixedLabels)) return { labels: former, selected: podLabels.uid }
  const { controllerUid, jobName } = batchNames(vendor)
  return { labels: { ...former, [controllerUid]: uid, [jobName]: name }, selected: controllerUid }
}

/** A job selects its Pods by its own unique UID, in labels and selector, unless its creator chose others. */
export function generateSelector(job: Job, vendor: Vendor): void {
  const { metadata = {}, spec } = job
  if (!spec || spec.manualSelector) return
  const { template = {} } = spec
  const { labels: own, selected } = labelsOf(job, vendor)
  const before = template.metadata?.labels
  const labels = { ...own, ...before }
  // A job without labels of its own shares those of its template.
  if (before && metadata.labels === before) job.metadata = { ...metadata, labels }
  spec.template = { ...template, metadata: { ...template.metadata, labels } }
  const matchLabels = { [selected]: metadata.uid ?? '', ...spec.selector?.matchLabels }
  spec.selector = { ...spec.selector, matchLabels }
}

/**
 * Labels and selector that a client sent instead of those that the server sets. A job of an earlier version keeps its
 * labels.
 */
export function validateGeneratedSelector(job: Job, stored: Job | undefined, vendor: Vendor): FieldError[] {
  const { spec } = job
  if (!spec?.selector || spec.manualSelector) return []
  const { controllerUid, jobName } = batchNames(vendor)
  const { labels: all } = labelsOf(job, vendor)
  const storedLabels = stored && (stored.spec?.template?.metadata?.labels ?? {})
  const isOfEarlierVersion =
    storedLabels !== undefined && (storedLabels[controllerUid] === undefined || storedLabels[jobName] === undefined)
  const expected = isOfEarlierVersion
    ? Object.fromEntries(Object.entries(all).filter(([key]) => key !== controllerUid && key !== jobName))
    : all
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

/** An invalid selector is reported elsewhere. */
function isSelected(selector: Parameters<typeof labelSelectorMatcher>[0], labels: Record<string, string>): boolean {
  try {
    return labelSelectorMatcher(selector)(labels)
  } catch {
    return true
  }
}
