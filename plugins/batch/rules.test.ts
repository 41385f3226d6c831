import { type FieldError, orchProfile, type StrategyContext, Vendor } from 'orch/sdk'
import { stepsOf } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { mainStrategy as cronJobs } from './cron-jobs/resource.js'
import type { CronJob } from './cron-jobs/schema.js'
import { fillJob } from './jobs/defaults.js'
import { mainStrategy, statusStrategy } from './jobs/resource.js'
import type { Job, JobSpec } from './jobs/schema.js'
import { batchNames } from './names.js'

const vendor = new Vendor({ ...orchProfile, domain: 'acme.test', groupDomain: 'acme.test' })
const names = batchNames(vendor)
const jobs = mainStrategy(names, false)
const context = { vendor } as StrategyContext
const container = { name: 'c', image: 'i', terminationMessagePolicy: 'File', imagePullPolicy: 'Always' }
const template = { spec: { containers: [container], restartPolicy: 'Never', dnsPolicy: 'ClusterFirst' } }
const told = (errors: FieldError[]) => errors.map(({ field, type }) => `${field} ${type.slice(10)}`)
const aJob = (spec: Partial<JobSpec> = {}): Job => {
  const job: Job = { metadata: { name: 'j', uid: 'u' }, spec: { template: structuredClone(template), ...spec } }
  fillJob(job, vendor.level)
  stepsOf(jobs).finishCreate(job, context)
  return job
}

const rules = suite('rules of batch')

rules('a job selects its Pods by its UID', () => {
  const { spec } = aJob()
  assert.equal(spec?.selector, { matchLabels: { 'controller-uid': 'u' } })
  assert.equal(spec?.template.metadata?.labels, { 'controller-uid': 'u', 'job-name': 'j' })
  assert.equal([spec?.parallelism, spec?.completions, spec?.backoffLimit], [1, 1, 6])
  assert.is(aJob({ parallelism: 2 }).spec?.completions, undefined)
})

rules(
  'a job without labels shares those of its template, also the generated ones; one with equal labels keeps them',
  () => {
    const made = (labels?: Record<string, string>) => {
      const job: Job = {
        metadata: { name: 'j', uid: 'u', ...(labels ? { labels } : {}) },
        spec: { template: { ...structuredClone(template), metadata: { labels: { app: 'x' } } } },
      }
      fillJob(job, vendor.level)
      stepsOf(jobs).finishCreate(job, context)
      return job.metadata?.labels
    }
    assert.equal(made(), { app: 'x', 'controller-uid': 'u', 'job-name': 'j' })
    assert.equal(made({ app: 'x' }), { app: 'x' })
  },
)

const cases: Record<string, { change: Partial<JobSpec>; wrong: string[] }> = {
  'may be valid': { change: { parallelism: 2, completions: 4, completionMode: 'Indexed' }, wrong: [] },
  'has a selector of its own': {
    change: { selector: { matchLabels: { app: 'a' } }, template: { metadata: { labels: { app: 'a' } }, ...template } },
    wrong: ['spec.selector Invalid'],
  },
  'has Pods that terminate': {
    change: { template: { spec: { ...template.spec, restartPolicy: 'Always' } } },
    wrong: ['spec.template.spec.restartPolicy Required'],
  },
  'has completions if it is indexed': {
    change: { completionMode: 'Indexed', parallelism: 100_001 },
    wrong: ['spec.completions Required', 'spec.parallelism Invalid'],
  },
}
rules('the name of an indexed job leaves room for the indexes of its Pods', () => {
  const errors = (length: number, completions: number, completionMode = 'Indexed') => {
    const job = aJob({ completions, completionMode })
    job.metadata!.name = 'a'.repeat(length)
    stepsOf(jobs).finishCreate(job, context)
    return told(stepsOf(jobs).validate(job, context)).filter(error => error.startsWith('metadata.name'))
  }
  assert.equal(errors(61, 10), [])
  assert.equal(errors(61, 11), ['metadata.name Invalid'])
  assert.equal(errors(62, 1), ['metadata.name Invalid'])
  assert.equal([errors(62, 0), errors(63, 11, 'NonIndexed')], [[], []])
})

