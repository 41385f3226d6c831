import { setImmediate as nextTurn } from 'node:timers/promises'
import { kubernetesProfile, type StrategyContext, Vendor } from 'orch/sdk'
import { mastersGroup } from 'orch/sdk/identity'
import type { LimitedRequest } from 'orch/sdk/server'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { mandatoryLevels, mandatorySchemas } from './bootstrap/mandatory.js'
import { suggestedLevels, suggestedSchemas } from './bootstrap/suggested.js'
import { FlowMetrics } from './fairness/flow-metrics.js'
import { FairLimiter } from './fairness/limiter.js'
import type { FlowSchema } from './flow-schemas/schema.js'
import { validateFlowSchema } from './flow-schemas/validation.js'
import { flowControlNames } from './names.js'
import type { PriorityLevel } from './priority-levels/schema.js'
import { validatePriorityLevel } from './priority-levels/validation.js'

const names = flowControlNames(new Vendor(kubernetesProfile))
const objectsOf = <T>(specs: object) =>
  Object.entries(specs).map(([name, spec]) => ({ metadata: { name, uid: `uid of ${name}` }, spec })) as T[]
const schemas = objectsOf<FlowSchema>({ ...mandatorySchemas, ...suggestedSchemas(names) })
const levels = objectsOf<PriorityLevel>({ ...mandatoryLevels(names.level), ...suggestedLevels(names.level) })
const nothing = { inc() {}, set() {}, observe() {} }
const noMetrics = new FlowMetrics({ counter: () => nothing, gauge: () => nothing, histogram: () => nothing })

interface Asked extends LimitedRequest {
  readonly headers: Record<string, string>
  isFinished: boolean
}
function request(user: string, groups: string[], info: Partial<LimitedRequest['info']> = {}): Asked {
  const headers: Record<string, string> = {}
  return {
    user: { name: user, groups },
    info: {
      isResource: true,
      path: '/x',
      query: new URLSearchParams(),
      verb: 'get',
      group: '',
      accessNamespace: 'default',
      resource: 'pods',
      subresource: '',
      ...info,
    },
    isFinished: false,
    freeSeat: undefined,
    headers,
    setHeader(name, [value = '']) {
      headers[name] = value
    },
  }
}
const authenticated = ['system:authenticated']
function limiter(places = 100, extra: { levels?: PriorityLevel[]; schemas?: FlowSchema[] } = {}) {
  const source = {
    schemas: () => [...schemas, ...(extra.schemas ?? [])],
    levels: () => [...levels, ...(extra.levels ?? [])],
  }
  return new FairLimiter(source, names, { readOnly: places, mutating: places, timeoutMs: 60_000 }, noMetrics)
}

const sorting = suite('requests are classified:')
const sorted: Record<string, [request: Asked, schema: string, level: string]> = {
  'administrators as exempt': [request('root', [mastersGroup, ...authenticated]), 'exempt', 'exempt'],
  'probes as well, from any user': [
    request('system:anonymous', ['system:unauthenticated'], { isResource: false, path: '/livez' }),
    'probes',
    'exempt',
  ],
  'users as global default': [request('alice', authenticated), 'global-default', 'global-default'],
  'system service accounts before others': [
    request('system:serviceaccount:kube-system:x', ['system:serviceaccounts', ...authenticated]),
    'kube-system-service-accounts',
    'workload-high',
  ],
  'leader elections before everything else': [
    request('system:serviceaccount:kube-system:x', authenticated, {
      verb: 'update',
      group: 'coordination.k8s.io',
      resource: 'leases',
    }),
    'system-leader-election',
    'leader-election',
  ],
  'node status to its own level': [
    request('system:node:a', ['system:nodes', ...authenticated], {
      verb: 'patch',
      resource: 'nodes',
      subresource: 'status',
      accessNamespace: '',
    }),
    'system-node-high',
    'node-high',
  ],
  'others as catch-all': [request('nobody', []), 'catch-all', 'catch-all'],
}
for (const [title, [asked, schema, level]] of Object.entries(sorted))
  sorting(title, () => {
    const fair = limiter()
    fair.enter(asked)
    assert.equal(asked.headers, {
      'X-Kubernetes-PF-FlowSchema-UID': `uid of ${schema}`,
      'X-Kubernetes-PF-PriorityLevel-UID': `uid of ${level}`,
    })
    fair.close()
  })
