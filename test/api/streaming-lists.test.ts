import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

interface Event {
  readonly type: string
  readonly object: {
    readonly kind: string
    readonly metadata: { readonly name?: string; readonly resourceVersion: string; readonly annotations?: object }
    readonly columnDefinitions?: readonly object[] | null
    readonly rows?: readonly { readonly cells: readonly unknown[]; readonly object: Event['object'] }[]
  }
}

const streaming = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'
const views = {
  objects: 'application/json',
  metadata: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  Table: 'application/json;as=Table;v=v1;g=meta.k8s.io',
  Protobuf: 'application/vnd.kubernetes.protobuf',
}
const ended = 'k8s.io/initial-events-end'

const open = (server: TestServer, path: string, accept = views.objects) =>
  fetch(server.baseUrl + path, { headers: { authorization: `Bearer ${server.token}`, accept } })

/** The text of a stream until a part of it has come, or its end. */
async function readUntil(response: Response, part: string): Promise<string> {
  let text = ''
  const decoder = new TextDecoder('latin1')
  const reader = response.body!.getReader()
  while (!text.includes(part)) {
    const { value, done } = await reader.read()
    if (done) break
    text += decoder.decode(value, { stream: true })
  }
  await reader.cancel()
  return text
}
/** The events of a stream up to the bookmark that ends the state. */
async function stateOf(server: TestServer, path: string, accept?: string): Promise<Event[]> {
  const response = await open(server, path, accept)
  const text = await readUntil(response, `"${ended}":"true"`)
  assert.is(response.status, 200, text)
  return text
    .split('\n')
    .filter(line => line.endsWith('}'))
    .map(line => JSON.parse(line) as Event)
}
async function errorOf(server: TestServer, path: string): Promise<[number, string]> {
  const response = await open(server, path)
  const { message } = (await response.json()) as { message: string }
  return [response.status, message]
}

/** Paths of all collections that can be watched. */
async function watchable(server: TestServer): Promise<string[]> {
  const get = async <T>(path: string) => (await (await open(server, path)).json()) as T
  const { groups } = await get<{ groups: { versions: { groupVersion: string }[] }[] }>('/apis')
  const roots = ['/api/v1', ...groups.flatMap(({ versions }) => versions.map(each => `/apis/${each.groupVersion}`))]
  const paths: string[] = []
  for (const root of roots) {
    const { resources } = await get<{ resources: { name: string; verbs: string[] }[] }>(root)
    for (const { name, verbs } of resources) if (verbs.includes('watch')) paths.push(`${root}/${name}`)
  }
  return paths
}

const lists = suite('streaming lists')
const maps = '/api/v1/namespaces/default/configmaps'
const names = (events: readonly Event[]) => events.map(({ type, object }) => `${type} ${object.metadata.name ?? ''}`)

let server: TestServer
lists.before(async () => {
  server = await startServer({ vendor: 'kubernetes', kubernetesVersion: '1.36', options: { controllers: ['-*'] } })
  const create = async (name: string, labels = {}) =>
    server.client
      .resource({ group: '', version: 'v1', resource: 'configmaps' })
      .in('default')
      .create({ metadata: { name, labels }, data: { k: 'v' } } as never)
  await create('a', { set: 'x' })
  await create('b')
  await create('c', { set: 'x' })
})
lists.after(() => server.stop())

for (const [view, accept] of Object.entries(views))
  lists(`every type sends the final bookmark of its initial state: ${view}`, async () => {
    const paths = await watchable(server)
    assert.ok(paths.length > 50, `${paths.length} types`)
    for (const path of paths) {
      const response = await open(server, `${path}?${streaming}&timeoutSeconds=5`, accept)
      const text = await readUntil(response, ended)
      assert.is(response.status, 200, path)
      assert.ok(text.includes(ended), `${path} has not ended its state: ${text.slice(-300)}`)
    }
  })

lists('the final bookmark follows the selected objects', async () => {
  const all = await stateOf(server, `${maps}?${streaming}`)
  assert.equal(names(all), ['ADDED a', 'ADDED b', 'ADDED c', 'BOOKMARK '])
  const listed = (await (await open(server, maps)).json()) as { metadata: { resourceVersion: string } }
  assert.is(all.at(-1)?.object.metadata.resourceVersion, listed.metadata.resourceVersion)
  const byLabel = await stateOf(server, `${maps}?${streaming}&labelSelector=set%3Dx`)
  assert.equal(names(byLabel), ['ADDED a', 'ADDED c', 'BOOKMARK '])
  const byField = await stateOf(server, `${maps}?${streaming}&fieldSelector=metadata.name%3Db`)
  assert.equal(names(byField), ['ADDED b', 'BOOKMARK '])
  const none = await stateOf(server, `${maps}?${streaming}&labelSelector=set%3Dnone`)
  assert.equal(names(none), ['BOOKMARK '])
})

lists('any, exact and unset versions, and watches without initial events', async () => {
  const version = (await stateOf(server, `${maps}?${streaming}`)).at(-1)?.object.metadata.resourceVersion
  for (const more of ['&resourceVersion=0', `&resourceVersion=${version}`, '&resourceVersion=1'])
    assert.equal(names(await stateOf(server, `${maps}?${streaming}${more}`)).length, 4, more)
  for (const query of ['watch=1&allowWatchBookmarks=true', 'watch=1&allowWatchBookmarks=true&resourceVersion=0'])
    assert.equal(names(await stateOf(server, `${maps}?${query}`)).length, 4, query)
})

lists('a Table has its columns once, and the annotation is in the row of the bookmark', async () => {
  for (const include of ['Metadata', 'Object', 'None']) {
    const events = await stateOf(server, `${maps}?${streaming}&includeObject=${include}`, views.Table)
    const [first, , , last] = events.map(({ object }) => object)
    assert.is(first?.columnDefinitions?.length, 3)
    assert.is(last?.columnDefinitions, null)
    assert.equal(last?.rows?.[0]?.object.metadata.annotations, { [ended]: 'true' })
  }
})

lists('parameters that contradict each other are rejected by name', async () => {
  const refusal = 'ListOptions.meta.k8s.io "" is invalid: '
  const cases: [query: string, message: string][] = [
    ['sendInitialEvents=true', 'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list'],
    [
      'watch=1&sendInitialEvents=true',
      'resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    ],
    [
      'watch=1&continue=x',
      'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided',
    ],
    [
      'watch=1&resourceVersionMatch=NotOlderThan',
      'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    ],
  ]
  for (const [query, message] of cases)
    assert.equal(await errorOf(server, `${maps}?${query}`), [422, refusal + message])
})

lists('versions without the gate reject it, and older ones ignore it', async () => {
  const message =
    'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled'
  const before = await startServer({
    vendor: 'kubernetes',
    kubernetesVersion: '1.30',
    options: { controllers: ['-*'] },
  })
  try {
    assert.equal(await errorOf(before, `${maps}?${streaming}`), [422, message])
  } finally {
    await before.stop()
  }
  const old = await startServer({ vendor: 'kubernetes', kubernetesVersion: '1.25', options: { controllers: ['-*'] } })
  try {
    const response = await open(old, `${maps}?watch=1&sendInitialEvents=true&timeoutSeconds=1`)
    assert.is(response.status, 200)
    assert.not.ok((await response.text()).includes(ended))
    assert.is((await errorOf(old, `${maps}?${streaming}`))[0], 422, 'a watch has no resourceVersionMatch there')
  } finally {
    await old.stop()
  }
})

lists.run()
