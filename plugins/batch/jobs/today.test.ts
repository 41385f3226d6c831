import {
  type FieldError,
  kubernetesProfile,
  profileAtVersion,
  type StrategyContext,
  Vendor,
  type VendorProfile,
} from 'orch/sdk'
import { stepsOf } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { batchNames } from '../names.js'
import { fillJob } from './defaults.js'
import { parseIndexes } from './indexes.js'
import { mainStrategy, statusStrategy } from './resource.js'
import type { Job, JobSpec, JobStatus } from './schema.js'

const at = (version: string): StrategyContext =>
  ({ vendor: new Vendor(profileAtVersion(kubernetesProfile, version) as VendorProfile) }) as StrategyContext
const told = (errors: FieldError[]) => errors.map(({ field, type }) => `${field} ${type.slice(10)}`)
const container = { name: 'c', image: 'i', terminationMessagePolicy: 'File', imagePullPolicy: 'Always' }
const template = { spec: { containers: [container], restartPolicy: 'Never', terminationGracePeriodSeconds: 30 } }

function jobAt(version: string, spec: Partial<JobSpec> = {}): Job {
  const context = at(version)
  const job = { metadata: { name: 'j', uid: 'u' }, spec: { template: structuredClone(template), ...spec } } as Job
  fillJob(job, context.vendor.level)
  stepsOf(mainStrategy(batchNames(context.vendor), false)).finishCreate(job, context)
  return job
}
const wrongAt = (version: string, spec: Partial<JobSpec>) => {
  const context = at(version)
  return told(stepsOf(mainStrategy(batchNames(context.vendor), false)).validate(jobAt(version, spec), context))
}

const today = suite('jobs from version to version')

today('labels and selector have the domain of the group since 1.27, and the old labels stay', () => {
  assert.equal(jobAt('1.26').spec?.selector, { matchLabels: { 'controller-uid': 'u' } })
  const { spec } = jobAt('1.27')
  assert.equal(spec?.selector, { matchLabels: { 'batch.kubernetes.io/controller-uid': 'u' } })
  assert.equal(Object.keys(spec?.template.metadata?.labels ?? {}).length, 4)
})

today('a podFailurePolicy makes Failed the default replacement, and a limit per index lifts the other one', () => {
  const podFailurePolicy = { rules: [] }
  const policyAt = (version: string, spec: Partial<JobSpec>) => jobAt(version, spec).spec?.podReplacementPolicy
  assert.equal(
    [policyAt('1.28', {}), policyAt('1.29', {}), policyAt('1.29', { podFailurePolicy })],
    [undefined, 'TerminatingOrFailed', 'Failed'],
  )
  assert.is(jobAt('1.36', { completionMode: 'Indexed', backoffLimitPerIndex: 1 }).spec?.backoffLimit, 0x7fffffff)
})

today('a single index can fail permanently from 1.28 on', () => {
  const rules = [{ action: 'FailIndex', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }]
  const spec = { podFailurePolicy: { rules }, completionMode: 'Indexed', completions: 1, backoffLimitPerIndex: 1 }
  assert.equal(wrongAt('1.27', spec), ['spec.podFailurePolicy.rules[0].action NotSupported'])
  assert.equal(wrongAt('1.28', spec), [])
})

today('rules for failed Pods name containers of the Pod and codes in order', () => {
  const noValues = { operator: 'In', values: null } as never
  assert.equal(wrongAt('1.36', { podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes: noValues }] } }), [
    'spec.podFailurePolicy.rules[0].onExitCodes.values Invalid',
  ])
  const onExitCodes = { containerName: 'x', operator: 'In', values: [2, 0, 2] }
  assert.equal(wrongAt('1.36', { podFailurePolicy: { rules: [{ action: 'FailIndex', onExitCodes }] } }), [
    'spec.podFailurePolicy.rules[0].action Invalid',
    'spec.podFailurePolicy.rules[0].onExitCodes.containerName Invalid',
    'spec.podFailurePolicy.rules[0].onExitCodes.values[1] Invalid',
    'spec.podFailurePolicy.rules[0].onExitCodes.values[2] Duplicate',
    'spec.podFailurePolicy.rules[0].onExitCodes.values Invalid',
  ])
})

today('rules for failed Pods without exit codes are refused, also if a message has none at all', () => {
  const wrongWith = (values: never) =>
    wrongAt('1.36', { podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values } }] } })
  for (const values of [null, []])
    assert.equal(wrongWith(values as never), ['spec.podFailurePolicy.rules[0].onExitCodes.values Invalid'])
})

today('indexes are sorted and less than the number of completions', () => {
  assert.equal(parseIndexes('0,2-4', 5), [
    [0, 0],
    [2, 4],
  ])
  for (const text of ['5', '2,1', '3-3', 'a', '1-2-3', ',']) assert.type(parseIndexes(text, 5), 'string')
})

today('changes of a status must be consistent since 1.32', () => {
  const complete = { type: 'Complete', status: 'True' } as NonNullable<JobStatus['conditions']>[number]
  const status: JobStatus = { conditions: [complete], startTime: '2026-01-01T00:00:00Z' }
  const wrongAfter = (version: string, before: JobStatus) =>
    told(
      stepsOf(statusStrategy).validateUpdate(
        { ...jobAt(version), status },
        { ...jobAt(version), status: before },
        at(version),
      ),
    )
  assert.equal(wrongAfter('1.31', {}), [])
  assert.equal(wrongAfter('1.32', {}), ['status.completionTime Required', 'status.conditions Invalid'])
  assert.equal(wrongAfter('1.32', status), [])
  assert.equal(wrongAfter('1.32', { ...status, failed: 1 }), ['status.failed Invalid'])
})

