import type { ResourceCatalogue } from 'orch/sdk'
import type { Client, KindInfo } from 'orch/sdk/client'
import type { Expressions } from 'orch/sdk/expressions'
import { compilePolicy } from '../compiling/compile-policy.js'
import type { ExpressionWarnings, NamedRule, PolicySpec } from '../policies/schema.js'
import { type OpenApiDocument, objectSchema } from './object-schema.js'

/** Further types are not checked. */
const maxTypes = 10

/** Compiles the expressions of a policy against every type that its rules name. Returns the type errors. */
export async function checkTypes(
  spec: PolicySpec,
  client: Client,
  resources: ResourceCatalogue,
  expressions: Expressions,
): Promise<ExpressionWarnings> {
  const kinds = await kindsOf(spec.matchConstraints?.resourceRules ?? [], client, resources)
  // The OpenAPI document of a group is large, so it is requested only if the schema matters.
  const usesObject = mentions(spec, 'object') || mentions(spec, 'oldObject')
  const params = mentions(spec, 'params') ? await paramSchema(spec, client, resources) : undefined
  const warnings = new Map<string, string[]>()
  for (const kind of kinds) {
    const object = usesObject ? await schemaOf(kind, client) : {}
    if (!object) continue
    const about = `${kind.group}/${kind.version}, Kind=${kind.kind}`
    await compilePolicy(
      spec,
      expressions,
      (field, _, why) => {
        // Errors of a variable are reported where it is used.
        if (!field.startsWith('spec.variables'))
          warnings.set(field, [...(warnings.get(field) ?? []), `${about}: ${why.message}`])
      },
      { object, ...(params ? { params } : {}) },
    )
  }
  return [...warnings].map(([fieldRef, texts]) => ({ fieldRef, warning: texts.join('\n') }))
}

/** Whether any expression contains the name of this variable, even if it does not use the variable. */
function mentions(value: unknown, variable: string): boolean {
  if (typeof value === 'string') return value.includes(variable)
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some(each => mentions(each, variable))
}

type NamedKind = Pick<KindInfo, 'group' | 'version' | 'kind'>

/** The types that rules name. Wildcards and subresources are skipped. */
async function kindsOf(
  rules: readonly NamedRule[],
  client: Client,
  resources: ResourceCatalogue,
): Promise<readonly NamedKind[]> {
  const known = resources
    .all()
    .flatMap(({ servedVersions, ...info }) => servedVersions.map(version => ({ ...info, version })))
  const all = areAmong(rules, known) ? known : (await client.kinds({ fresh: true })).all
  const isNamed = ({ group, version, resource }: Pick<KindInfo, 'group' | 'version' | 'resource'>) =>
    rules.some(
      ({ apiGroups = [], apiVersions = [], resources = [] }) =>
        apiGroups.includes(group) && apiVersions.includes(version) && resources.includes(resource),
    )
  const byName = ({ group, version, kind }: NamedKind) => `${group}/${version} ${kind}`
  return all
    .filter(isNamed)
    .sort((left, right) => (byName(left) < byName(right) ? -1 : 1))
    .slice(0, maxTypes)
}

/** Whether this server has all groups and resources that rules name. Others may be those of an extension server. */
function areAmong(rules: readonly NamedRule[], known: readonly { group: string; resource: string }[]): boolean {
  const groups = new Set(['*', ...known.map(({ group }) => group)])
  const names = new Set(known.map(({ resource }) => resource))
  const isSkipped = (name: string) => name.includes('*') || name.includes('/')
  return rules.every(
    ({ apiGroups = [], resources = [] }) =>
      apiGroups.every(group => groups.has(group)) && resources.every(name => isSkipped(name) || names.has(name)),
  )
}

async function paramSchema({ paramKind }: PolicySpec, client: Client, resources: ResourceCatalogue) {
  if (!paramKind) return undefined
  const { apiVersion = '', kind = '' } = paramKind
  const [version = '', group = ''] = apiVersion.split('/').reverse()
  const isServed = resources.findKind(group, kind)?.servedVersions.includes(version)
  const found = isServed ? { group, version, kind } : (await client.kinds()).find(kind, apiVersion)
  return found && schemaOf(found, client)
}

async function schemaOf(kind: NamedKind, client: Client) {
  const place = kind.group === '' ? `api/${kind.version}` : `apis/${kind.group}/${kind.version}`
  const headers = { accept: 'application/json' }
  const document = await client.request<OpenApiDocument>({ method: 'GET', path: `/openapi/v3/${place}`, headers })
  return objectSchema(document, kind)
}
