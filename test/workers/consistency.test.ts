import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { writeGreeter } from '../support/greeter-package.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { Connection, type WatchEvent } from './connection.js'
import { tryPlugins } from './plugins-of-workers.js'
import { makeTokens } from './revocable-tokens.js'
import { patientMs, startWorkers, type WorkerServer } from './worker-server.js'

const workers = suite('workers of one server')

const rbac = '/apis/rbac.authorization.orch.io/v1'
const maps = '/api/v1/namespaces/default/configmaps'
const configMap = (name: string, data: Record<string, string> = {}) => ({ metadata: { name }, data })
const alternating = <T>(items: readonly T[], index: number): T => items[index % items.length] as T

// One server for all of these: each takes names of its own.
let started: Promise<WorkerServer> | undefined
const folder = temporaryFolder()
const auditLog = join(folder.path, 'audit.log')
const pluginFolder = join(folder.path, 'plugins')
for (const version of ['1', '2']) writeGreeter(pluginFolder, version)
const server = () =>
  (started ??= startWorkers(
    2,
    '--service-cluster-ip-range=10.0.0.0/27',
    `--audit-log-path=${auditLog}`,
    `--plugin-folder=${pluginFolder}`,
  ))
/** One connection of the administrator to each worker. */
let connected: Promise<Connection[]> | undefined
const oneToEach = async () => (connected ??= (await server()).oneToEach())
workers.after(async () => {
  await (await started)?.stop()
  folder.remove()
})

workers('share one port, and print the banner once', async () => {
  const { running, workers: pids } = await server()
  assert.is(pids().length, 2)
  await oneToEach()
  await eventually('the banner', () => running.output().includes('Serving at'), patientMs)
  assert.is(running.output().split('Serving at').length - 1, 1)
})

workers('show immediately what was written through another one', async () => {
  const connections = await oneToEach()
  for (let round = 0; round < 60; round++) {
    const [writer, reader] = [alternating(connections, round), alternating(connections, round + 1)]
    const path = `${maps}/seen-${round}`
    const made = await writer.post(maps, configMap(`seen-${round}`))
    assert.is(made.status, 201)
    assert.equal((await reader.get(path)).body.metadata, made.body.metadata)
    const changed = await writer.put(path, { ...made.body, data: { round: String(round) } })
    const listed = await reader.get(`${maps}?fieldSelector=metadata.name=seen-${round}`)
    assert.is(listed.body.items?.[0]?.metadata.resourceVersion, changed.body.metadata.resourceVersion)
    assert.ok(Number(listed.body.metadata.resourceVersion) >= Number(changed.body.metadata.resourceVersion))
    assert.is((await reader.put(path, made.body)).status, 409)
    assert.is((await writer.delete(path)).status, 200)
    assert.is((await reader.get(path)).status, 404)
  }
})

workers('all reload changed files', async () => {
  const { tokenFile, oneToEach: connect } = await server()
  appendFileSync(tokenFile, 'latetoken,late,3,system:masters\n')
  const connections = await connect('latetoken')
  await eventually(
    'every worker to know the new token',
    async () => {
      const replies = await Promise.all(connections.map(each => each.get(maps)))
      return replies.every(({ status }) => status === 200)
    },
    patientMs,
  )
  for (const each of connections) each.close()
})

workers('all load the plugins of Plugin objects; loops run in the primary', async () => {
  await tryPlugins(await oneToEach(), (await server()).running.pid)
})

workers('send every write to every watcher, in one order', async () => {
  const { url, ca } = await server()
  const connections = await oneToEach()
  const start = (await alternating(connections, 0).get(maps)).body.metadata.resourceVersion
  const watchers = Array.from({ length: 8 }, () => {
    const seen: WatchEvent[] = []
    const { stop } = new Connection({ url, ca }).watch(`${maps}?watch=1&resourceVersion=${start}`, event =>
      seen.push(event),
    )
    return { seen, stop }
  })
  const names = Array.from({ length: 80 }, (_, index) => `told-${index}`)
  await Promise.all(names.map((name, index) => alternating(connections, index).post(maps, configMap(name))))
  await Promise.all(names.map((name, index) => alternating(connections, index + 1).delete(`${maps}/${name}`)))
  const versionsOf = (seen: readonly WatchEvent[]) => seen.map(({ object }) => Number(object.metadata.resourceVersion))
  for (const { seen } of watchers) await eventually('all events', () => seen.length >= 2 * names.length, patientMs)
  for (const { seen, stop } of watchers) {
    stop()
    const versions = versionsOf(seen)
    assert.equal(
      versions,
      [...versions].sort((one, other) => one - other),
    )
    assert.equal(versions, versionsOf(watchers[0]?.seen ?? []))
    assert.is(seen.filter(({ type }) => type === 'DELETED').length, names.length)
  }
})