today('completions of an indexed job change together with parallelism since 1.27', () => {
  const change = (version: string) => {
    const context = at(version)
    const stored = jobAt(version, { completionMode: 'Indexed', completions: 2, parallelism: 2 })
    const sent = structuredClone(stored)
    Object.assign(sent.spec ?? {}, { completions: 3, parallelism: 3 })
    return told(stepsOf(mainStrategy(batchNames(context.vendor), false)).validateUpdate(sent, stored, context))
  }
  assert.equal([change('1.26'), change('1.27')], [['spec.completions Invalid'], []])
})

today('an empty list of rules for failed Pods is none, so leaving it out changes nothing', () => {
  const context = at('1.36')
  const stored = jobAt('1.36', { podFailurePolicy: { rules: [] } })
  const change = (podFailurePolicy: JobSpec['podFailurePolicy']) =>
    told(
      stepsOf(mainStrategy(batchNames(context.vendor), false)).validateUpdate(
        { ...stored, spec: { ...stored.spec, podFailurePolicy } as JobSpec },
        stored,
        context,
      ),
    )
  assert.equal(change({} as never), [])
  assert.equal(change(undefined), ['spec.podFailurePolicy Invalid'])
})

today('the condition SuccessCriteriaMet is checked since 1.30, and requires a policy in 1.30 only', () => {
  const met = { type: 'SuccessCriteriaMet', status: 'True' }
  const wrongStatusAt = (version: string, ...types: string[]) => {
    const stored = jobAt(version)
    const conditions = [met, ...types.map(type => ({ type, status: 'True' }))]
    const sent = { ...stored, status: { conditions } } as Job
    return stepsOf(statusStrategy).validateUpdate(sent, { ...stored, status: {} }, at(version)).length
  }
  assert.equal([wrongStatusAt('1.29'), wrongStatusAt('1.30'), wrongStatusAt('1.31')], [0, 2, 0])
  assert.equal([wrongStatusAt('1.29', 'FailureTarget'), wrongStatusAt('1.31', 'FailureTarget')], [0, 1])
})

today('a changed start time is Required until 1.35 and Invalid since', () => {
  const wrongStartAt = (version: string) => {
    const stored = jobAt(version)
    const started = (startTime: string): Job => ({ ...stored, status: { startTime } })
    const [before, after] = [started('2026-01-01T00:00:00Z'), started('2026-01-02T00:00:00Z')]
    return told(stepsOf(statusStrategy).validateUpdate(after, before, at(version)))
  }
  assert.equal(['1.31', '1.32', '1.35', '1.36'].map(wrongStartAt), [
    [],
    ['status.startTime Required'],
    ['status.startTime Required'],
    ['status.startTime Invalid'],
  ])
})

today('failed and completed indexes may not overlap, whatever else is wrong with them', () => {
  const shared = (completedIndexes: string, failedIndexes: string) => {
    const stored = jobAt('1.32', { completionMode: 'Indexed', completions: 9, backoffLimitPerIndex: 1 })
    const sent = { ...stored, status: { completedIndexes, failedIndexes } } as Job
    return told(stepsOf(statusStrategy).validateUpdate(sent, { ...stored, status: {} }, at('1.32')))
  }
  assert.equal(shared('0-2,x,5', '1,5'), ['status.completedIndexes Invalid', 'status.failedIndexes Invalid'])
  assert.equal(shared('0,x,5', '1'), ['status.completedIndexes Invalid'])
  assert.equal(shared('+1', '1'), ['status.failedIndexes Invalid'])
  assert.equal(shared('', ''), [])
})

today('rules that fail a single index are dropped from new jobs without the gate, from 1.28 on', () => {
  const actionsAt = (version: string, limitsIndexes: boolean) => {
    const context = at(version)
    const rules = ['FailIndex', 'Ignore'].map(action => ({ action }))
    const job = jobAt(version, { podFailurePolicy: { rules } as never })
    stepsOf(mainStrategy(batchNames(context.vendor), false, limitsIndexes)).prepareForCreate(job, context)
    return job.spec?.podFailurePolicy?.rules.map(({ action }) => action)
  }
  assert.equal(actionsAt('1.27', false), ['FailIndex', 'Ignore'])
  assert.equal([actionsAt('1.28', false), actionsAt('1.28', true)], [['Ignore'], ['FailIndex', 'Ignore']])
})

today('the annotation of a tracked job cannot be removed in 1.26 and 1.27', () => {
  const key = 'batch.kubernetes.io/job-tracking'
  const leftAt = (version: string) => {
    const context = at(version)
    const stored = { ...jobAt(version), metadata: { name: 'j', annotations: { [key]: '' } } }
    const draft: Job = { ...jobAt(version), metadata: { name: 'j' } }
    stepsOf(mainStrategy(batchNames(context.vendor), true)).prepareForUpdate(draft, stored, context)
    return draft.metadata?.annotations
  }
  assert.equal(
    [leftAt('1.25'), leftAt('1.26'), leftAt('1.27'), leftAt('1.28')],
    [undefined, { [key]: '' }, { [key]: '' }, undefined],
  )
})

today('tracked jobs have an annotation until 1.27', () => {
  const annotationsAt = (version: string) => {
    const context = at(version)
    const job = { metadata: { name: 'j' }, spec: { template: structuredClone(template) } } as Job
    stepsOf(mainStrategy(batchNames(context.vendor), true)).prepareForCreate(job, context)
    return job.metadata?.annotations
  }
  assert.equal(annotationsAt('1.27'), { 'batch.kubernetes.io/job-tracking': '' })
  assert.is(annotationsAt('1.28'), undefined)
})

today.run()
