import { type ApiObject, orchProfile } from 'orch/sdk'
import { startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type CronJob, cronJobCollection } from './cron-jobs/schema.js'
import { endOf, numbersOf, rangesOf, type StoredJob, type StoredPod } from './jobs/running/job-state.js'
import { type JobSpec, jobCollection } from './jobs/schema.js'
import { batch } from './plugin.js'
import { neighbours } from './testing/neighbours.js'

const template = { spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' } }
const aJob = (spec: Partial<JobSpec>): StoredJob =>
  ({ metadata: { name: 'j', namespace: 'town' }, spec: { template, ...spec } }) as StoredJob

/** A server with the loops. Pods get the phase of `phaseOf` when they are created. */
async function withPods(
  phaseOf: (pod: StoredPod) => string | undefined,
  test: (jobs: ReturnType<typeof jobsOf>, pods: ReturnType<typeof podsOf>, server: Server) => Promise<void>,
): Promise<void> {
  const vendor = { ...orchProfile, name: 'acme', domain: 'acme.test', groupDomain: 'acme.test' }
  const server = await startServer({ plugins: [...neighbours, batch], vendor })
  const pods = podsOf(server)
  const ended = new AbortController()
  const agent = (async () => {
    for await (const event of pods.watchWithResume({ signal: ended.signal })) {
      const phase = event.type === 'ADDED' ? phaseOf(event.object) : undefined
      if (event.type === 'ADDED' && phase)
        await pods.patch(event.object.metadata.name ?? '', { status: { phase } }).catch(() => {})
    }
  })().catch(() => {})
  try {
    await test(jobsOf(server), pods, server)
  } finally {
    ended.abort()
    await agent
    await server.stop()
  }
}
type Server = Awaited<ReturnType<typeof startServer>>
const jobsOf = ({ client }: Server) => client.resource<StoredJob>(jobCollection).in('town')
const podsOf = ({ client }: Server) =>
  client.resource<StoredPod & ApiObject>({ group: '', version: 'v1', resource: 'pods' }).in('town')
const waiting = { timeoutMs: 60_000 }
const hasEnded = (job: StoredJob) => endOf(job) !== undefined

const running = suite('jobs')

running('are complete when enough Pods have succeeded', () =>
  withPods(
    () => 'Succeeded',
    async (jobs, pods) => {
      await jobs.create(aJob({ completions: 5, parallelism: 2 }))
      const job = await jobs.waitFor('j', hasEnded, waiting)
      assert.equal([endOf(job)?.type, job.status?.succeeded, job.status?.active], ['Complete', 5, undefined])
      assert.ok(job.status?.completionTime)
      assert.is((await pods.list()).items.length, 5)
    },
  ),
)

running('assign indexes to their Pods if they are indexed', () =>
  withPods(
    () => 'Succeeded',
    async (jobs, pods) => {
      await jobs.create(aJob({ completions: 3, parallelism: 3, completionMode: 'Indexed' }))
      const job = await jobs.waitFor('j', hasEnded, waiting)
      assert.equal([job.status?.completedIndexes, job.status?.succeeded], ['0-2', 3])
      const made = (await pods.list()).items
      assert.equal(made.map(({ spec }) => spec.hostname).sort(), ['j-0', 'j-1', 'j-2'])
      const variable = made[0]?.spec.containers[0]?.env?.[0]
      assert.equal(
        [variable?.name, variable?.valueFrom?.fieldRef?.fieldPath],
        ['JOB_COMPLETION_INDEX', "metadata.annotations['batch.acme.test/job-completion-index']"],
      )
    },
  ),
)

running('fail when too many Pods have failed', () =>
  withPods(
    () => 'Failed',
    async jobs => {
      await jobs.create(aJob({ backoffLimit: 0 }))
      const job = await jobs.waitFor('j', hasEnded, waiting)
      assert.equal([endOf(job)?.reason, job.status?.failed], ['BackoffLimitExceeded', 1])
    },
  ),
)

running('fail at their deadline, and are deleted some time after they finish', () =>
  withPods(
    () => undefined,
    async (jobs, pods) => {
      await jobs.create(aJob({ activeDeadlineSeconds: 1, ttlSecondsAfterFinished: 1 }))
      const job = await jobs.waitFor('j', hasEnded, waiting)
      assert.is(endOf(job)?.reason, 'DeadlineExceeded')
      assert.is((await pods.list()).items.filter(({ metadata }) => !metadata.deletionTimestamp).length, 0)
      await jobs.waitFor('j', ({ metadata }) => metadata.deletionTimestamp !== undefined, waiting)
    },
  ),
)

running('have no Pods while they are suspended', () =>
  withPods(
    () => undefined,
    async (jobs, pods) => {
      await jobs.create(aJob({ parallelism: 2, completions: 2 }))
      await jobs.waitFor('j', ({ status }) => status?.active === 2, waiting)
      await jobs.patch('j', { spec: { suspend: true } })
      await jobs.waitFor(
        'j',
        ({ status }) => (status?.conditions ?? []).some(({ type }) => type === 'Suspended'),
        waiting,
      )
      assert.is((await pods.list()).items.length, 0)
      await jobs.patch('j', { spec: { suspend: false } })
      await jobs.waitFor('j', ({ status }) => status?.active === 2, waiting)
    },
  ),
)

running('write numbers as ranges', () => {
  assert.is(rangesOf([7, 1, 3, 5, 4, 4]), '1,3-5,7')
  assert.equal(numbersOf('1,3-5,7'), [1, 3, 4, 5, 7])
  assert.equal([rangesOf([]), numbersOf('')], ['', []])
})

running.run()

const recurring = suite('cron jobs')

recurring(
  'create a job for the last scheduled time, and keep the configured number of finished jobs that started last',
  () =>
    withPods(
      () => undefined,
      async (jobs, _, { client }) => {
        const cronJobs = client.resource<ApiObject & CronJob>(cronJobCollection).in('town')
        // One time a year, so that the day and the hour of this test do not matter.
        const spec = { schedule: '0 0 1 1 *', successfulJobsHistoryLimit: 2, jobTemplate: { spec: { template } } }
        const made = await cronJobs.create({ metadata: { name: 'c' }, spec } as ApiObject & CronJob)
        await cronJobs.updateSubresource('status', { ...made, status: { lastScheduleTime: '2021-06-01T00:00:00Z' } })
        const cronJob = await cronJobs.waitFor('c', ({ status }) => status?.active?.length === 1, waiting)
        const due = Date.UTC(new Date().getUTCFullYear(), 0, 1) / 60_000
        assert.is(cronJob.status?.active?.[0]?.name, `c-${due}`)
        const owner = {
          apiVersion: 'batch/v1',
          kind: 'CronJob',
          name: 'c',
          uid: cronJob.metadata.uid ?? '',
          controller: true,
        }
        for (const [name, day] of Object.entries({ b: '02', a: '03', d: '01' })) {
          const job = aJob({})
          await jobs.create({ ...job, metadata: { ...job.metadata, name, ownerReferences: [owner] } })
          const conditions = [{ type: 'Complete', status: 'True' }]
          const status = { startTime: `2020-01-${day}T00:00:00Z`, completionTime: '2020-01-05T00:00:00Z', conditions }
          await jobs.patch(name, { status }, { subresource: 'status' })
        }
        await jobs.waitForDeletion('d', waiting)
        assert.equal((await jobs.list()).items.map(({ metadata }) => metadata.name).sort(), ['a', 'b', `c-${due}`])
      },
    ),
)

recurring.run()