workers('authorize by permissions that were granted, revoked or created through another one', async () => {
  const admins = await oneToEach()
  const janes = await (await server()).oneToEach('janetoken')
  for (let round = 0; round < 10; round++) {
    const admin = alternating(admins, round)
    const namespace = `grants-${round}`
    assert.is((await admin.post('/api/v1/namespaces', { metadata: { name: namespace } })).status, 201)
    const [path, inside] = [
      `${rbac}/namespaces/${namespace}/rolebindings`,
      `/api/v1/namespaces/${namespace}/configmaps`,
    ]
    const binding = {
      metadata: { name: 'jane' },
      roleRef: { apiGroup: 'rbac.authorization.orch.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'User', name: 'jane', apiGroup: 'rbac.authorization.orch.io' }],
    }
    assert.is((await admin.post(path, binding)).status, 201)
    for (const [index, jane] of janes.entries())
      assert.is((await jane.post(inside, configMap(`of-jane-${index}`))).status, 201)
    assert.is((await admin.delete(`${path}/jane`)).status, 200)
    for (const jane of janes) assert.is((await jane.get(inside)).status, 403)
  }
})

workers(
  'accept a token from another one, until the object that it is bound to is deleted through yet another',
  async () => {
    const { oneToEach: connect } = await server()
    const admins = await oneToEach()
    for (const [at, { token, dependsOn }] of (await makeTokens(admins)).entries()) {
      const robots = await connect(token)
      for (const robot of robots) assert.is((await robot.get('/api/v1/namespaces')).status, 403, dependsOn)
      assert.is((await alternating(admins, at).delete(dependsOn)).status, 200)
      for (const robot of robots) assert.is((await robot.get('/api/v1/namespaces')).status, 401, dependsOn)
      for (const robot of robots) robot.close()
    }
  },
)

workers('admit exactly as many objects as a quota allows', async () => {
  const connections = await oneToEach()
  const [admin] = connections
  await admin?.post('/api/v1/namespaces', { metadata: { name: 'small' } })
  const quotas = '/api/v1/namespaces/small/resourcequotas'
  await admin?.post(quotas, { metadata: { name: 'ten' }, spec: { hard: { 'count/configmaps': '10' } } })
  await eventually(
    'the quota to be counted',
    async () => (await admin?.get(`${quotas}/ten`))?.body.status?.used !== undefined,
    patientMs,
  )
  const path = '/api/v1/namespaces/small/configmaps'
  const replies = await Promise.all(
    Array.from({ length: 40 }, (_, index) => alternating(connections, index).post(path, configMap(`racer-${index}`))),
  )
  const counted = (status: number) => replies.filter(reply => reply.status === status).length
  assert.equal([counted(201), counted(403)], [10, 30], JSON.stringify(replies.map(({ text }) => text)))
  assert.is((await admin?.get(path))?.body.items?.length, 10)
})

workers('never allocate one address to two Services', async () => {
  const connections = await oneToEach()
  const path = '/api/v1/namespaces/default/services'
  const service = (name: string, clusterIP?: string) => ({
    metadata: { name },
    spec: { ports: [{ port: 80 }], ...(clusterIP ? { clusterIP } : {}) },
  })
  // The same address asked for through both, at the same moment.
  for (let round = 0; round < 8; round++) {
    const address = `10.0.0.${round + 10}`
    const replies = await Promise.all(
      connections.map((connection, index) => connection.post(path, service(`wanted-${round}-${index}`, address))),
    )
    assert.equal(replies.map(({ status }) => status).sort(), [201, 422])
  }
  // Any address: the range has 30, the server's own Service has one, 8 are given, so that 21 are left.
  const own = await eventually(
    'the Service of the server itself',
    async () => (await connections[0]?.get(path))?.body.items?.some(({ spec }) => spec?.clusterIP === '10.0.0.1'),
    patientMs,
  )
  assert.ok(own)
  const replies = await Promise.all(
    Array.from({ length: 24 }, (_, index) => alternating(connections, index).post(path, service(`any-${index}`))),
  )
  assert.is(replies.filter(({ status }) => status === 201).length, 21, JSON.stringify(replies.map(({ text }) => text)))
  const listed = (await connections[0]?.get(path))?.body.items ?? []
  assert.is(new Set(listed.map(({ spec }) => spec?.clusterIP)).size, 30)
})

workers('change one hot object together without losing or refusing a change', async () => {
  const connections = await oneToEach()
  await connections[0]?.post(maps, configMap('hot'))
  const keys = Array.from({ length: 60 }, (_, index) => `key-${index}`)
  const { url, ca } = await server()
  const clients = Array.from({ length: 12 }, () => new Connection({ url, ca }))
  const replies = await Promise.all(
    keys.map((key, index) => alternating(clients, index).merge(`${maps}/hot`, { data: { [key]: 'set' } })),
  )
  for (const client of clients) client.close()
  assert.equal([...new Set(replies.map(({ status }) => status))], [200])
  const stored = (await connections[1]?.get(`${maps}/hot`))?.body.data ?? {}
  assert.equal(Object.keys(stored).sort(), [...keys].sort())
})

workers('create one object together by apply: one creates it, the others add to it', async () => {
  const connections = await oneToEach()
  for (let round = 0; round < 10; round++) {
    const path = `${maps}/applied-${round}`
    const keys = ['a', 'b', 'c', 'd']
    const replies = await Promise.all(
      keys.map((key, index) =>
        alternating(connections, index).apply(`${path}?fieldManager=${key}`, {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          ...configMap(`applied-${round}`, { [key]: 'set' }),
        }),
      ),
    )
    assert.equal(replies.map(({ status }) => status).sort(), [200, 200, 200, 201])
    assert.equal(Object.keys((await connections[0]?.get(path))?.body.data ?? {}).sort(), keys)
  }
})

workers('include the requests of all of them in /metrics', async () => {
  const connections = await oneToEach()
  const list =
    /^apiserver_request_total\{verb="LIST",[^}]*resource="podtemplates",[^}]*scope="namespace",[^}]*code="200"\} (\d+)$/m
  const totals = () =>
    Promise.all(connections.map(async each => Number(list.exec((await each.get('/metrics')).text)?.[1] ?? 0)))
  const [before = 0] = await totals()
  for (const connection of connections)
    for (let i = 0; i < 50; i++)
      assert.is((await connection.get('/api/v1/namespaces/default/podtemplates')).status, 200)
  for (const total of await totals()) assert.ok(total >= before + 100, `${before} before, ${total} after`)
  const text = (await connections[0]?.get('/metrics'))?.text ?? ''
  const revision = Number(/^apiserver_storage_revision (\d+)$/m.exec(text)?.[1])
  const listed = Number((await connections[0]?.get(maps))?.body.metadata.resourceVersion)
  assert.ok(revision <= listed, `the revision is not added up: ${revision}, at most ${listed}`)
})

