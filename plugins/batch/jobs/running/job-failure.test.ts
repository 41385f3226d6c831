import { orchProfile, Vendor } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { batchNames } from '../../names.js'
import { indexFailure, notReplaced, policyFailure } from './job-failure.js'
import { rangesOf, type StoredJob, type StoredPod } from './job-state.js'

const names = batchNames(new Vendor({ ...orchProfile, domain: 'acme.test', groupDomain: 'acme.test' }))
const podOf = (uid: string, index: number, phase: string, more: { failures?: number; exitCode?: number } = {}) =>
  ({
    metadata: {
      uid,
      name: uid,
      annotations: { [names.completionIndex]: `${index}`, [names.indexFailures]: `${more.failures ?? 0}` },
    },
    status: {
      phase,
      containerStatuses: [{ name: 'c', state: { terminated: { exitCode: more.exitCode ?? 1 } } }],
    },
  }) as unknown as StoredPod
const jobOf = (spec: object) => ({ metadata: {}, spec: { completions: 3, ...spec } }) as StoredJob
const counts = (...done: number[]) => ({ succeeded: done.length, failed: 0, done: new Set(done) })

const failing = suite('failures of jobs')

failing('two consecutive indexes are listed, more become a range', () => {
  assert.is(rangesOf([0, 2, 3]), '0,2,3')
  assert.is(rangesOf([7, 1, 2, 3, 8]), '1-3,7,8')
})

failing('a Pod records how often its index has failed until it is replaced', () => {
  const job = jobOf({ completionMode: 'Indexed', backoffLimitPerIndex: 2 })
  const pods = [podOf('a', 0, 'Failed'), podOf('b', 1, 'Failed'), podOf('c', 1, 'Pending'), podOf('d', 2, 'Failed')]
  const later = podOf('e', 0, 'Failed', { failures: 1 })
  assert.equal([...notReplaced(job, [...pods, later], counts(2), new Set(), names)], ['e'])
  assert.equal([...notReplaced(job, pods, counts(), new Set([2]), names)], ['a'])
  assert.is(notReplaced(jobOf({ completionMode: 'Indexed' }), pods, counts(), new Set(), names).size, 0)
})

failing('a job fails when all indexes have finished and some have failed, or too many have failed', () => {
  const job = jobOf({ backoffLimitPerIndex: 1 })
  assert.is(indexFailure(job, counts(0), new Set([1])), undefined)
  assert.is(indexFailure(job, counts(0, 2), new Set([1]))?.reason, 'FailedIndexes')
  const limited = jobOf({ backoffLimitPerIndex: 1, maxFailedIndexes: 0 })
  assert.is(indexFailure(limited, counts(), new Set([1]))?.reason, 'MaxFailedIndexesExceeded')
})

failing('a rule of the policy fails the job also by a Pod that has been counted already', () => {
  const rules = [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } }]
  const job = jobOf({ podFailurePolicy: { rules } })
  assert.is(policyFailure(job, [podOf('a', 0, 'Failed', { exitCode: 42 })])?.reason, 'PodFailurePolicy')
  assert.is(policyFailure(job, [podOf('a', 0, 'Failed', { exitCode: 1 })]), undefined)
})

failing.run()
