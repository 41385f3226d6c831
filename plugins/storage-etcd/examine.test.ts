import { setTimeout as sleep } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { examine } from './examine.js'
import { isEtcdInstalled, startCluster } from './testing/etcd-cluster.js'

const doctor = suite('etcd findings of orch doctor')

const options = (etcdServers: readonly string[], more: object = {}) => ({
  etcdServers: [...etcdServers],
  etcdPrefix: '/registry',
  etcdReplica: false,
  ...more,
})
/** Grades and texts, one a line. */
const told = async (...given: Parameters<typeof options>) =>
  (await examine(options(...given))).map(({ grade, what }) => `${grade}: ${what}`)

doctor('options that cannot be used', async () => {
  assert.equal(await told([]), ['wrong: no etcd is named'])
  const [missing] = await told(['https://127.0.0.1:1'], { etcdCafile: '/none/ca.pem' })
  assert.match(missing ?? '', /^wrong: .*\/none\/ca\.pem/)
  const [half] = await told(['https://127.0.0.1:1'], { etcdCertfile: '/none/client.pem' })
  assert.match(half ?? '', /must be set together/)
  const [silent] = await told(['http://127.0.0.1:1'])
  assert.match(silent ?? '', /^wrong: etcd at http:\/\/127\.0\.0\.1:1 does not answer: .*ECONNREFUSED/)
})

if (isEtcdInstalled()) {
  doctor('members that are well, that hang, that are gone, and too few of them', async () => {
    const etcd = await startCluster({ members: 3 })
    try {
      const [first = '', second = '', third = ''] = etcd.servers
      const wellAt = (server: string) => new RegExp(`^fine: etcd at ${server} answers: version 3\\.\\S+, \\d+ MB$`)
      for (const index of [0, 1, 2]) while (!(await etcd.isHealthy(index))) await sleep(50)
      const all = await told(etcd.servers)
      for (const [index, server] of etcd.servers.entries()) assert.match(all[index] ?? '', wellAt(server))
      assert.is(all.length, 3)

      etcd.pause(2)
      const hanging = await told(etcd.servers)
      assert.equal(hanging.slice(2), [`warning: etcd at ${third} does not answer: no answer came in time; others do`])
      etcd.resume(2)

      await Promise.all([etcd.kill(1), etcd.kill(2)])
      const lonely = await told(etcd.servers)
      assert.match(lonely[0] ?? '', new RegExp(`^wrong: etcd at ${first} reaches too few of the other members: `))
      assert.match(lonely[1] ?? '', new RegExp(`^warning: etcd at ${second} does not answer: .*ECONNREFUSED`))
    } finally {
      await etcd.stop()
    }
  })

  doctor('members of two clusters, and an alarm', async () => {
    const [one, other] = await Promise.all([
      startCluster(),
      startCluster({ arguments: ['--quota-backend-bytes=100000'] }),
    ])
    try {
      const [first = ''] = one.servers
      const [stranger = ''] = other.servers
      const { openEtcdStore } = await import('./open-etcd-store.js')
      const settings = { ...options(other.servers), historyMs: 300_000, now: Date.now, warn: () => {} }
      const store = await openEtcdStore(settings)
      const body = Buffer.from(`{"metadata":{},"data":"${'x'.repeat(50_000)}"}`)
      const fill = async () => {
        for (let index = 0; ; index++) await store.write({ key: `/things/${index}`, body })
      }
      await fill().catch(() => {})
      await store.close()
      const said = await told([first, stranger])
      assert.match(said.join('\n'), new RegExp(`^wrong: etcd at ${stranger} is of another cluster than ${first}$`, 'm'))
      assert.match(said.join('\n'), /^wrong: etcd raises an alarm: its quota is exceeded/m)
    } finally {
      await Promise.all([one.stop(), other.stop()])
    }
  })
} else {
  console.log('SKIP etcd is not installed')
}

doctor.run()
