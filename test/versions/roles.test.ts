import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ApiObject, type Lifespan, ServedLevel, type VersionName } from 'orch/sdk'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { differences } from './surface.js'

/** The default roles and bindings of every version, as one line for each verb, resource and name, or for each subject. */
const folder = fileURLToPath(new URL('../../../test/versions/facts', import.meta.url))
const facts = JSON.parse(readFileSync(join(folder, 'roles.json'), 'utf8')) as Record<string, readonly string[]>
const versions = Array.from({ length: 14 }, (_, i): VersionName => `1.${23 + i}`)

/** Loops that are no loops with an account of their own in the reference: its server does their work as itself. */
const ownLoops = [
  'apiservice-availability-controller',
  'customresourcedefinition-controller',
  'event-expiry',
  'flow-control',
  'serviceaccount-token',
].map(name => `system:controller:${name}`)

function recordedLines(version: VersionName): string[] {
  const level = new ServedLevel(version)
  return Object.entries(facts).flatMap(([object, entries]) =>
    entries.flatMap(entry => {
      const [verbs = '', target = '', span = ''] = entry.split('|').map(part => part.trim())
      return level.includes(lifespanOf(span)) ? verbs.split(' ').map(verb => `${object}: ${verb} ${target}`) : []
    }),
  )
}
function lifespanOf(span: string): Lifespan {
  const [since, until] = span.split('..') as VersionName[]
  return { ...(since ? { since } : {}), ...(until ? { until } : {}) }
}

interface Rule {
  readonly verbs: readonly string[]
  readonly apiGroups?: readonly string[]
  readonly resources?: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly nonResourceURLs?: readonly string[]
}
interface Granting extends ApiObject {
  readonly rules?: readonly Rule[]
  readonly aggregationRule?: object
  readonly subjects?: readonly { readonly kind: string; readonly name: string; readonly namespace?: string }[]
}

function linesOf(kind: string, { metadata, rules = [], aggregationRule, subjects = [] }: Granting): string[] {
  const object = `${kind} ${metadata.namespace ? `${metadata.namespace}/` : ''}${metadata.name}`
  // What a role collects from others is theirs.
  const own = aggregationRule ? [] : rules
  const lines = [
    ...own.flatMap(rule => targetsOf(rule).flatMap(target => rule.verbs.map(verb => `${verb} ${target}`))),
    ...subjects.map(({ kind: of, name, namespace }) => `${of} ${namespace ? `${namespace}/` : ''}${name}`),
  ]
  return (lines.length === 0 ? ['exists '] : lines).map(line => `${object}: ${line}`)
}
const targetsOf = ({ nonResourceURLs, apiGroups = [], resources = [], resourceNames }: Rule): readonly string[] =>
  nonResourceURLs ??
  apiGroups.flatMap(group =>
    resources.flatMap(resource => {
      const target = `${group || 'core'}/${resource}`
      return resourceNames?.map(name => `${target} ${name}`) ?? [target]
    }),
  )

async function servedLines(server: TestServer): Promise<string[]> {
  const kinds = ['ClusterRole', 'Role', 'ClusterRoleBinding', 'RoleBinding']
  const lists = kinds.map(async kind => {
    const group = 'rbac.authorization.k8s.io'
    const { items } = await server.client
      .resource<Granting>({ group, version: 'v1', resource: `${kind.toLowerCase()}s` })
      .list()
    return items
      .filter(({ metadata }) => !ownLoops.includes(metadata.name ?? ''))
      .flatMap(object => linesOf(kind, object))
  })
  return (await Promise.all(lists)).flat()
}

const roles = suite('default roles by version')

for (const version of versions)
  roles(`${version} has those of the reference and no others`, async () => {
    const server = await startServer({
      vendor: 'kubernetes',
      kubernetesVersion: version,
      options: { controllers: ['-*'] },
    })
    try {
      assert.equal(differences(recordedLines(version), await servedLines(server)), { missing: [], surplus: [] })
    } finally {
      await server.stop()
    }
  })

roles('a surplus and a missing permission are found', () => {
  const [first, ...others] = recordedLines('1.30')
  assert.equal(differences([first!, ...others], [...others, 'ClusterRole system:node: delete core/nodes']), {
    missing: [first],
    surplus: ['ClusterRole system:node: delete core/nodes'],
  })
})

roles.run()
