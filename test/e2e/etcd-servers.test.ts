import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ApiObject } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type EtcdCluster, isEtcdInstalled, startCluster } from '../../plugins/storage-etcd/testing/etcd-cluster.js'
import { runBinary } from '../boot/run-binary.js'
import { eventually } from '../support/eventually.js'
import { type GreeterStatus, writeGreeter } from '../support/greeter-package.js'
import { rejects } from '../support/rejects.js'
import { type KillableServer, startKillable } from './killable-server.js'

const servers = suite('servers that share etcd')

type ConfigMap = ApiObject & { data?: Record<string, string> }
const maps = (client: Client) =>
  client.resource<ConfigMap>({ group: '', version: 'v1', resource: 'configmaps' }).in('default')
const configMap = (name: string, data: Record<string, string> = {}): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
})

async function withEtcd(members: number, use: (etcd: EtcdCluster, folder: string) => Promise<void>): Promise<void> {
  const etcd = await startCluster({ members })
  const folder = mkdtempSync(join(tmpdir(), 'orch-etcd-'))
  try {
    await use(etcd, folder)
  } finally {
    await etcd.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const flagsFor = (etcd: EtcdCluster) => ['--storage-engine=etcd', `--etcd-servers=${etcd.servers.join()}`]

/** Names and versions of the events of a watch until the last of `names` has come. */
async function watchUntil(client: Client, resourceVersion: string, last: string): Promise<[string, string][]> {
  const stop = new AbortController()
  const seen: [string, string][] = []
  const timer = setTimeout(() => stop.abort(), 30_000)
  for await (const { type, object } of maps(client).watch({ resourceVersion, signal: stop.signal })) {
    if (type === 'ERROR') throw new Error(JSON.stringify(object))
    if (type === 'BOOKMARK') continue
    seen.push([`${type} ${object.metadata.name}`, object.metadata.resourceVersion ?? ''])
    if (object.metadata.name === last) break
  }
  clearTimeout(timer)
  stop.abort()
  return seen
}

/** A token from one server is rejected by the other once the object that it is bound to is deleted at the first. */
async function revokeEverywhere(one: KillableServer, other: KillableServer): Promise<void> {
  const of = ({ client }: KillableServer, resource: string) =>
    client.resource<ApiObject>({ group: '', version: 'v1', resource }).in('default')
  await of(one, 'serviceaccounts').create({ metadata: { name: 'robot' } })
  const secret = await of(one, 'secrets').create({ metadata: { name: 'robot' } })
  const spec = { serviceAccountName: 'robot', containers: [{ name: 'c', image: 'i' }] }
  const pod = await of(one, 'pods').create({ metadata: { name: 'robot' }, spec })
  const refs: [resource: string, boundObjectRef?: object][] = [
    ['secrets', { apiVersion: 'v1', kind: 'Secret', name: 'robot', uid: secret.metadata.uid }],
    ['pods', { apiVersion: 'v1', kind: 'Pod', name: 'robot', uid: pod.metadata.uid }],
    ['serviceaccounts'],
  ]
  for (const [resource, boundObjectRef] of refs) {
    const post = async <A>({ client }: KillableServer, path: string, spec: object) =>
      client.request<A>({ method: 'POST', path, headers: {}, body: JSON.stringify({ spec }) })
    const { status } = await post<{ status: { token: string } }>(
      one,
      '/api/v1/namespaces/default/serviceaccounts/robot/token',
      boundObjectRef ? { boundObjectRef } : {},
    )
    const isAccepted = async () => {
      const path = '/apis/authentication.orch.io/v1/tokenreviews'
      const review = await post<{ status: { authenticated?: boolean } }>(other, path, { token: status.token })
      return review.status.authenticated === true
    }
    await eventually(`the other one to know ${resource}`, isAccepted)
    await of(one, resource).delete('robot')
    // The other server may see the deletion some milliseconds later, but must reject the token from then on.
    await rejects(of(other, resource).get('robot'), /not found/)
    await eventually(`the end of the token of ${resource}`, async () => !(await isAccepted()))
  }
}

/** Plugins are installed, changed and removed in both servers, and the status lists servers where that fails. */
async function installEverywhere(one: KillableServer, other: KillableServer, folders: [string, string]): Promise<void> {
  type Plugin = ApiObject & { spec?: object; status?: GreeterStatus }
  const plugins = one.client.resource<Plugin>({ group: 'plugins.orch.io', version: 'v1alpha1', resource: 'plugins' })
  const greetings = () =>
    Promise.all(
      [one, other].map(({ client }) =>
        client.request<string>({ method: 'GET', path: '/greeting', headers: {} }).catch(() => 'none'),
      ),
    )
  const serve = (...versions: string[]) =>
    eventually(`the servers to serve ${versions}`, async () => String(await greetings()) === String(versions))
  /** The object once both servers have reported on its generation. */
  const reported = ({ metadata }: Plugin, failing: number) =>
    plugins.waitFor(
      'greeter',
      ({ status }) => status?.observedGeneration === metadata.generation && (status?.servers?.length ?? 0) === failing,
    )
  const conditionsOf = ({ status }: Plugin) => status?.conditions?.map(({ type, status: is }) => `${type} ${is}`)
  const loopsOf = async (version: string) => {
    const { items } = await maps(one.client).list()
    return items.filter(({ metadata }) => metadata.name?.startsWith(`loop-${version}-`)).length
  }
  const useVersion = (version: string) => plugins.patch('greeter', { spec: { package: `greeter-${version}.mjs` } })
  for (const folder of folders) {
    writeGreeter(folder, '1')
    writeGreeter(folder, '2')
    writeGreeter(folder, '3', 'throw new Error("not today")')
  }
  writeGreeter(folders[0], '4')

  const created = await plugins.create({ metadata: { name: 'greeter' }, spec: { package: 'greeter-1.mjs' } })
  await serve('1', '1')
  assert.equal(conditionsOf(await reported(created, 0)), ['Loaded True', 'Healthy True'])
  await reported(await useVersion('2'), 0)
  await serve('2', '2')

  const failed = await reported(await useVersion('3'), 2)
  assert.equal(conditionsOf(failed), ['Loaded True', 'Healthy False'])
  assert.match(failed.status?.lastError?.message ?? '', /not today/)
  await serve('2', '2')

  // Only one of the servers has this package.
  const differing = await reported(await useVersion('4'), 1)
  await serve('4', '2')
  assert.match(differing.status?.servers?.[0]?.message ?? '', /there is no "greeter-4.mjs"/)
  writeGreeter(folders[1], '4')
  await plugins.patch('greeter', { metadata: { annotations: { again: '1' } } })
  await serve('4', '4')
  assert.equal(conditionsOf(await reported(differing, 0)), ['Loaded True', 'Healthy True'])

  // Loops run only on the leader.
  assert.equal(await Promise.all(['1', '2', '3', '4'].map(loopsOf)), [1, 1, 0, 1])
  await plugins.delete('greeter')
  await serve('none', 'none')
}

if (isEtcdInstalled()) {
  servers('writes to one are read and watched at the other, and a watch resumes there when its server dies', () =>
    withEtcd(3, async (etcd, folder) => {
      let one: KillableServer | undefined
      let other: KillableServer | undefined
      try {
        const folders: [string, string] = [join(folder, 'plugins-of-one'), join(folder, 'plugins-of-other')]
        for (const each of folders) mkdirSync(each)
        one = await startKillable(join(folder, 'one'), ...flagsFor(etcd), `--plugin-folder=${folders[0]}`)
        // Servers of one API must share their CA and keys.
        cpSync(join(folder, 'one', 'pki'), join(folder, 'other', 'pki'), { recursive: true })
        other = await startKillable(join(folder, 'other'), ...flagsFor(etcd), `--plugin-folder=${folders[1]}`)
        await installEverywhere(one, other, folders)
        const { metadata: start } = await maps(one.client).list()

        const created = await maps(one.client).create(configMap('a', { x: '1' }))
        const read = await maps(other.client).get('a')
        assert.equal(read.metadata, created.metadata)
        await maps(other.client).update({ ...read, data: { x: '2' } })
        assert.is((await maps(one.client).get('a')).data?.['x'], '2')
        const stale = await maps(one.client)
          .update({ ...created, data: { x: '3' } })
          .catch((error: unknown) => error)
        assert.match(JSON.stringify(stale), /Conflict/)

        const before = await Promise.all([
          watchUntil(one.client, start.resourceVersion, 'b'),
          watchUntil(other.client, start.resourceVersion, 'b'),
          maps(other.client).create(configMap('b')),
        ])
        assert.equal(before[0], before[1])
        assert.equal(
          before[0].map(([what]) => what),
          ['ADDED a', 'MODIFIED a', 'ADDED b'],
        )

        await revokeEverywhere(one, other)

        await one.kill()
        const [, resumeAt] = before[0].at(-1)!
        await maps(other.client).create(configMap('c'))
        await maps(other.client).delete('a')
        await maps(other.client).create(configMap('d'))
        const after = await watchUntil(other.client, resumeAt, 'd')
        assert.equal(
          after.map(([what]) => what),
          ['ADDED c', 'DELETED a', 'ADDED d'],
        )

        // A server that starts now has the earlier events.
        one = await startKillable(join(folder, 'one'), ...flagsFor(etcd))
        const late = await watchUntil(one.client, start.resourceVersion, 'd')
        assert.equal(late, [...before[0], ...after])
      } finally {
        await Promise.all([one?.kill(), other?.kill()])
      }
    }),
  )

  servers('a store moves from LMDB to etcd and back, and keeps its uids', () =>
    withEtcd(1, async (etcd, folder) => {
      const lmdb = join(folder, 'lmdb')
      const server = await startKillable(lmdb)
      let created: ConfigMap
      try {
        created = await maps(server.client).create(configMap('moved', { text: 'é' }))
      } finally {
        await server.kill()
      }
      const run = async (...words: string[]) => {
        const { code, out, err } = await runBinary(folder, 'storage', ...words)
        assert.is(code, 0, err)
        return out
      }
      const exported = await run('export', 'one.jsonl', `--data-dir=${lmdb}`)
      const count = /^Exported (\d+) objects/.exec(exported)?.[1]
      assert.match(await run('import', 'one.jsonl', ...flagsFor(etcd)), new RegExp(`^Imported ${count} objects`))
      const refused = await runBinary(folder, 'storage', 'import', 'one.jsonl', ...flagsFor(etcd))
      assert.match(refused.err, /^orch: the store is not empty/)

      const onEtcd = await startKillable(join(folder, 'etcd'), ...flagsFor(etcd))
      try {
        const found = await maps(onEtcd.client).get('moved')
        assert.is(found.metadata.uid, created.metadata.uid)
        assert.equal(found.data, { text: 'é' })
        assert.ok(Number(found.metadata.resourceVersion) > Number(created.metadata.resourceVersion))
      } finally {
        await onEtcd.kill()
      }
      await run('export', 'two.jsonl', ...flagsFor(etcd))
      await run('import', 'two.jsonl', '--data-dir=back')
      await run('export', 'three.jsonl', '--data-dir=back')
      const bodies = (file: string) =>
        readFileSync(join(folder, file), 'utf8')
          .split('\n')
          .map(line => line.slice(line.indexOf(',"body":')))
          .slice(1, -2)
      assert.equal(bodies('three.jsonl'), bodies('two.jsonl'))
      assert.ok(bodies('two.jsonl').length >= Number(count))
    }),
  )
} else {
  console.log('SKIP etcd is not installed')
}

servers.run()
