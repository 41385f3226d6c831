import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { withCluster } from '../test/support/run-orchctl.js'

const nodes = suite('orchctl and nodes')

const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } }

nodes('cordons, taints and drains a node', () =>
  withCluster(async ({ run, runWith }) => {
    const create = (object: object) => runWith(JSON.stringify(object), 'create', '-f', '-')
    await create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1', labels: { zone: 'a' } } })
    assert.is((await run('cordon', 'n1')).out, 'node/n1 cordoned\n')
    assert.is((await run('cordon', 'node/n1')).out, 'node/n1 already cordoned\n')
    assert.is((await run('uncordon', '-l', 'zone=a')).out, 'node/n1 uncordoned\n')
    assert.is((await run('get', 'node/n1', '-o', 'jsonpath={.spec.unschedulable}')).out, '')

    assert.is((await run('taint', 'node', 'n1', 'dedicated=db:NoSchedule')).out, 'node/n1 tainted\n')
    const other = await run('taint', 'node', 'n1', 'dedicated=web:NoSchedule')
    assert.equal([other.code, /add --overwrite/.test(other.error)], [2, true])
    assert.is((await run('taint', 'node', 'n1', 'dedicated=web:NoSchedule', '--overwrite')).out, 'node/n1 tainted\n')
    assert.is((await run('get', 'node/n1', '-o', 'jsonpath={.spec.taints[?(@.key=="dedicated")].value}')).out, 'web')
    assert.is((await run('taint', 'nodes', '--all', 'dedicated-')).out, 'node/n1 untainted\n')
    assert.match((await run('taint', 'node', 'n1', 'dedicated-')).error, 'taint "dedicated" not found')
    assert.is((await run('taint', 'node', 'n1', 'a=b:Sometimes')).code, 2)

    const pod = (name: string, more: object = {}) =>
      create({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name, labels: { app: 'a' } },
        spec: { ...template.spec, nodeName: 'n1', ...more },
      })
    await pod('alone')
    const refused = await run('drain', 'n1')
    assert.equal([refused.code, refused.out], [2, 'node/n1 cordoned\n'])
    assert.match(
      refused.error,
      'cannot delete Pods that declare no controller (use --force to override): default/alone',
    )
    await pod('scratch', { volumes: [{ name: 'v', emptyDir: {} }] })
    assert.match(
      (await run('drain', 'n1', '--force')).error,
      'local storage (use --delete-emptydir-data to override): default/scratch',
    )
    const tried = await run('drain', 'n1', '--force', '--delete-emptydir-data', '--dry-run=client')
    assert.equal([tried.code, /evicting pod default\/alone \(dry run\)/.test(tried.error)], [0, true])
    const drained = await run('drain', 'n1', '--force', '--delete-emptydir-data', '--grace-period=0')
    assert.is(drained.code, 0, drained.error)
    assert.match(drained.out, /^node\/n1 already cordoned\npod\/\w+ evicted\npod\/\w+ evicted\nnode\/n1 drained\n$/)
    assert.is((await run('get', 'pods', '-o', 'name')).out, '')
  }),
)

nodes('runs a Pod, reads subresources, asks before deleting, and reconciles permissions', () =>
  withCluster(async ({ run, runWith, folder }) => {
    const made = await run('run', 'web', '--image=nginx', '--port=80', '--env=A=b', '--expose', '--', 'x', 'y')
    assert.is(made.out, 'pod/web created\nservice/web created\n')
    const pod = JSON.parse((await run('get', 'pod/web', '-o', 'json')).out)
    const [{ args, env, ports }] = pod.spec.containers
    assert.equal(
      [args, env, ports, pod.metadata.labels],
      [['x', 'y'], [{ name: 'A', value: 'b' }], [{ containerPort: 80, protocol: 'TCP' }], { run: 'web' }],
    )
    assert.is((await run('get', 'service/web', '-o', 'jsonpath={.spec.selector.run}')).out, 'web')
    assert.match(
      (await run('exec', 'web', '--pod-running-timeout=20s', '--', 'date')).error,
      /cannot be reached: this server has no connection to nodes|timed out|does not have a host/,
    )

    await run('create', 'deployment', 'd', '--image=i')
    assert.match((await run('get', 'deployment/d', '--subresource=scale', '-o', 'jsonpath={.kind}')).out, 'Scale')
    assert.is((await run('get', 'deployments', '--subresource=scale')).code, 2)
    const plain = await run('get', 'deployment/d', '--server-print=false')
    assert.match(plain.out, /^NAME +AGE\nd +\d+s\n$/)

    const asked = await runWith('n\n', 'delete', 'deployment/d', '-i')
    assert.match(
      asked.out,
      /the following 1 resource\(s\):\ndeployment.apps\/d\nDo you want to continue\? \(y\/N\): deletion is cancelled/,
    )
    assert.match((await runWith('y\n', 'delete', 'deployment/d', '-i')).out, 'deployment.apps "d" deleted')
    const raw = '/api/v1/namespaces/default/configmaps'
    const map = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'raw' } })
    assert.is((await runWith(map, 'create', '--raw', raw, '-f', '-')).code, 0)
    assert.is((await run('delete', '--raw', `${raw}/raw`)).code, 0)
    assert.is((await run('get', 'cm/raw')).code, 1)

    const group = (await run('api-resources', '-o', 'name')).out.match(/^roles\.(.+)$/m)?.[1]
    const role = (...verbs: string[]) =>
      JSON.stringify({
        apiVersion: `${group}/v1`,
        kind: 'Role',
        metadata: { name: 'r' },
        rules: [{ apiGroups: [''], resources: ['pods'], verbs }],
      })
    const verbs = async () => (await run('get', 'role/r', '-o', 'jsonpath={.rules[*].verbs[*]}')).out
    assert.match((await runWith(role('get', 'list'), 'auth', 'reconcile', '-f', '-')).out, 'reconciled')
    await runWith(role('get'), 'auth', 'reconcile', '-f', '-')
    assert.is(await verbs(), 'get list', 'nothing is taken away')
    await runWith(role('watch'), 'auth', 'reconcile', '-f', '-')
    assert.is(await verbs(), 'get list watch')
    await runWith(role('watch'), 'auth', 'reconcile', '-f', '-', '--remove-extra-permissions')
    assert.is(await verbs(), 'watch')
    assert.match(
      (await run('cluster-info', 'dump', '--output-directory', `${folder.path}/dump`)).out,
      'Cluster info dumped to',
    )
    assert.match(readFileSync(`${folder.path}/dump/default/pods.json`, 'utf8'), '"name": "web"')
  }),
)

nodes.run()