sorting('again when a schema changes, and not by one whose level is missing', () => {
  const own = (level: string): FlowSchema => ({
    metadata: { name: 'own', uid: 'own' },
    spec: {
      priorityLevelConfiguration: { name: level },
      matchingPrecedence: 50,
      rules: [
        {
          subjects: [{ kind: 'User', user: { name: 'alice' } }],
          resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'], namespaces: ['*'] }],
        },
      ],
    },
  })
  const extra = { schemas: [own('none')] }
  const fair = limiter(100, extra)
  const schemaOf = () => {
    const asked = request('alice', authenticated)
    fair.enter(asked)
    return asked.headers['X-Kubernetes-PF-FlowSchema-UID']
  }
  assert.is(schemaOf(), 'uid of global-default')
  extra.schemas = [own('workload-high')]
  fair.reload()
  assert.is(schemaOf(), 'own')
  fair.close()
})
sorting('built-in objects are valid', () => {
  for (const schema of schemas) assert.equal(validateFlowSchema(schema), [], schema.metadata?.name)
  const validate = validatePriorityLevel(names)
  const context = { requestVersion: 'v1' } as StrategyContext
  for (const level of levels) assert.equal(validate(level, context), [], level.metadata?.name)
})
sorting.run()

const waiting = suite('a flood')
waiting('lets requests of others start within a few turns of the event loop', async () => {
  const fair = limiter()
  const begun: string[] = []
  const enter = (user: string) => {
    const asked = request(user, authenticated)
    const done = () => {
      begun.push(user)
      // A busy loop, so that a turn has the same number of requests on every machine.
      for (const end = performance.now() + 0.05; performance.now() < end; );
      asked.freeSeat?.()
    }
    const entered = fair.enter(asked)
    return entered ? entered.then(done) : done()
  }
  const all = Array.from({ length: 200 }, () => enter('flooder'))
  all.push(enter('alice'))
  const before = begun.length
  for (let turn = 0; turn < 4; turn++) await nextTurn()
  assert.ok(before <= 4, `${before} began at once`)
  assert.ok(begun.includes('alice') && begun.length <= 24, `${begun.indexOf('alice')} of ${begun.length}`)
  await Promise.all(all)
  assert.is(begun.length, 201)
  assert.equal(fair.current, { readOnly: 0, mutating: 0 })
  fair.close()
})
waiting('is rejected with Retry-After when queues are full', async () => {
  const fair = limiter(1)
  const answers = Array.from({ length: 400 }, async () =>
    fair.enter(request('flooder', authenticated, { verb: 'create' })),
  )
  const refused = answers.map(answer =>
    answer.then(
      () => undefined,
      (error: unknown) => error,
    ),
  )
  const first = (await refused[399]) as { code: number; details: { retryAfterSeconds: number } }
  assert.equal([first.code, first.details.retryAfterSeconds], [429, 1])
  assert.is(await Promise.race([refused[1], nextTurn('waits')]), 'waits')
  fair.close()
})
waiting('of a level without queues is rejected at once', () => {
  const fair = limiter(1)
  fair.enter(request('x', []))
  assert.throws(
    () => fair.enter(request('x', [])),
    ({ code }: { code: number }) => code === 429,
  )
  fair.close()
})
waiting('of watches holds no seats, and requests that finished while waiting take none', async () => {
  const fair = limiter(1)
  for (let i = 0; i < 4; i++) await fair.enter(request('x', [], { verb: 'watch' }))
  assert.equal(fair.current, { readOnly: 0, mutating: 0 })
  const one = request('alice', authenticated)
  await fair.enter(one)
  const [gone, next] = [request('alice', authenticated), request('alice', authenticated)]
  const neverBegins = fair.enter(gone) as Promise<void>
  const begins = fair.enter(next)
  gone.isFinished = true
  one.freeSeat?.()
  await begins
  assert.is(await Promise.race([neverBegins.then(() => 'began'), nextTurn('waits')]), 'waits')
  assert.is(gone.freeSeat, undefined)
  fair.close()
})
waiting.run()
