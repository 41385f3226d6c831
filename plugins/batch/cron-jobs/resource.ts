import {
  ageColumn,
  ageOf,
  type Column,
  defineResource,
  type IsGateEnabled,
  nameColumn,
  type ServedLevel,
  strategyForSpec,
  strategyForStatus,
  type Vendor,
} from 'orch/sdk'
import { preparePodTemplate, templateWarnings } from 'orch/sdk/core'
import { zonesInSchedulesAreWarnedAbout } from '../differences.js'
import { fillJobSpec } from '../jobs/defaults.js'
import { isSameSpec, nameWarnings, sizeWarnings } from '../jobs/warnings.js'
import { podColumns, textColumn } from '../template-columns.js'
import { CronJob } from './schema.js'
import { CronJob as CronJobV1beta1 } from './schema-v1beta1.js'
import { validateCronJob, validateNewCronJob } from './validation.js'

const templateOf = ({ spec }: CronJob) => spec?.jobTemplate?.spec?.template

/** The time zone belongs into its own field. */
function zoneWarnings({ spec }: CronJob, isUpdate: boolean, { level }: Vendor): string[] {
  if (!spec?.schedule?.includes('TZ')) return []
  if (level.has(zonesInSchedulesAreWarnedAbout))
    return ['CRON_TZ or TZ used in spec.spec.schedule is not officially supported']
  return isUpdate ? ['cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead'] : []
}

export const mainStrategy = strategyForSpec<CronJob>({
  newStatus: () => ({}),
  prepareForCreate(draft, { vendor }) {
    preparePodTemplate(templateOf(draft), undefined, vendor)
  },
  prepareForUpdate(draft, stored, { vendor }) {
    preparePodTemplate(templateOf(draft), templateOf(stored), vendor)
  },
  validate: (cronJob, { vendor }) => validateNewCronJob(cronJob, vendor),
  // The name is only validated on create.
  validateUpdate: (cronJob, stored, { vendor }) => validateCronJob(cronJob, vendor, stored),
  warnings: (cronJob, stored, { vendor }) => [
    ...(stored ? [] : nameWarnings(cronJob.metadata?.name, vendor)),
    ...zoneWarnings(cronJob, stored !== undefined, vendor),
    ...(isSameSpec(cronJob.metadata, stored)
      ? []
      : sizeWarnings(cronJob.spec?.jobTemplate?.spec, 'spec.jobTemplate.spec', vendor)),
    ...templateWarnings(templateOf(cronJob), 'spec.jobTemplate.spec.template', {
      sent: cronJob.metadata,
      stored: stored?.metadata,
      vendor,
    }),
  ],
  metadataChecks: { change: 1, object: 0 },
})

const statusStrategy = strategyForStatus<CronJob>({ metadataChecks: { change: 0, object: 0 } })

const suspended = ({ spec }: CronJob) => (spec?.suspend === undefined ? '<unset>' : spec.suspend ? 'True' : 'False')

const columns = [
  nameColumn,
  textColumn('Schedule', 'When jobs start.', ({ spec }: CronJob) => spec?.schedule ?? ''),
  {
    ...textColumn('Timezone', 'Time zone of the schedule.', ({ spec }: CronJob) => spec?.timeZone ?? '<none>'),
    since: '1.30',
  },
  { ...textColumn('Suspend', 'Whether no jobs are started.', suspended), type: 'boolean' },
  {
    ...textColumn('Active', 'Number of active jobs.', () => ''),
    type: 'integer',
    cell: ({ status }: CronJob) => status?.active?.length ?? 0,
  },
  textColumn('Last Schedule', 'How long ago the last job was scheduled.', ({ status }: CronJob, now) =>
    status?.lastScheduleTime ? ageOf(status.lastScheduleTime, now) : '<none>',
  ),
  ageColumn,
  ...podColumns(({ spec }: CronJob) => spec?.jobTemplate?.spec),
] as readonly Column<never>[]

const defaults = ({ spec }: CronJob, level: ServedLevel, isEnabled?: IsGateEnabled) =>
  fillJobSpec(spec?.jobTemplate?.spec, level, isEnabled)

export const cronJobs = defineResource({
  group: 'batch',
  kind: 'CronJob',
  resource: 'cronjobs',
  shortNames: ['cj'],
  categories: ['all'],
  namespaced: true,
  versions: [
    { name: 'v1', schema: CronJob, defaults, storage: true },
    {
      name: 'v1beta1',
      until: '1.24',
      schema: CronJobV1beta1,
      defaults,
      // Clients of this version expect the jobs to be kept.
      defaultPropagation: 'Orphan',
      deprecated: {
        since: '1.21',
        removedRelease: '1.25',
        replacement: 'batch/v1',
      },
      // A field of jobs, which this version accepts for cron jobs as well. They have none.
      selectableFields: { 'status.successful': () => '' },
    },
  ],
  strategy: mainStrategy,
  subresources: { status: { kind: 'update', strategy: statusStrategy } },
  columns,
})
