import {
  ageColumn,
  type Column,
  defineResource,
  humanDuration,
  nameColumn,
  strategyForSpec,
  strategyForStatus,
} from 'orch/sdk'
import { checkTemplateLimits, preparePodTemplate, templateWarnings } from 'orch/sdk/core'
import { failingIndexes } from '../differences.js'
import type { BatchNames } from '../names.js'
import { podColumns, textColumn } from '../template-columns.js'
import { fillJob } from './defaults.js'
import { Job } from './schema.js'
import { generateSelector } from './selector.js'
import { checkMark, markNew, markUpdated } from './tracking.js'
import { validateJob, validateJobStatus, validateJobUpdate } from './validation.js'
import { isSameSpec, nameWarnings, sizeWarnings } from './warnings.js'

const states = ['Complete', 'Failed', 'Suspended', 'FailureTarget', 'SuccessCriteriaMet']
/** The first of these conditions that is true; a job that is being deleted is Terminating unless it has finished. */
function jobState({ metadata, status }: Job): string {
  const known = new Set(
    (status?.conditions ?? []).filter(({ status: value }) => value === 'True').map(({ type }) => type),
  )
  const [state] = states.filter(type => known.has(type))
  if (metadata?.deletionTimestamp !== undefined && state !== 'Complete' && state !== 'Failed') return 'Terminating'
  return state ?? 'Running'
}

/** `2/5`; without completions `1/1 of 3`, where 3 is the parallelism. */
function completions({ spec, status }: Job): string {
  const succeeded = status?.succeeded ?? 0
  if (spec?.completions !== undefined) return `${succeeded}/${spec.completions}`
  const parallelism = spec?.parallelism ?? 0
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`
}

function duration({ status }: Job, now: number): string {
  if (!status?.startTime) return ''
  const end = status.completionTime ? Date.parse(status.completionTime) : now
  return humanDuration(end - Date.parse(status.startTime))
}

const columns = [
  nameColumn,
  { ...textColumn('Status', 'State of the job.', jobState), since: '1.30' },
  textColumn('Completions', 'How many of the required Pods have succeeded.', completions),
  textColumn('Duration', 'How long it took, or has taken so far.', duration),
  ageColumn,
  ...podColumns(({ spec }: Job) => spec),
] as readonly Column<never>[]

/** `tracks`: new jobs are counted with a finalizer on their Pods. `limitsIndexes`: they may limit the failures of each index. */
export const mainStrategy = (names: BatchNames, tracks: boolean, limitsIndexes = true) =>
  strategyForSpec<Job>({
    newStatus: () => ({}),
    prepareForCreate(draft, { vendor }) {
      markNew(draft, names, tracks)
      if (!limitsIndexes && vendor.level.has(failingIndexes)) dropRulesForIndexes(draft)
      preparePodTemplate(draft.spec?.template, undefined, vendor)
    },
    finishCreate: (draft, { vendor }) => generateSelector(draft, vendor),
    prepareForUpdate(draft, stored, { vendor }) {
      markUpdated(draft, stored, names, tracks)
      preparePodTemplate(draft.spec?.template, stored.spec?.template, vendor)
    },
    validate: (job, { vendor }) => validateJob(job, vendor),
    validateUpdate: (sent, stored, { vendor }) => [
      ...validateJobUpdate(sent, stored, vendor),
      ...checkMark(sent, stored, names),
    ],
    validateLimits: checkTemplateLimits((_, stored) => (stored ? 2 : 1)),
    warnings: ({ metadata, spec }, stored, { vendor }) => [
      ...(stored ? [] : nameWarnings(metadata?.name, vendor)),
      ...(isSameSpec(metadata, stored) ? [] : sizeWarnings(spec, 'spec', vendor)),
      ...templateWarnings(spec?.template, 'spec.template', { sent: metadata, stored: stored?.metadata, vendor }),
    ],
  })

export const statusStrategy = strategyForStatus<Job>({
  validateUpdate: (sent, stored, { vendor }) => validateJobStatus(sent, stored, vendor),
})

/** Without limits for each index, no index can fail on its own. Stored rules are immutable, so they stay. */
function dropRulesForIndexes({ spec }: Job): void {
  const policy = spec?.podFailurePolicy
  if (policy?.rules) policy.rules = policy.rules.filter(({ action }) => action !== 'FailIndex')
}

export const jobs = (names: BatchNames, tracks: boolean, limitsIndexes: boolean) =>
  defineResource({
    group: 'batch',
    kind: 'Job',
    resource: 'jobs',
    categories: ['all'],
    namespaced: true,
    versions: [{ name: 'v1', schema: Job, defaults: fillJob }],
    strategy: mainStrategy(names, tracks, limitsIndexes),
    // Clients expect the Pods and their logs to be kept.
    deletion: {
      defaultPropagation: 'Orphan',
      propagationWarning:
        'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
    },
    subresources: { status: { kind: 'update', strategy: statusStrategy } },
    selectableFields: { 'status.successful': ({ status }: Job) => String(status?.succeeded ?? 0) },
    columns,
  })
