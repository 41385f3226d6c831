import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  definePlugin,
  defineResource,
  defineStartTask,
  field,
  Kind,
  ListOf,
  MapOf,
  required,
  Struct,
  Text,
} from 'orch/sdk'
import { type PodLogQuery, podLogs } from 'orch/sdk/core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { withCluster, withOrchctl } from '../test/support/run-orchctl.js'

const running = suite('orchctl and what runs')

/** Runs every Pod: the log of each container is the query. */
const runner = definePlugin({
  name: 'runner',
  requires: ['workloads'],
  register(to) {
    const start = defineStartTask({
      name: 'run pods',
      needs: { logs: podLogs },
      run: ({ logs }) => void logs.add({ read: (pod, query) => written(`${pod.metadata.name}`, query) }),
    })
    to.onStart(start)
  },
})
async function* written(pod: string, { container, ...query }: PodLogQuery) {
  yield `${pod} ${container}`
  yield ` ${JSON.stringify({ ...query, metadata: undefined })}\n`
}

const pod = (name: string, ...containers: string[]) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: 'x' } },
    spec: { nodeName: 'ours', containers: containers.map(one => ({ name: one, image: 'i' })) },
  })

running('shows the logs of containers', () =>
  withCluster(
    async ({ run, runWith }) => {
      await runWith(pod('one', 'a'), 'create', '-f', '-')
      await runWith(pod('two', 'a', 'b'), 'create', '-f', '-')
      assert.equal(await run('logs', 'one'), { code: 0, out: 'one a {}\n', error: '' })
      const first = await run('logs', 'pod/two')
      assert.equal([first.out, first.error], ['two a {}\n', 'Defaulted container "a" out of: a, b\n'])
      const flags = ['-f', '-p', '--tail=3', '--since=90s', '--timestamps', '--limit-bytes=10']
      const asked = JSON.parse((await run('logs', 'two', '-c', 'b', ...flags)).out.replace('two b ', ''))
      const all = { follow: true, previous: true, tailLines: 3, sinceSeconds: 90, timestamps: true, limitBytes: 10 }
      assert.equal(asked, all)
      const selected = await run('logs', '-l', 'app=x', '--all-containers', '--prefix')
      assert.match(selected.out, /^\[pod\/one\/a\] one a \{"tailLines":10\}\n\[pod\/two\/a\].*\n\[pod\/two\/b\].*\n$/)
      await run('expose', 'pod/one', '--port=80')
      const any = await run('logs', 'service/one', '-c', 'a')
      assert.equal([any.out, any.error], ['one a {}\n', 'Found 2 pods, using pod/one\n'])
      const matchExpressions = [{ key: 'tier', operator: 'In', values: ['back'] }]
      const template = {
        metadata: { labels: { app: 'y', tier: 'back' } },
        spec: { nodeName: 'ours', containers: [{ name: 'a', image: 'i' }] },
      }
      const set = { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name: 'set' } }
      await runWith(
        JSON.stringify({ ...set, spec: { replicas: 1, selector: { matchExpressions }, template } }),
        'create',
        '-f',
        '-',
      )
      await run('wait', 'rs/set', '--for=jsonpath={.status.replicas}=1')
      const owned = await run('logs', 'rs/set')
      assert.match(owned.out, /^set-\w{5} a \{\}\n$/, `Pods that the expressions do not select: ${owned.error}`)
      assert.match((await run('logs', 'two', '-c', 'c')).error, 'container c is not valid for pod two; it has a, b')
      assert.equal((await run('logs', 'three')).code, 1)
      assert.equal((await run('logs')).code, 2)
    },
    undefined,
    [runner],
  ),
)

/** The metrics API, which a metrics server would serve; here its objects are stored. */
const usage = field(3, MapOf(Text()))
const container = Struct('metrics.v1beta1.ContainerMetrics', {
  name: required(1, Text()),
  usage: field(2, MapOf(Text())),
})
const metrics = definePlugin({
  name: 'metrics',
  register(to, { vendor }) {
    const common = { group: vendor.group('metrics'), columns: [] }
    const node = Kind('metrics.v1beta1.NodeMetrics', { usage })
    const pods = Kind('metrics.v1beta1.PodMetrics', { containers: field(4, ListOf(container)) })
    to.resource(
      defineResource({
        ...common,
        kind: 'NodeMetrics',
        resource: 'nodes',
        namespaced: false,
        versions: [{ name: 'v1beta1', schema: node }],
      }),
      defineResource({
        ...common,
        kind: 'PodMetrics',
        resource: 'pods',
        namespaced: true,
        versions: [{ name: 'v1beta1', schema: pods }],
      }),
    )
  },
})

