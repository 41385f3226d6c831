import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Lifespan, ServedLevel, type VersionName } from 'orch/sdk'
import type { TestServer } from 'orch/sdk/testing'

/**
 * What a server shows of itself, and what the facts say a server of that version shows: resources with their verbs, and the
 * fields of every type. A line each, so that two surfaces are compared as two sets of lines.
 */
const folder = fileURLToPath(new URL('../../../test/versions/facts', import.meta.url))
const facts = <T>(name: string): T => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as T

interface ResourceFacts extends Lifespan {
  readonly kind: string
  readonly namespaced: boolean
  readonly verbs: readonly string[]
}
interface TypeFacts extends Lifespan {
  readonly fields?: Readonly<Record<string, string | (Lifespan & { readonly type: string })>>
}
interface DiscoveredResource {
  readonly name: string
  readonly kind: string
  readonly namespaced: boolean
  readonly verbs: readonly string[]
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
}

const verbsOf = (verbs: readonly string[]) => [...verbs].sort().join(',')

/** Every resource of a version, those included that are off by default. */
export function recordedResources(version: VersionName): string[] {
  const level = new ServedLevel(version)
  const groups = facts<Record<string, Record<string, ResourceFacts>>>('resources')
  return Object.entries(groups).flatMap(([groupVersion, resources]) =>
    Object.entries(resources)
      .filter(([, resource]) => level.includes(resource))
      .map(([name, { kind, verbs }]) => `${groupVersion} ${name} ${kind} ${verbsOf(connectVerbs(name, verbs))}`),
  )
}

/** The facts say `connect` where discovery lists the methods that connect. */
const connectVerbs = (name: string, verbs: readonly string[]): readonly string[] => {
  if (!verbs.includes('connect')) return verbs
  return name.endsWith('/proxy') ? ['create', 'delete', 'get', 'patch', 'update'] : ['create', 'get']
}

/** What a version serves by default, as its discovery says. Only some versions were recorded. */
export function recordedDiscovery(version: VersionName): string[] {
  const groups = facts<Record<string, readonly DiscoveredResource[]>>(`discovery-${version}`)
  return Object.entries(groups).flatMap(([groupVersion, resources]) =>
    resources.map(resource => discoveryLine(groupVersion, resource)),
  )
}

const discoveryLine = (
  groupVersion: string,
  { name, kind, namespaced, verbs, shortNames = [], categories = [] }: DiscoveredResource,
) =>
  [
    groupVersion,
    name,
    kind,
    namespaced ? 'namespaced' : 'cluster',
    verbsOf(verbs),
    shortNames.join(),
    categories.join(),
  ]
    .join(' ')
    .trimEnd()

/** Every field of every type of a version. */
export function recordedFields(version: VersionName): string[] {
  const level = new ServedLevel(version)
  return Object.entries(facts<Record<string, TypeFacts>>('types'))
    .filter(([, type]) => level.includes(type))
    .flatMap(([name, { fields = {} }]) =>
      Object.entries(fields)
        .filter(([, field]) => typeof field === 'string' || level.includes(field))
        .map(([field]) => `${name}.${field}`),
    )
}

/** The resources of a server, each with its kind and verbs. */
export async function servedResources(server: TestServer): Promise<string[]> {
  const found = await discoveredResources(server)
  return found.map(([groupVersion, { name, kind, verbs }]) => `${groupVersion} ${name} ${kind} ${verbsOf(verbs)}`)
}
export async function servedDiscovery(server: TestServer): Promise<string[]> {
  return (await discoveredResources(server)).map(([groupVersion, resource]) => discoveryLine(groupVersion, resource))
}

async function discoveredResources(server: TestServer): Promise<[string, DiscoveredResource][]> {
  const { groups } = await read<{ groups: { versions: { groupVersion: string }[] }[] }>(server, '/apis')
  const groupVersions = ['v1', ...groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => groupVersion))]
  const lists = groupVersions.map(async groupVersion => {
    const path = groupVersion === 'v1' ? '/api/v1' : `/apis/${groupVersion}`
    const { resources } = await read<{ resources: DiscoveredResource[] }>(server, path)
    return resources.map((resource): [string, DiscoveredResource] => [groupVersion, resource])
  })
  return (await Promise.all(lists)).flat()
}

/** The fields of every definition of a server's OpenAPI document. */
export async function servedFields(server: TestServer): Promise<string[]> {
  const { definitions } = await read<{ definitions: Record<string, { properties?: object }> }>(server, '/openapi/v2')
  return Object.entries(definitions).flatMap(([name, { properties = {} }]) =>
    Object.keys(properties).map(field => `${shortName(name)}.${field}`),
  )
}
/** `batch.v1.Job` of `io.k8s.api.batch.v1.Job`: the facts leave out where the source of a type is. */
const shortName = (name: string) =>
  name
    .replace(
      /^io\.k8s\.(api|apimachinery\.pkg\.apis|apiextensions-apiserver\.pkg\.apis|kube-aggregator\.pkg\.apis)\./,
      '',
    )
    .replace(/^io\.k8s\.apimachinery\.(?=pkg\.version\.)/, '')

async function read<T>(server: TestServer, path: string): Promise<T> {
  const response = await fetch(server.baseUrl + path, { headers: { authorization: `Bearer ${server.token}` } })
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  return (await response.json()) as T
}

/** What only one of two surfaces has. */
export function differences(recorded: readonly string[], served: readonly string[]) {
  const [first, second] = [new Set(recorded), new Set(served)]
  return {
    missing: recorded.filter(line => !second.has(line)).sort(),
    surplus: served.filter(line => !first.has(line)).sort(),
  }
}
