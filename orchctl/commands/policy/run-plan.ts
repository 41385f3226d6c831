import { setTimeout } from 'node:timers/promises'
import { type ApiObject, definePlugin, defineStartTask, type VendorProfile } from 'orch/sdk'
import { type PolicyDecision, policyDecisions } from 'orch/sdk/admission'
import type { Kinds } from 'orch/sdk/client'
import type { Expectation, TestPlan, Trial } from './test-plan.js'

/** The result for one object. */
export interface Outcome {
  readonly subject: string
  readonly decisions: readonly PolicyDecision[]
  readonly result: 'allowed' | 'denied' | 'allowed with warnings' | 'refused'
  readonly expected: Expectation
  readonly isExpected: boolean
  /** Why something other than a policy rejected it. */
  readonly refusal?: string
  /** As it would be stored. */
  readonly object?: ApiObject
}

/** The user who sends the objects; an administrator by default. */
export interface Sender {
  readonly name: string | undefined
  readonly groups: readonly string[]
}

/**
 * Starts a server in this process, in memory and on a random port, and sends the objects to it as dry runs. `warn` is
 * called with the type errors that the server finds in expressions.
 */
export async function* runPlan(plan: TestPlan, sender: Sender, warn: (text: string) => void): AsyncGenerator<Outcome> {
  const observed: PolicyDecision[] = []
  // Hidden from the bundler: a server is large, and no other command needs one.
  const door = 'orch/sdk/testing'
  const { startServer } = (await import(door)) as typeof import('orch/sdk/testing')
  const observer = definePlugin({
    name: 'policy-test',
    requires: ['policies'],
    register: to =>
      to.onStart(
        defineStartTask({
          name: 'observe policies',
          needs: { decisions: policyDecisions },
          async run({ decisions }) {
            const stop = decisions.observe(decision => observed.push(decision))
            return async () => stop()
          },
        }),
      ),
  })
  const server = await startServer({
    vendor: plan.vendor,
    ...newestVersion(plan.vendor),
    morePlugins: [observer],
    options: {
      // Only the loops that serve custom types and check the types of expressions; Pods need no service account.
      controllers: ['-*', 'customresourcedefinition', 'validatingadmissionpolicy-status'],
      disableAdmissionPlugins: ['ServiceAccount'],
      authorizationMode: plan.hasRights ? ['RBAC'] : ['AlwaysAllow'],
    },
  })
  try {
    if (plan.definitions.length > 0) await server.installCrds(...(plan.definitions as never[]))
    const kinds = await server.client.kinds({ fresh: true })
    const send = (method: string, object: ApiObject, query = '', headers: Headers = []) =>
      request(server, kinds, method, object, query, headers)
    for (const object of [...namespacesOf(plan, kinds), ...plan.existing, ...plan.policies]) {
      const { status, json } = await send('POST', object)
      if (status >= 300) throw new Error(`${describe(object)} is not accepted: ${json['message']}`)
    }
    for (const policy of plan.policies.filter(({ kind }) => kind === 'ValidatingAdmissionPolicy'))
      for (const { fieldRef, warning } of await typeWarnings(async () => (await send('GET', policy)).json))
        warn(`${describe(policy)}, ${fieldRef}: ${warning}`)
    const impersonation = headersFor(sender)
    for (const trial of plan.trials) {
      observed.length = 0
      const object =
        trial.operation === 'UPDATE' ? basedOn((await send('GET', trial.object)).json, trial.object) : trial.object
      const answer = await send(methods[trial.operation], object, '?dryRun=All', impersonation)
      yield outcomeOf(trial, [...observed], answer)
    }
  } finally {
    await server.stop()
  }
}

interface CheckedPolicy {
  readonly metadata?: { readonly generation?: number }
  readonly status?: {
    readonly observedGeneration?: number
    readonly typeChecking?: { readonly expressionWarnings?: readonly { fieldRef: string; warning: string }[] }
  }
}
/** How long to wait for type warnings, which do not decide the result. */
const longestCheckMs = 10_000

