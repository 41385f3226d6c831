import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type ConformanceSamples, kubernetesProfile, Vendor } from 'orch/sdk'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { firstPartyPlugins } from '../conformance/first-party-plugins.js'
import { type EnginePlace, startEngines } from '../storage/engines.js'
import { temporaryFolder } from '../support/temporary-folder.js'

/**
 * Upgrades as people do them: one store with an object of every kind, served by one version after the other and back. Nothing is
 * lost, what a version does not serve is hidden and comes back, and managed fields stay.
 */

type Json = Record<string, unknown>
interface Stored {
  readonly resource: string
  readonly group: string
  /** As it was answered when it was created. */
  readonly created: Json
  readonly path: (version: string) => string
}

const minors = Object.keys(kubernetesProfile.releases ?? {})
const namespace = 'walk'
/** What every write changes, and what each version writes in its own way. */
const volatile = ['resourceVersion', 'creationTimestamp', 'generation', 'selfLink', 'managedFields']
const folder = temporaryFolder()

async function allSamples(): Promise<Readonly<Record<string, () => Json>>> {
  const vendor = new Vendor(kubernetesProfile)
  const pluginsFolder = fileURLToPath(new URL('../../plugins', import.meta.url))
  const all: Record<string, () => Json> = {}
  for (const name of firstPartyPlugins) {
    const module = await import(pathToFileURL(join(pluginsFolder, name, 'plugin.js')).href)
    const conformance = module.conformance as ConformanceSamples | ((v: Vendor, f: string) => ConformanceSamples)
    if (conformance === undefined) continue
    const { samples = {} } = typeof conformance === 'function' ? conformance(vendor, folder.path) : conformance
    for (const [type, { valid }] of Object.entries(samples)) if (valid) all[type] = valid as unknown as () => Json
  }
  return all
}

async function serve(place: EnginePlace, version: string): Promise<TestServer> {
  return await startServer({
    vendor: 'kubernetes',
    kubernetesVersion: version,
    dataDir: place.dataDir,
    options: {
      storageEngine: 'lmdb',
      ...place.options,
      controllers: ['-*'],
      disableAdmissionPlugins: ['ServiceAccount', 'NamespaceLifecycle', 'Priority', 'ResourceQuota', 'RuntimeClass'],
    },
  })
}