workers('append whole lines to one audit log', async () => {
  const connections = await oneToEach()
  await Promise.all(
    Array.from({ length: 200 }, (_, index) => alternating(connections, index).get(`${maps}/audited-${index}`)),
  )
  const audited = () => {
    // The last line may still be on its way.
    const lines = readFileSync(auditLog, 'utf8').split('\n').slice(0, -1)
    const events = lines.map(line => JSON.parse(line) as { stage: string; requestURI: string })
    return events.filter(({ stage, requestURI }) => stage === 'ResponseComplete' && requestURI.includes('/audited-'))
  }
  await eventually('all events', () => audited().length === 200, patientMs)
})

workers('serve a type that a definition describes from when any of them shows it as established', async () => {
  const connections = await oneToEach()
  const definitions = '/apis/apiextensions.orch.io/v1/customresourcedefinitions'
  for (let round = 0; round < 6; round++) {
    const [writer, reader] = [alternating(connections, round), alternating(connections, round + 1)]
    const group = `round${round}.example.com`
    const names = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' }
    const openAPIV3Schema = {
      type: 'object',
      properties: { spec: { type: 'object', properties: { n: { type: 'integer' } } } },
    }
    const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }]
    const spec = { group, scope: 'Namespaced', names, versions }
    assert.is((await writer.post(definitions, { metadata: { name: `widgets.${group}` }, spec })).status, 201)
    const isEstablished = async () => {
      const { body } = await writer.get(`${definitions}/widgets.${group}`)
      const { status } = body as { status?: { conditions?: { type: string; status: string }[] | null } }
      return (status?.conditions ?? []).some(each => each.type === 'Established' && each.status === 'True')
    }
    await eventually('the definition to be established', isEstablished, patientMs)
    const objects = `/apis/${group}/v1/namespaces/default/widgets`
    const widget = { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: 'a' }, spec: { n: 1 } }
    assert.is((await reader.post(objects, widget)).status, 201)
    assert.is((await writer.get(`${objects}/a`)).status, 200)
    assert.is((await writer.delete(`${definitions}/widgets.${group}`)).status, 200)
    const isGone = async () => (await writer.get(`${definitions}/widgets.${group}`)).status === 404
    await eventually('the definition to go', isGone, patientMs)
    assert.is((await reader.get(objects)).status, 404)
  }
})

workers.run()