/** The type warnings of a policy, once the server has checked it. */
async function typeWarnings(read: () => Promise<CheckedPolicy>) {
  const until = Date.now() + longestCheckMs
  for (;;) {
    const { metadata, status } = await read()
    if (status?.observedGeneration === metadata?.generation || Date.now() > until)
      return status?.typeChecking?.expressionWarnings ?? []
    await setTimeout(20)
  }
}

/** Adds the resource version of the stored object for an update. */
function basedOn(stored: Record<string, unknown>, object: ApiObject): ApiObject {
  const { resourceVersion } = (stored['metadata'] ?? {}) as ApiObject['metadata']
  return { ...object, metadata: { ...object.metadata, ...(resourceVersion ? { resourceVersion } : {}) } }
}

const methods = { CREATE: 'POST', UPDATE: 'PUT', DELETE: 'DELETE' } as const

type Headers = [name: string, value: string][]

interface Answer {
  readonly status: number
  readonly json: Record<string, unknown>
}

async function request(
  server: { readonly baseUrl: string; readonly token: string },
  kinds: Kinds,
  method: string,
  object: ApiObject,
  query: string,
  headers: Headers,
): Promise<Answer> {
  const kind = kinds.find(object.kind ?? '', object.apiVersion)
  if (!kind) throw new Error(`no type ${object.kind} of ${object.apiVersion} is known: add its definition to the files`)
  const place = kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`
  const namespace = kind.namespaced ? `/namespaces/${object.metadata.namespace ?? 'default'}` : ''
  const name = method === 'POST' ? '' : `/${object.metadata.name}`
  const answer = await fetch(`${server.baseUrl}${place}${namespace}/${kind.resource}${name}${query}`, {
    method,
    headers: [['authorization', `Bearer ${server.token}`], ['content-type', 'application/json'], ...headers],
    ...(method === 'DELETE' || method === 'GET' ? {} : { body: JSON.stringify(object) }),
  })
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> }
}

/** The namespaces in the files, and those that objects refer to. */
function namespacesOf({ namespaces, existing, trials }: TestPlan, kinds: Kinds): ApiObject[] {
  const known = new Set(['default', ...namespaces.map(({ metadata }) => metadata.name)])
  const used = [...existing, ...trials.map(({ object }) => object)]
    .filter(({ kind = '', apiVersion }) => kinds.find(kind, apiVersion)?.namespaced)
    .flatMap(({ metadata }) => metadata.namespace ?? [])
  const missing = [...new Set(used)].filter(name => !known.has(name))
  return [...namespaces, ...missing.map(name => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }))]
}

function headersFor({ name, groups }: Sender): Headers {
  if (name === undefined) return []
  return [['impersonate-user', name], ...groups.map((group): [string, string] => ['impersonate-group', group])]
}

function outcomeOf({ object, operation, expected }: Trial, decisions: PolicyDecision[], answer: Answer): Outcome {
  const isRefused = answer.status >= 300
  const isDenied = isRefused && decisions.some(({ actions }) => actions.includes('Deny'))
  const isWarned = decisions.some(({ actions }) => actions.includes('Warn'))
  const result = isDenied ? 'denied' : isRefused ? 'refused' : isWarned ? 'allowed with warnings' : 'allowed'
  const isChanged = decisions.some(({ outcome }) => outcome === 'changed')
  const allowed = ['allowed', 'allowed with warnings']
  const wanted = { allow: allowed, deny: ['denied'], warn: ['allowed with warnings'], change: isChanged ? allowed : [] }
  return {
    subject: `${operation} ${describe(object)}`,
    decisions,
    result,
    expected,
    isExpected: wanted[expected].includes(result),
    ...(result === 'refused' ? { refusal: String(answer.json['message']) } : {}),
    ...(isRefused ? {} : { object: answer.json as ApiObject }),
  }
}

function describe({ kind, metadata: { namespace, name, generateName } }: ApiObject): string {
  return `${kind} ${namespace ? `${namespace}/` : ''}${name ?? generateName ?? ''}`
}

/** The newest version of the vendor: older ones do not serve policies. */
function newestVersion({ releases = {} }: VendorProfile): { readonly kubernetesVersion?: string } {
  const kubernetesVersion = Object.keys(releases).at(-1)
  return kubernetesVersion === undefined ? {} : { kubernetesVersion }
}