async function send(server: TestServer, method: string, path: string, body?: unknown): Promise<[number, Json]> {
  const answer = await fetch(`${server.baseUrl}${path}`, {
    method,
    headers: { Authorization: `Bearer ${server.token}`, 'Content-Type': 'application/json', 'User-Agent': 'walker' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return [answer.status, text.startsWith('{') ? (JSON.parse(text) as Json) : { text }]
}

interface ServedType {
  readonly group: string
  readonly version: string
  readonly name: string
  readonly kind: string
  readonly namespaced: boolean
  readonly verbs: readonly string[]
}

/** The types that can be created and read, each at the version that its group prefers. */
async function servedTypes(server: TestServer): Promise<readonly ServedType[]> {
  const groups = (await send(server, 'GET', '/apis'))[1]['groups'] as { preferredVersion: { groupVersion: string } }[]
  const paths = ['v1', ...groups.map(group => group.preferredVersion.groupVersion)]
  const lists = await Promise.all(
    paths.map(async groupVersion => {
      const [group = '', version = ''] = groupVersion.includes('/') ? groupVersion.split('/') : ['', groupVersion]
      const [, { resources }] = await send(server, 'GET', group === '' ? '/api/v1' : `/apis/${groupVersion}`)
      // The sample of an extension server has none behind it.
      return ((resources ?? []) as ServedType[]).map(each => ({ ...each, group, version }))
    }),
  )
  const isStored = ({ name, verbs }: ServedType) =>
    !name.includes('/') && ['create', 'get', 'delete'].every(verb => verbs.includes(verb))
  return lists.flat().filter(isStored)
}

const apiPath = (group: string, version: string) => (group === '' ? `/api/${version}` : `/apis/${group}/${version}`)

/** Creates an object of every served type that there is none of yet. */
async function createMissing(server: TestServer, samples: Awaited<ReturnType<typeof allSamples>>, stored: Stored[]) {
  for (const { group, version, name: resource, kind, namespaced } of await servedTypes(server)) {
    const key = group === '' ? resource : `${resource}.${group}`
    const sample = samples[key]
    if (!sample || stored.some(each => each.resource === resource && each.group === group)) continue
    const made = sample()
    const metadata = (made['metadata'] ?? {}) as Json
    const name = typeof metadata['name'] === 'string' ? metadata['name'] : 'walker'
    const scope = namespaced ? `/namespaces/${namespace}` : ''
    const body = {
      ...made,
      apiVersion: group === '' ? version : `${group}/${version}`,
      kind,
      metadata: { ...metadata, name, ...(namespaced ? { namespace } : {}), finalizers: ['example.com/keep'] },
    }
    const [status, created] = await send(server, 'POST', `${apiPath(group, version)}${scope}/${resource}`, body)
    // What needs another name or neighbour than its sample has is left to the conformance tests.
    if (status !== 201) continue
    stored.push({ resource, group, created, path: at => `${apiPath(group, at)}${scope}/${resource}/${name}` })
  }
}

/** Every object is there with its uid and its managers, or its type is not served. */
async function look(server: TestServer, version: string, stored: readonly Stored[]): Promise<Set<Stored>> {
  const types = await servedTypes(server)
  const seen = new Set<Stored>()
  for (const each of stored) {
    const type = types.find(({ group, name }) => group === each.group && name === each.resource)
    if (!type) continue
    const path = each.path(type.version)
    const [status, found] = await send(server, 'GET', path)
    assert.is(status, 200, `${version}: ${path}: ${JSON.stringify(found)}`)
    const [before, now] = [each.created['metadata'] as Json, found['metadata'] as Json]
    assert.is(now['uid'], before['uid'], `${version}: ${path}`)
    // A manager that wrote through two versions has two entries.
    const managers = (meta: Json) =>
      new Set(((meta['managedFields'] ?? []) as { manager: string }[]).map(m => m.manager))
    assert.equal([...managers(now)], [...managers(before)], `${version}: ${path}`)
    seen.add(each)
  }
  return seen
}

async function writeAgain(server: TestServer, stored: Iterable<Stored>, version: string): Promise<void> {
  const types = await servedTypes(server)
  for (const each of stored) {
    const type = types.find(({ group, name }) => group === each.group && name === each.resource)
    if (!type) continue
    const path = each.path(type.version)
    const [, found] = await send(server, 'GET', path)
    const metadata = found['metadata'] as Json
    const labels = { ...((metadata['labels'] ?? {}) as Json), [`seen-at-${version}`]: 'yes' }
    const [status, answer] = await send(server, 'PUT', path, { ...found, metadata: { ...metadata, labels } })
    assert.is(status, 200, `${version}: PUT ${path}: ${JSON.stringify(answer)}`)
  }
}

const { engines, stop } = await startEngines()
const walk = suite('a store that is served by one version after the other')
walk.after(async () => {
  folder.remove()
  await stop()
})

for (const { name: engine, place: newPlace } of engines)
  walk(`keeps everything, on ${engine}`, async () => {
    const samples = await allSamples()
    const place = newPlace()
    const stored: Stored[] = []
    const [oldest, newest] = [minors[0]!, minors.at(-1)!]
    // The embedded store visits every version; what etcd adds does not depend on which ones they are.
    const stops =
      engine === 'lmdb' ? minors : minors.filter((_, index) => index % 4 === 0 || index === minors.length - 1)
    try {
      let atOldest: Set<Stored> | undefined
      for (const version of stops) {
        const server = await serve(place, version)
        try {
          if (version === oldest) await send(server, 'POST', '/api/v1/namespaces', { metadata: { name: namespace } })
          const seen = await look(server, version, stored)
          await createMissing(server, samples, stored)
          if (version === oldest) atOldest = new Set(stored)
          if (version === newest) await writeAgain(server, seen, version)
        } finally {
          await server.stop()
        }
      }
      assert.ok(atOldest !== undefined && atOldest.size > 40, `only ${atOldest?.size} types at ${oldest}`)
      assert.ok(stored.length > atOldest.size, 'later versions brought types')
      for (const version of [...stops].reverse().slice(1)) {
        const server = await serve(place, version)
        try {
          const seen = await look(server, version, stored)
          if (version !== oldest) continue
          assert.equal(new Set([...seen].map(each => each.resource)), new Set([...atOldest].map(each => each.resource)))
          await comparesWithCreated(server, atOldest)
        } finally {
          await server.stop()
        }
      }
    } finally {
      place.remove()
    }
  })

/**
 * Back where it began, an object has everything that it had. What the newest version added when it wrote the object, a label and
 * defaults of fields that the oldest knows behind a gate, may be there as well, as in the reference.
 */
async function comparesWithCreated(server: TestServer, stored: Iterable<Stored>): Promise<void> {
  const types = await servedTypes(server)
  for (const each of stored) {
    const type = types.find(({ group, name }) => group === each.group && name === each.resource)!
    const [, found] = await send(server, 'GET', each.path(type.version))
    assert.equal(missing(each.created, found), [], each.path(type.version))
  }
}

/** The paths of values that one has and the other lacks, or has differently. */
function missing(before: unknown, now: unknown, path = ''): string[] {
  if (before === null || typeof before !== 'object')
    return Object.is(before, now) ? [] : [`${path}: ${JSON.stringify(before)} became ${JSON.stringify(now)}`]
  const other = (now ?? {}) as Json
  return Object.entries(before)
    .filter(([key]) => !volatile.includes(key))
    .flatMap(([key, value]) => missing(value, other[key], `${path}.${key}`))
}

walk.run()
