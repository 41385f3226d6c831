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
  expressions: Expressions,
): Promise<ExpressionWarnings> {
  const kinds = await kindsOf(spec.matchConstraints?.resourceRules ?? [], client)
  const params = await paramSchema(spec, client)
  const warnings = new Map<string, string[]>()
  for (const kind of kinds) {
    const object = await schemaOf(kind, client)
    if (!object) continue
    const about = `${kind.group}/${kind.version}, Kind=${kind.kind}`
    await compilePolicy(
      spec,
      expressions,
      (field, _, why) => {
        // A variable is told of where it is used.
        if (!field.startsWith('spec.variables'))
          warnings.set(field, [...(warnings.get(field) ?? []), `${about}: ${why.message}`])
      },
      { object, ...(params ? { params } : {}) },
    )
  }
  return [...warnings].map(([fieldRef, texts]) => ({ fieldRef, warning: texts.join('\n') }))
}

/** The types that rules name. Wildcards and subresources are skipped. */
async function kindsOf(rules: readonly NamedRule[], client: Client): Promise<KindInfo[]> {
  const { all } = await client.kinds({ fresh: true })
  const isNamed = ({ group, version, resource }: KindInfo) =>
    rules.some(
      ({ apiGroups = [], apiVersions = [], resources = [] }) =>
        apiGroups.includes(group) && apiVersions.includes(version) && resources.includes(resource),
    )
  const byName = ({ group, version, kind }: KindInfo) => `${group}/${version} ${kind}`
  return all
    .filter(isNamed)
    .sort((left, right) => (byName(left) < byName(right) ? -1 : 1))
    .slice(0, maxTypes)
}

async function paramSchema({ paramKind }: PolicySpec, client: Client) {
  if (!paramKind) return undefined
  const kind = (await client.kinds()).find(paramKind.kind ?? '', paramKind.apiVersion)
  return kind && schemaOf(kind, client)
}

async function schemaOf(kind: KindInfo, client: Client) {
  const place = kind.group === '' ? `api/${kind.version}` : `apis/${kind.group}/${kind.version}`
  const headers = { accept: 'application/json' }
  const document = await client.request<OpenApiDocument>({ method: 'GET', path: `/openapi/v3/${place}`, headers })
  return objectSchema(document, kind)
}
