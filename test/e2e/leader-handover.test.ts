import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type EtcdCluster, isEtcdInstalled, startCluster } from '../../plugins/storage-etcd/testing/etcd-cluster.js'
import { eventually } from '../support/eventually.js'
import { type RunningServer, startOrch } from '../support/start-orch.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const handover = suite('servers that share etcd run control loops one at a time')
const limitMs = 30_000

/** A loop that writes continuously and records when each write succeeded. */
const pulsePlugin = `
import { appendFileSync } from 'node:fs'
import { defineController, definePlugin, services } from 'orch/sdk'

const configMaps = { group: '', version: 'v1', resource: 'configmaps' }
export const pulse = definePlugin({
  name: 'pulse',
  requires: ['configuration'],
  register: to => to.controller(defineController({
    name: 'pulse',
    needs: { client: services.client },
    async start({ client }) {
      const beat = async () => {
        const startedAt = Date.now()
        await client.resource(configMaps).in('default').create({ metadata: { generateName: 'pulse-' } })
        appendFileSync(process.env.PULSE_FILE, process.pid + ' ' + startedAt + '\\n')
      }
      // Deliberately careless: only the client can stop a beat.
      const timer = setInterval(() => beat().catch(() => {}), 50)
      return async () => clearInterval(timer)
    },
  })),
})
`
const config = `
import { configuration } from 'orch/plugins/configuration'
import { namespaces } from 'orch/plugins/namespaces'
import { coordination } from 'orch/plugins/coordination'
import { storageEtcd } from 'orch/plugins/storage-etcd'
import { defineConfig } from 'orch/sdk'

export default defineConfig({ storageEngine: 'etcd', plugins: [namespaces, configuration, coordination, storageEtcd, './pulse.mjs'] })
`

interface Beat {
  readonly pid: number
  readonly at: number
}
class World {
  readonly #etcd: EtcdCluster
  readonly #folder = temporaryFolder()
  readonly #file: string
  readonly #servers: RunningServer[] = []
  constructor(etcd: EtcdCluster) {
    this.#etcd = etcd
    this.#file = join(this.#folder.path, 'pulse.log')
    writeFileSync(join(this.#folder.path, 'pulse.mjs'), pulsePlugin)
    writeFileSync(join(this.#folder.path, 'orch.config.mjs'), config)
  }
  async start(name: string, leaseSeconds: number): Promise<RunningServer> {
    const server = await startOrch({
      workingDir: this.#folder.path,
      dataDir: join(this.#folder.path, name),
      env: { PULSE_FILE: this.#file },
      limitMs,
      flags: [
        `--etcd-servers=${this.#etcd.servers.join()}`,
        `--leader-elect-lease-duration=${leaseSeconds}s`,
        `--leader-elect-renew-deadline=${leaseSeconds * 0.75}s`,
        '--leader-elect-retry-period=400ms',
      ],
    })
    this.#servers.push(server)
    return server
  }
  beats(): Beat[] {
    if (!existsSync(this.#file)) return []
    return readFileSync(this.#file, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map(line => line.split(' ').map(Number))
      .map(([pid, at]) => ({ pid: pid!, at: at! }))
  }
  /** Waits for the next beat of the loop of this server. */
  async untilBeating({ pid }: RunningServer): Promise<void> {
    const since = Date.now()
    await eventually(
      `process ${pid} to lead`,
      () => this.beats().some(beat => beat.pid === pid && beat.at > since),
      limitMs,
    )
  }
  async close(): Promise<void> {
    for (const server of this.#servers) {
      // A process that a failed test left paused would not handle the signal.
      try {
        process.kill(server.pid, 'SIGCONT')
      } catch {}
      await server.stop()
    }
    await this.#etcd.stop()
    this.#folder.remove()
  }
}

/** The consecutive periods in which one process beat. */
function reigns(beats: readonly Beat[]): { pid: number; from: number; to: number }[] {
  const found: { pid: number; from: number; to: number }[] = []
  for (const { pid, at } of [...beats].sort((one, other) => one.at - other.at)) {
    const last = found.at(-1)
    if (last?.pid === pid) last.to = at
    else found.push({ pid, from: at, to: at })
  }
  return found
}

if (isEtcdInstalled()) {
  handover('and hand over when one stops, hangs or dies, never both at once', async () => {
    const world = new World(await startCluster())
    try {
      // If the lease were not released, the next server would have to wait for a minute.
      const patient = await world.start('patient', 60)
      await world.untilBeating(patient)
      const hasty = await world.start('hasty', 4)
      await patient.stop()
      await world.untilBeating(hasty)

      const second = await world.start('second', 60)
      process.kill(hasty.pid, 'SIGSTOP')
      await world.untilBeating(second)
      process.kill(hasty.pid, 'SIGCONT')
      await eventually('the one that hung to notice', () => hasty.output().includes('lost the lease'), limitMs)
      await world.untilBeating(second)
      await second.stop()
      await world.untilBeating(hasty)

      const third = await world.start('third', 60)
      process.kill(hasty.pid, 'SIGKILL')
      await world.untilBeating(third)
      const found = reigns(world.beats())
      assert.equal(
        found.map(({ pid }) => pid),
        [patient, hasty, second, hasty, third].map(({ pid }) => pid),
        'each led once, without overlap',
      )
      const silentMs = found[4]!.from - found[3]!.to
      assert.ok(silentMs > 900, `a dead leader was replaced after ${silentMs} ms, before its lease expired`)
      assert.match(third.output(), /"another process leads"/)
    } finally {
      await world.close()
    }
  })
} else {
  console.log('SKIP etcd is not installed')
}

handover.run()
