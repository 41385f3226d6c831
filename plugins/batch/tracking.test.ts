import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { kubernetesProfile, profileAtVersion, Vendor } from 'orch/sdk'
import type { ResourceClient } from 'orch/sdk/client'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { endOf, type StoredJob, type StoredPod } from './jobs/running/job-state.js'
import { trackFinishedPods } from './jobs/running/track-finished-pods.js'
import { TrackingFinalizer } from './jobs/running/tracking-finalizer.js'
import { type JobSpec, type JobStatus, jobCollection } from './jobs/schema.js'
import { batchNames } from './names.js'
import { batch } from './plugin.js'
import { neighbours } from './testing/neighbours.js'

const namespace = 'default'
const key = 'batch.kubernetes.io/job-tracking'
const names = batchNames(new Vendor(profileAtVersion(kubernetesProfile, '1.23')!))
const waiting = { timeoutMs: 60_000 }
const template = { spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' } }
const aJob = (spec: Partial<JobSpec>): StoredJob =>
  ({ metadata: { name: 'j', namespace }, spec: { template, ...spec } }) as StoredJob

const tracking = { featureGates: { JobTrackingWithFinalizers: 'true' } }
const resting = { ...tracking, controllers: [] }
const without = { featureGates: { JobTrackingWithFinalizers: 'false' } }

/** Successive servers with the same data folder. */
async function inTurn(
  ...turns: [options: Readonly<Record<string, unknown>>, test: (world: World) => Promise<void>][]
): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'orch-jobs-'))
  try {
    for (const [options, test] of turns) {
      const server = await startServer({
        vendor: 'kubernetes',
        kubernetesVersion: '1.23',
        plugins: [...neighbours, batch],
        dataDir,
        options,
      })
      await test(new World(server)).finally(() => server.stop())
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}
class World {
  readonly jobs: ResourceClient<StoredJob>
  readonly pods: ResourceClient<StoredPod>
  constructor({ client }: TestServer) {
    this.jobs = client.resource<StoredJob>(jobCollection).in(namespace)
    this.pods = client.resource<StoredPod>({ group: '', version: 'v1', resource: 'pods' }).in(namespace)
  }
  async podsOf(count: number): Promise<StoredPod[]> {
    await this.jobs.waitFor('j', ({ status }) => status?.active === count, waiting)
    return (await this.pods.list()).items
  }
  async end(pod: StoredPod | undefined, phase = 'Succeeded'): Promise<void> {
    await this.pods.patch(pod?.metadata.name ?? '', { status: { phase } })
  }
  ended = () => this.jobs.waitFor('j', job => endOf(job) !== undefined, waiting)
}
const finalizersOf = (pods: readonly StoredPod[]) => pods.flatMap(({ metadata }) => metadata.finalizers ?? [])

const tracked = suite('jobs that count with a finalizer')

tracked('count a Pod that was deleted after it finished, and one whose UID was recorded when the server stopped', () =>
  inTurn(
    [
      tracking,
      async world => {
        const job = await world.jobs.create(aJob({ completions: 3, parallelism: 3 }))
        assert.is(job.metadata.annotations?.[key], '')
        assert.equal(finalizersOf(await world.podsOf(3)), [key, key, key])
      },
    ],
    [
      resting,
      async ({ pods, jobs, end }) => {
        const [deleted, noted, gone] = (await pods.list()).items
        for (const pod of [deleted, noted, gone]) await end.call({ pods }, pod)
        await pods.delete(deleted?.metadata.name ?? '')
        assert.ok((await pods.get(deleted?.metadata.name ?? '')).metadata.deletionTimestamp)
        // As if the server had stopped after the first step for one, and after the second for the other.
        const succeeded = [noted?.metadata.uid ?? '', gone?.metadata.uid ?? '']
        await jobs.patch('j', { status: { uncountedTerminatedPods: { succeeded } } }, { subresource: 'status' })
        await pods.patch(gone?.metadata.name ?? '', { metadata: { finalizers: null } })
        await pods.delete(gone?.metadata.name ?? '')
        assert.is(await pods.find(gone?.metadata.name ?? ''), undefined)
      },
    ],
    [
      tracking,
      async world => {
        const { status } = await world.ended()
        assert.equal([status?.succeeded, status?.failed, status?.active], [3, undefined, undefined])
        assert.equal(status?.uncountedTerminatedPods, {})
        const left = (await world.pods.list()).items
        assert.equal([left.length, finalizersOf(left)], [1, []])
      },
    ],
  ),
)

tracked('count by index if they are indexed, and count Pods that were deleted while running as failed', () =>
  inTurn([
    tracking,
    async world => {
      await world.jobs.create(aJob({ completions: 2, parallelism: 2, completionMode: 'Indexed', backoffLimit: 9 }))
      const [first, second] = await world.podsOf(2)
      await world.end(first)
      await world.jobs.waitFor('j', ({ status }) => status?.succeeded === 1, waiting)
      await world.pods.delete(first?.metadata.name ?? '')
      await world.pods.delete(second?.metadata.name ?? '')
      const { status } = await world.jobs.waitFor('j', ({ status: is }) => is?.failed === 1, waiting)
      assert.equal([status?.succeeded, status?.completedIndexes], [1, first?.spec.hostname?.slice(-1)])
      assert.is(await world.pods.find(second?.metadata.name ?? ''), undefined)
    },
  ]),
)

tracked('do not track jobs from before the gate was enabled, or their Pods; disabling it releases all Pods', () =>
  inTurn(
    [without, async world => void (await world.jobs.create(aJob({})).then(() => world.podsOf(1)))],
    [
      tracking,
      async world => {
        const [pod] = (await world.pods.list()).items
        await world.end(pod)
        const { metadata, status } = await world.ended()
        assert.equal([status?.succeeded, status?.uncountedTerminatedPods], [1, undefined])
        assert.equal([metadata.annotations, finalizersOf((await world.pods.list()).items)], [undefined, []])
        await world.jobs.delete('j', { propagationPolicy: 'Background' })
        await world.jobs.create(aJob({ parallelism: 2, completions: 2 }))
        await world.podsOf(2)
      },
    ],
    [
      without,
      async world => {
        const job = await world.jobs.waitFor('j', ({ metadata }) => metadata.annotations === undefined, waiting)
        assert.is(job.status?.uncountedTerminatedPods, undefined)
        assert.equal(finalizersOf((await world.pods.list()).items), [])
      },
    ],
  ),
)

tracked('leave no Pod with a finalizer, with any propagation policy', async () => {
  const server = await startServer({ vendor: 'kubernetes', kubernetesVersion: '1.23', options: tracking })
  const { jobs, pods } = new World(server)
  try {
    for (const propagationPolicy of ['Background', 'Foreground', 'Orphan'] as const) {
      await jobs.create(aJob({}))
      await jobs.waitFor('j', ({ status }) => status?.active === 1, waiting)
      const [pod] = (await pods.list()).items
      const name = pod?.metadata.name ?? ''
      assert.equal(pod?.metadata.finalizers, [key])
      await jobs.delete('j', { propagationPolicy })
      await jobs.waitForDeletion('j', waiting)
      if (propagationPolicy === 'Orphan') {
        await pods.waitFor(name, ({ metadata }) => !metadata.finalizers, waiting)
        await pods.delete(name)
      }
      await pods.waitForDeletion(name, waiting)
    }
  } finally {
    await server.stop()
  }
})

tracked('release Pods at start whose job was deleted while the server was down', () =>
  inTurn(
    [
      resting,
      async ({ pods }) => {
        const metadata = { namespace, finalizers: [key] }
        const owner = { apiVersion: 'batch/v1', kind: 'Job', name: 'old', uid: 'u', controller: true }
        const { spec } = template
        await pods.create({ metadata: { ...metadata, name: 'a', ownerReferences: [owner] }, spec } as StoredPod)
        await pods.create({ metadata: { ...metadata, name: 'b' }, spec } as StoredPod)
        for (const name of ['a', 'b']) await pods.delete(name)
      },
    ],
    [
      tracking,
      async ({ pods }) => {
        for (const name of ['a', 'b']) await pods.waitForDeletion(name, waiting)
      },
    ],
  ),
)

/** Interrupts the work before or after the write with this number. */
class Breaking {
  #writes = 0
  readonly at: number
  readonly isAfter: boolean
  constructor(at: number, isAfter: boolean) {
    this.at = at
    this.isAfter = isAfter
  }
  wrap<T extends object>(client: T): T {
    return new Proxy(client, {
      get: (target, name) => {
        const value = Reflect.get(target, name) as (...args: unknown[]) => Promise<unknown>
        if (name === 'in') return () => this.wrap(client)
        if (name !== 'patch' && name !== 'updateSubresource') return value
        return async (...args: unknown[]) => {
          const isNow = this.#writes++ === this.at
          if (isNow && !this.isAfter) throw new Error('stopped')
          const result = await value.apply(target, args)
          if (isNow) throw new Error('stopped')
          return result
        }
      },
    })
  }
}

tracked('count each Pod once, even if they are interrupted', () =>
  inTurn([
    resting,
    async ({ jobs, pods, end }) => {
      const settle = async (breaking: Breaking) => {
        const job = await jobs.get('j')
        const all = (await pods.list()).items
        await trackFinishedPods(
          {
            jobs: breaking.wrap(jobs),
            names,
            finalizer: new TrackingFinalizer(key, breaking.wrap(pods)),
            isEnding: false,
            finish: () => {},
          },
          job,
          { ...(job.status as JobStatus) },
          all,
        )
      }
      let breaks = 0
      for (const isAfter of [false, true])
        for (let at = 0; at < 6; at++) {
          await jobs.create(aJob({ completions: 9 }))
          for (const phase of ['Succeeded', 'Failed', 'Succeeded']) {
            const metadata = { generateName: 'p-', namespace, finalizers: [key] }
            await end.call({ pods }, await pods.create({ metadata, spec: template.spec } as StoredPod), phase)
          }
          await settle(new Breaking(at, isAfter)).catch(({ message }) => {
            assert.is(message, 'stopped')
            breaks++
          })
          await settle(new Breaking(99, false))
          const { status } = await jobs.get('j')
          assert.equal([status?.succeeded, status?.failed, status?.uncountedTerminatedPods], [2, 1, {}])
          assert.equal(finalizersOf((await pods.list()).items), [])
          for (const { metadata } of (await pods.list()).items) await pods.delete(metadata.name ?? '')
          await jobs.delete('j', { propagationPolicy: 'Background' })
        }
      // One write for the UIDs, three for the finalizers, one for the counts.
      assert.is(breaks, 10)
    },
  ]),
)

tracked.run()
