/** A kind that the server serves, in one version. */
export interface KindInfo {
  readonly group: string
  readonly version: string
  readonly kind: string
  /** Plural name in paths. */
  readonly resource: string
  readonly singular: string
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly namespaced: boolean
  readonly verbs: readonly string[]
  readonly subresources: readonly string[]
}

/** The kinds of a server: the core group first, then the groups in the server's order, preferred versions first. */
export interface Kinds {
  readonly all: readonly KindInfo[]
  /** `group/version` of groups that did not answer; they are missing in `all`. */
  readonly unavailable: readonly string[]
  /** By kind, in an exact `apiVersion` or else the preferred one. */
  find(kind: string, apiVersion?: string): KindInfo | undefined
  /** By plural name, in the preferred version. */
  findResource(group: string, resource: string): KindInfo | undefined
  /** As people type it: plural, singular, short name or kind in any case, optionally `.group` or `.version.group`. */
  findByName(name: string): KindInfo | undefined
}

/** `group/version`, or `version` for the core group. */
export const apiVersionOf = ({ group, version }: { readonly group: string; readonly version: string }): string =>
  group === '' ? version : `${group}/${version}`

interface ApiResource {
  readonly name: string
  readonly kind: string
  readonly singularName?: string
  readonly namespaced?: boolean
  readonly verbs?: readonly string[]
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
}
interface GroupList {
  readonly groups?: readonly {
    readonly name: string
    readonly versions: readonly { readonly version: string }[]
    readonly preferredVersion?: { readonly version: string }
  }[]
}

/** Discovers the kinds of a server. `get` fetches the JSON of a path. */
export async function discoverKinds(get: <A>(path: string) => Promise<A>): Promise<Kinds> {
  const [core, groups] = await Promise.all([get<{ versions?: readonly string[] }>('/api'), get<GroupList>('/apis')])
  const places = [
    ...(core.versions ?? []).map(version => ({ group: '', version, path: `/api/${version}` })),
    ...(groups.groups ?? []).flatMap(({ name, versions, preferredVersion }) =>
      versions
        .map(({ version }) => ({ group: name, version, path: `/apis/${name}/${version}` }))
        .sort(
          (a, b) => Number(b.version === preferredVersion?.version) - Number(a.version === preferredVersion?.version),
        ),
    ),
  ]
  const unavailable: string[] = []
  const found = await Promise.all(
    places.map(async place => {
      try {
        const { resources = [] } = await get<{ resources?: readonly ApiResource[] }>(place.path)
        return kindsOf(place, resources)
      } catch {
        // One broken group must not hide the others; its name is in `unavailable`.
        unavailable.push(apiVersionOf(place))
        return []
      }
    }),
  )
  return new DiscoveredKinds(found.flat(), unavailable)
}

function kindsOf(
  { group, version }: { group: string; version: string },
  resources: readonly ApiResource[],
): KindInfo[] {
  return resources
    .filter(({ name }) => !name.includes('/'))
    .map(one => ({
      group,
      version,
      kind: one.kind,
      resource: one.name,
      singular: one.singularName || one.kind.toLowerCase(),
      shortNames: one.shortNames ?? [],
      categories: one.categories ?? [],
      namespaced: one.namespaced ?? false,
      verbs: one.verbs ?? [],
      subresources: resources
        .filter(({ name }) => name.startsWith(`${one.name}/`))
        .map(({ name }) => name.slice(one.name.length + 1)),
    }))
}

class DiscoveredKinds implements Kinds {
  readonly all: readonly KindInfo[]
  readonly unavailable: readonly string[]
  constructor(all: readonly KindInfo[], unavailable: readonly string[]) {
    this.all = all
    this.unavailable = unavailable
  }
  find(kind: string, apiVersion?: string): KindInfo | undefined {
    return this.all.find(one => one.kind === kind && (apiVersion === undefined || apiVersionOf(one) === apiVersion))
  }
  findResource(group: string, resource: string): KindInfo | undefined {
    return this.all.find(one => one.group === group && one.resource === resource)
  }
  findByName(name: string): KindInfo | undefined {
    const dot = name.indexOf('.')
    const word = (dot < 0 ? name : name.slice(0, dot)).toLowerCase()
    const place = dot < 0 ? undefined : name.slice(dot + 1)
    const isInGroup = ({ group, version }: KindInfo) =>
      place === undefined || place === group || place === (group === '' ? version : `${version}.${group}`)
    const hasName = (one: KindInfo) => [one.resource, one.singular, one.kind.toLowerCase()].includes(word)
    // Full names win over short ones, whatever the order of the groups.
    return (
      this.all.find(one => isInGroup(one) && hasName(one)) ??
      this.all.find(one => isInGroup(one) && one.shortNames.includes(word))
    )
  }
}