for (const [title, { change, wrong }] of Object.entries(cases))
  rules(`a job ${title}`, () => assert.equal(told(stepsOf(jobs).validate(aJob(change), context)), wrong))

rules('the template of a job is immutable, except for scheduling fields while it has no Pods', () => {
  const moved = (job: Job) => {
    const sent = structuredClone(job)
    sent.spec!.template.spec!.nodeSelector = { disk: 'ssd' }
    return told(stepsOf(jobs).validateUpdate(sent, job, context))
  }
  assert.equal(moved(aJob()), ['spec.template Invalid'])
  assert.equal(moved(aJob({ suspend: true })), [])
  assert.equal(moved({ ...aJob({ suspend: true }), status: { startTime: '2020-01-01T00:00:00Z' } }), [
    'spec.template Invalid',
  ])
})

rules('whether a job is tracked is decided when it is created', () => {
  const key = names.tracking
  const made = (tracks: boolean, annotations: Record<string, string>): Job => {
    const job = { ...aJob(), metadata: { name: 'j', uid: 'u', annotations } }
    stepsOf(mainStrategy(names, tracks)).prepareForCreate(job, context)
    return job
  }
  assert.is(key, 'batch.acme.test/job-tracking')
  assert.equal(made(true, { a: 'b' }).metadata?.annotations, { a: 'b', [key]: '' })
  assert.equal(made(false, { a: 'b', [key]: '' }).metadata?.annotations, { a: 'b' })
  assert.is(made(false, { [key]: '' }).metadata?.annotations, undefined)
  const untracked = made(false, {})
  const asks = () => made(true, {})
  assert.equal(told(stepsOf(mainStrategy(names, true)).validateUpdate(asks(), untracked, context)), [
    `metadata.annotations[${key}] Forbidden`,
  ])
  const sent = asks()
  stepsOf(jobs).prepareForUpdate(sent, untracked, context)
  assert.is(sent.metadata?.annotations, undefined)
  const kept = asks()
  stepsOf(jobs).prepareForUpdate(kept, asks(), context)
  assert.equal(kept.metadata?.annotations, { [key]: '' })
})

rules('no Pod is counted twice', () => {
  const uncountedTerminatedPods = { succeeded: ['a', ''], failed: ['a'] }
  assert.equal(
    told(stepsOf(statusStrategy).validateUpdate({ status: { active: -1, uncountedTerminatedPods } }, {}, context)),
    [
      'status.active Invalid',
      'status.uncountedTerminatedPods.succeeded[1] Invalid',
      'status.uncountedTerminatedPods.failed[0] Duplicate',
    ],
  )
})

rules('the name of a cron job leaves room for the time, and its template has no selector', () => {
  const spec = { schedule: '* * * * *', concurrencyPolicy: 'Allow', jobTemplate: { spec: { template } } }
  const named = (name: string): CronJob => ({ metadata: { name }, spec: structuredClone(spec) })
  assert.equal(told(stepsOf(cronJobs).validate(named('a'.repeat(52)), context)), [])
  assert.equal(told(stepsOf(cronJobs).validate(named('a'.repeat(53)), context)), ['metadata.name Invalid'])
  assert.equal(told(stepsOf(cronJobs).validateUpdate(named('a'.repeat(53)), named(''), context)), [])
  const selecting = named('c')
  Object.assign(selecting.spec!.jobTemplate.spec!, { selector: {}, manualSelector: true })
  assert.equal(told(stepsOf(cronJobs).validate(selecting, context)), [
    'spec.jobTemplate.spec.selector Invalid',
    'spec.jobTemplate.spec.manualSelector NotSupported',
  ])
})

rules.run()
