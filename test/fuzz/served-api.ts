/** The parts of an OpenAPI schema that are needed to generate bodies. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema
  readonly items?: Schema
}

/** A type or subresource, and the kind of its bodies. */
export interface Target {
  /** `/api/v1` or `/apis/GROUP/VERSION`. */
  readonly root: string
  readonly resource: string
  readonly subresource: string
  readonly kind: string
  readonly apiVersion: string
  readonly namespaced: boolean
  readonly verbs: readonly string[]
  readonly schema: Schema | undefined
}

export interface ServedApi {
  readonly targets: readonly Target[]
  /** Follows references. */
  resolve(schema: Schema): Schema
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { parameters?: { in: string; schema?: Schema }[] }>>>>
  readonly definitions: Readonly<Record<string, Schema>>
}
interface ResourceEntry {
  readonly name: string
  readonly kind: string
  readonly namespaced: boolean
  readonly verbs: string[]
  readonly group?: string
  readonly version?: string
}

/** Everything that discovery lists, with the schemas that OpenAPI has for it. */
export async function discoverApi(get: (path: string) => Promise<unknown>): Promise<ServedApi> {
  const { groups } = (await get('/apis')) as { groups: { versions: { groupVersion: string }[] }[] }
  const versions = groups.flatMap(group => group.versions.map(({ groupVersion }) => groupVersion))
  const { paths, definitions } = (await get('/openapi/v2')) as OpenApi
  const targets: Target[] = []
  for (const root of ['/api/v1', ...versions.map(version => `/apis/${version}`)]) {
    const { resources, groupVersion } = (await get(root)) as { resources: ResourceEntry[]; groupVersion: string }
    for (const { name, kind, namespaced, verbs, group, version } of resources) {
      const [resource = '', subresource = ''] = name.split('/')
      const collection = `${root}${namespaced ? '/namespaces/{namespace}' : ''}/${resource}`
      const path = subresource === '' ? collection : `${collection}/{name}/${subresource}`
      const operations = paths[path]
      const body = [operations?.['post'], operations?.['put']]
        .flatMap(operation => operation?.parameters ?? [])
        .find(parameter => parameter.in === 'body')
      const apiVersion = version ? [group, version].filter(Boolean).join('/') : groupVersion
      targets.push({ root, resource, subresource, kind, apiVersion, namespaced, verbs, schema: body?.schema })
    }
  }
  const resolve = (schema: Schema): Schema =>
    schema.$ref ? (definitions[schema.$ref.replace('#/definitions/', '')] ?? {}) : schema
  return { targets, resolve }
}
