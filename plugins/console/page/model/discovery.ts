import { type Anything, ApiFailure, requestJson } from './api.js'
import type { ResourceType } from './resource-type.js'
import { settings } from './session.js'

/** Reads the types of a server: from two aggregated discovery documents, or version by version if it has none. */

export interface Discovered {
  /** Has every type been read already? */
  readonly isComplete: boolean
  /** The types in the preferred version of every group: sufficient for the first view. */
  preferred(): Promise<readonly ResourceType[]>
  /** The types in all versions, and the groups whose server does not respond. */
  all(): Promise<{ readonly types: readonly ResourceType[]; readonly missing: readonly string[] }>
}
const listKind = 'APIGroupDiscoveryList'

export async function discover(): Promise<Discovered> {
  const one = (version: string) => `application/json;g=${settings.value.groups.discovery};v=${version};as=${listKind}`
  const headers = { Accept: [one('v2'), one('v2beta1'), 'application/json'].join() }
  const [core, others] = await Promise.all(['/api', '/apis'].map(path => requestJson(path, { headers })))
  return core.kind === listKind && others.kind === listKind
    ? ofDocuments([...core.items, ...others.items])
    : ofEachVersion(others.groups)
}

function ofDocuments(groups: readonly Anything[]): Discovered {
  const missing: string[] = []
  const types = (versions: (group: Anything) => readonly Anything[]) =>
    groups.flatMap(group =>
      versions(group).flatMap(({ version, resources, freshness }) => {
        if (!resources && freshness === 'Stale') missing.push(group.metadata.name ?? '')
        return (resources ?? []).map((each: Anything) => ofDocument(group.metadata.name ?? '', version, each))
      }),
    )
  // The preferred version comes first.
  const preferred = types(group => group.versions.slice(0, 1))
  const rest = types(group => group.versions.slice(1))
  return {
    isComplete: true,
    preferred: async () => preferred,
    all: async () => ({ types: [...preferred, ...rest], missing: [...new Set(missing)] }),
  }
}

const ofDocument = (group: string, version: string, each: Anything): ResourceType => ({
  group,
  version,
  resource: each.resource,
  kind: each.responseKind?.kind ?? '',
  singular: each.singularResource || (each.responseKind?.kind ?? each.resource).toLowerCase(),
  shortNames: each.shortNames ?? [],
  isNamespaced: each.scope === 'Namespaced',
  verbs: each.verbs ?? [],
  subresources: (each.subresources ?? []).map(({ subresource }: Anything) => subresource),
})

type GroupVersion = readonly [group: string, version: string]

function ofEachVersion(groups: readonly Anything[]): Discovered {
  const preferred: GroupVersion[] = [['', 'v1']]
  const others: GroupVersion[] = []
  for (const { name, preferredVersion, versions } of groups)
    for (const { version } of versions)
      (version === preferredVersion?.version ? preferred : others).push([name, version])
  const missing: string[] = []
  const readAll = async (versions: readonly GroupVersion[]) => {
    const lists = versions.map(([group, version]) =>
      // Requests of the current view take precedence.
      typesOf(group, version, 'low').catch((failure: unknown) => {
        if (failure instanceof ApiFailure && failure.code === 0) throw failure
        missing.push(group)
        return []
      }),
    )
    return (await Promise.all(lists)).flat()
  }
  let first: Promise<readonly ResourceType[]> | undefined
  const readFirst = () => {
    first ??= readAll(preferred)
    return first
  }
  const all = async () => ({
    types: [...(await readFirst()), ...(await readAll(others))],
    missing: [...new Set(missing)],
  })
  return { isComplete: false, preferred: readFirst, all }
}

export const versionPath = (group: string, version: string): string =>
  group === '' ? `/api/${version}` : `/apis/${group}/${version}`

/** The types of one version of a group. */
export async function typesOf(group: string, version: string, priority: RequestPriority): Promise<ResourceType[]> {
  const { resources } = await requestJson(versionPath(group, version), { priority })
  const below = (name: string) =>
    resources
      .map((each: Anything) => each.name as string)
      .filter((each: string) => each.startsWith(`${name}/`))
      .map((each: string) => each.slice(name.length + 1))
  return resources
    .filter((each: Anything) => !each.name.includes('/'))
    .map((each: Anything) => ({
      group,
      version,
      resource: each.name,
      kind: each.kind,
      singular: each.singularName || each.kind.toLowerCase(),
      shortNames: each.shortNames ?? [],
      isNamespaced: each.namespaced,
      verbs: each.verbs,
      subresources: below(each.name),
    }))
}
