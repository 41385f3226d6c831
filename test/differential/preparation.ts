import type { SeededRandom } from '../fuzz/seeded-random.js'
import type { JsonObject } from '../golden/json-paths.js'
import type { Step } from '../golden/scenario.js'

const userShares: readonly (readonly [share: number, user: string])[] = [
  [0.88, 'admin'],
  [0.05, 'alice'],
  [0.04, 'bob'],
  [0.01, 'anonymous'],
  [0.01, 'badtoken'],
  [0.01, 'cert-carol'],
]

export function randomUser(random: SeededRandom): string {
  let dice = random.fraction()
  const [, user = 'admin'] = userShares.find(([share]) => (dice -= share) < 0) ?? []
  return user
}

/** What users other than the administrator may do in the namespace of a conversation. */
const verbsOf: Readonly<Record<string, readonly string[]>> = { alice: ['*'], bob: ['get', 'list', 'watch'] }
const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/{{ns}}'

const created = (path: string, body: JsonObject): Step => ({ method: 'POST', path, body, setup: true })
const awaited = (path: string, as?: string): Step => ({
  method: 'GET',
  path,
  ...(as === undefined ? {} : { as }),
  setup: true,
  waitFor: { status: 200, everyMs: 20 },
})

/** Creates the namespace of a conversation, with its account and the permissions of its users. */
export function preparation(users: Iterable<string>): Step[] {
  const steps = [
    created('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: '{{ns}}' } }),
    awaited('/api/v1/namespaces/{{ns}}/serviceaccounts/default'),
  ]
  for (const name of users) {
    const verbs = verbsOf[name]
    if (verbs === undefined) continue
    steps.push(
      created(`${rbac}/roles`, { metadata: { name }, rules: [{ apiGroups: ['*'], resources: ['*'], verbs }] }),
      created(`${rbac}/rolebindings`, {
        metadata: { name },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
        subjects: [{ kind: 'User', name }],
      }),
      awaited('/api/v1/namespaces/{{ns}}/configmaps', name),
    )
  }
  return steps
}
