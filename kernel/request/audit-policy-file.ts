import { Ajv } from 'ajv'
import { type Static, Type } from 'orch/sdk'
import { readYaml } from 'orch/sdk/files'
import { isDns1123Subdomain } from 'orch/sdk/validation'

const Texts = Type.Optional(Type.Array(Type.String()))
const oneOf = (...values: string[]) => Type.Union(values.map(value => Type.Literal(value)))
const Level = Type.Union([
  Type.Literal('None'),
  Type.Literal('Metadata'),
  Type.Literal('Request'),
  Type.Literal('RequestResponse'),
])
const Stages = Type.Optional(Type.Array(oneOf('RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic')))
const Rule = Type.Object({
  level: Level,
  users: Texts,
  userGroups: Texts,
  verbs: Texts,
  namespaces: Texts,
  resources: Type.Optional(
    Type.Array(Type.Object({ group: Type.Optional(Type.String()), resources: Texts, resourceNames: Texts })),
  ),
  nonResourceURLs: Texts,
  omitStages: Stages,
  omitManagedFields: Type.Optional(Type.Boolean()),
})
const Policy = Type.Object({
  apiVersion: Type.Optional(Type.String()),
  kind: Type.Optional(Type.Literal('Policy')),
  metadata: Type.Optional(Type.Unknown()),
  omitStages: Stages,
  omitManagedFields: Type.Optional(Type.Boolean()),
  rules: Type.Array(Rule, { minItems: 1 }),
})
export type AuditRule = Static<typeof Rule>
export type AuditPolicyFile = Static<typeof Policy>

/** Parses a policy file. Throws one error that lists every problem. */
export function parseAuditPolicy(text: string): AuditPolicyFile {
  const [value] = readYaml(text).documents
  const check = new Ajv({ allErrors: true }).compile<AuditPolicyFile>(Policy)
  const problems = check(value)
    ? value.rules.flatMap((rule, i) => problemsOf(rule).map(problem => `/rules/${i} ${problem}`))
    : (check.errors ?? []).map(error => `${error.instancePath || '/'} ${error.message}`)
  if (problems.length > 0) throw new Error(`the audit policy is not valid: ${problems.join('; ')}`)
  return value as AuditPolicyFile
}

/** A rule that can never match, or that does not match what it appears to, is an error. */
function problemsOf({ resources = [], namespaces = [], nonResourceURLs = [] }: AuditRule): string[] {
  const isAboutResources = resources.length > 0 || namespaces.length > 0
  return [
    ...(isAboutResources && nonResourceURLs.length > 0 ? ['has both nonResourceURLs and resources or namespaces'] : []),
    ...nonResourceURLs.filter(url => !isPath(url)).map(url => `has "${url}", which does not start with a slash`),
    ...nonResourceURLs
      .filter(url => /\*./.test(url))
      .map(url => `has "${url}": a * matches the rest of a path, so it must be the last character`),
    ...resources
      .filter(({ group = '' }) => group !== '' && isDns1123Subdomain(group).length > 0)
      .map(({ group }) => `has "${group}", which is not a group (write it without its version)`),
    ...(resources.some(one => one.resourceNames?.length && !one.resources?.length)
      ? ['has resourceNames without resources']
      : []),
  ]
}

const isPath = (url: string) => url === '*' || url.startsWith('/')