running('shows the usage of nodes and Pods', () =>
  withCluster(
    async ({ run, runWith }) => {
      const api = { apiVersion: 'metrics.orch.io/v1beta1' }
      const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } }
      const used = { ...api, kind: 'NodeMetrics', metadata: { name: 'n' }, usage: { cpu: '250m', memory: '512Mi' } }
      const containers = ['a', 'b'].map((name, index) => ({
        name,
        usage: { cpu: `${index + 1}500000n`, memory: `${index + 1}Mi` },
      }))
      const pods = { ...api, kind: 'PodMetrics', metadata: { name: 'p' }, containers }
      for (const object of [node, used, pods]) await runWith(JSON.stringify(object), 'create', '-f', '-')
      const room = { status: { allocatable: { cpu: '1', memory: '1Gi' } } }
      await run('patch', 'node/n', '--subresource=status', '-p', JSON.stringify(room))
      assert.is(
        (await run('top', 'nodes')).out,
        'NAME   CPU(cores)   CPU%   MEMORY(bytes)   MEMORY%\nn      250m         25%    512Mi           50%\n',
      )
      assert.is((await run('top', 'pod')).out, 'NAME   CPU(cores)   MEMORY(bytes)\np      5m           3Mi\n')
      assert.is(
        (await run('top', 'pod', 'p', '--containers', '--sort-by=cpu', '--no-headers')).out,
        'p   b   3m   2Mi\np   a   2m   1Mi\n',
      )
    },
    undefined,
    [metrics],
  ),
)

running('reports a missing metrics API, the identity of the user and the address of the server', () =>
  withOrchctl(async ({ run, server, folder, runWith }) => {
    const top = await run('top', 'pods')
    assert.equal([top.code, top.error], [1, 'error: Metrics API not available\n'])
    const who = await run('auth', 'whoami')
    assert.match(who.out, /^ATTRIBUTE +VALUE\nUsername +\S+\n[\s\S]*Groups +\[.*system:authenticated.*\]\n/)
    assert.match((await run('auth', 'whoami', '--as', 'jane', '-o', 'json')).out, '"username": "jane"')
    assert.is((await run('cluster-info')).out, `Orch control plane is running at ${server.baseUrl}\n`)

    const renamed = await run('config', 'rename-context', 'test', 'other')
    assert.is(renamed.out, 'Context "test" renamed to "other".\n')
    assert.is((await run('config', 'current-context')).out, 'other\n')
    assert.match((await run('config', 'rename-context', 'test', 'a')).error, `it's not in ${folder.path}/config`)

    const map = (data: object, more: object = {}) =>
      JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', ...more }, data })
    assert.is((await runWith(map({}), 'replace', '-f', '-')).code, 1, 'what is not there cannot be replaced')
    await runWith(map({ a: '1', b: '2' }, { labels: { x: 'y' } }), 'create', '-f', '-')
    assert.is((await runWith(map({ c: '3' }), 'replace', '-f', '-')).out, 'configmap/a replaced\n')
    const after = JSON.parse((await run('get', 'cm/a', '-o', 'json')).out)
    assert.equal([after.data, after.metadata.labels], [{ c: '3' }, undefined])
    const stale = await runWith(map({}, { resourceVersion: '1' }), 'replace', '-f', '-')
    assert.match(stale.error, '(Conflict)')
    const anew = await runWith(map({ d: '4' }), 'replace', '--force', '-f', '-')
    assert.is(anew.out, 'configmap "a" deleted\nconfigmap/a replaced\n')
    assert.is.not(JSON.parse((await run('get', 'cm/a', '-o', 'json')).out).metadata.uid, after.metadata.uid)
  }),
)

running('rejects unknown fields, unless it is set to warn or to ignore them', () =>
  withOrchctl(async ({ run, runWith }) => {
    const map = (more: object) =>
      JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, ...more })
    const odd = map({ dtaa: { a: '1' } })
    const unknown = /strict decoding error: unknown field "dtaa"/
    const refused = async (...args: string[]) => {
      const { code, error } = await runWith(odd, ...args, '-f', '-')
      assert.equal([code, unknown.test(error)], [1, true], `${args.join(' ')}: ${error}`)
    }
    await refused('create')
    await refused('create', '--validate')
    await refused('create', '--validate=strict', '--dry-run=server')
    const warned = await runWith(odd, 'create', '-f', '-', '--validate=warn')
    assert.equal([warned.out, warned.error], ['configmap/a created\n', 'Warning: unknown field "dtaa"\n'])
    const uid = (await run('get', 'cm/a', '-o', 'jsonpath={.metadata.uid}')).out
    await refused('replace')
    await refused('replace', '--force')
    assert.is((await run('get', 'cm/a', '-o', 'jsonpath={.metadata.uid}')).out, uid, 'nothing was deleted')
    await refused('apply', '--server-side=false')
    for (const ignores of ['--validate=ignore', '--validate=false'])
      assert.equal(await runWith(odd, 'replace', '-f', '-', ignores), {
        code: 0,
        out: 'configmap/a replaced\n',
        error: '',
      })
    assert.is((await runWith(odd, 'create', '-f', '-', '--validate=maybe')).code, 2)
  }),
)

running('times out if the server does not respond', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await new Promise(resolve => silent.once('listening', resolve))
  try {
    await withOrchctl(async ({ run }) => {
      const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
      const { code, error } = await run('get', 'cm', '-s', url, '--request-timeout=200ms')
      assert.equal([code, /took longer than 0\.2s \(--request-timeout\)/.test(error)], [3, true], error)
      assert.is((await run('get', 'cm', '--request-timeout=60')).code, 0)
      assert.is((await run('get', 'cm', '--request-timeout=soon')).code, 2)
    })
  } finally {
    silent.closeAllConnections()
    silent.close()
  }
})

running.run()
