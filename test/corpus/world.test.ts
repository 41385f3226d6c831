import type { ApiObject } from 'orch/sdk'
import { generateObjects, invalidNeighbours, makeNamespace, startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type CorpusEntry, readCorpus } from './read-corpus.js'

/** Published definitions: each is accepted or rejected as by the reference, and its objects can be used. */
const world = suite('published definitions')
const corpus = readCorpus()
/** Each name once: some projects publish the definitions of others. */
const accepted = corpus.filter(
  ({ expect, definition }, index) =>
    expect.status === 201 &&
    corpus.findIndex(other => other.definition.metadata.name === definition.metadata.name) === index,
)
const randomObjects = 2
const neighboursTried = 6
const seed = 20_260_817

let server: TestServer
/** Groups of the server itself, which definitions cannot use. */
const builtInGroups = new Set<string>()
const namespace = 'world'
world.before(async () => {
  server = await startServer({ vendor: 'kubernetes', kubernetesVersion: '1.36' })
  await makeNamespace(server, namespace)
  for (const { definition } of accepted)
    if ((await send('GET', `/apis/${definition.spec.group}`)).status === 200) builtInGroups.add(definition.spec.group)
})
world.after(() => server.stop())

interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
}
async function send(method: string, path: string, body?: object, contentType = 'application/json'): Promise<Answer> {
  const response = await fetch(`${server.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${server.token}`, 'content-type': contentType },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  return { status: response.status, body: (isJson ? JSON.parse(text) : { text }) as Record<string, unknown> }
}
const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

interface Cause {
  readonly reason: string
  readonly message: string
  readonly field: string
}
const causesOf = ({ body }: Answer): readonly Cause[] =>
  ((body['details'] as { causes?: Cause[] } | undefined)?.causes ?? []) as readonly Cause[]

/** The response in the format of the corpus. */
function expectationOf(answer: Answer): CorpusEntry['expect'] {
  if (answer.status < 300) return { status: answer.status }
  const fields = [...new Set(causesOf(answer).map(({ reason, field }) => `${reason} ${field}`))].sort()
  return { status: answer.status, reason: String(answer.body['reason']), fields }
}

/** Definitions with required int32 fields whose limits exceed int32: the reference rejects all their values, too. */
const impossible = new Set(['bgppeers.metallb.io'])

world('accepts and rejects definitions as the reference does', async () => {
  const differences: string[] = []
  for (const { from, definition, expect } of corpus) {
    const answer = expectationOf(await send('POST', `${definitionsPath}?dryRun=All&fieldValidation=Strict`, definition))
    const wanted = expect.fields ? { ...expect, fields: [...new Set(expect.fields)].sort() } : expect
    if (JSON.stringify(answer) !== JSON.stringify(wanted))
      differences.push(
        `${from} ${definition.metadata.name}: ${JSON.stringify(answer)} instead of ${JSON.stringify(wanted)}`,
      )
  }
  assert.equal(differences, [])
})

world('serves all of them', async () => {
  const others = accepted.filter(({ definition }) => !builtInGroups.has(definition.spec.group))
  await server.installCrds(...others.map(({ definition }) => withoutWebhook(definition)))
})

/** Conversion webhooks do not run here, and are not needed. */
function withoutWebhook(definition: CorpusEntry['definition']): ApiObject {
  const { status: _, ...rest } = definition as ApiObject & { status?: unknown }
  return { ...rest, spec: { ...definition.spec, conversion: { strategy: 'None' } } } as unknown as ApiObject
}

/** The schema without the status if that is a subresource. */
function writtenSchema({ schema, subresources }: CorpusEntry['definition']['spec']['versions'][number]) {
  const whole = schema?.openAPIV3Schema
  if (!whole || !subresources?.status) return whole
  const { status: _, ...properties } = (whole['properties'] ?? {}) as Record<string, unknown>
  const required = ((whole['required'] ?? []) as string[]).filter(name => name !== 'status')
  return { ...whole, properties, required }
}

interface Counts {
  created: number
  /** Types for which no object can be valid. */
  impossible: number
  /** Objects that only a CEL rule rejected. */
  ruledOut: number
  refusedNeighbours: number
}
const counts: Counts = { created: 0, impossible: 0, ruledOut: 0, refusedNeighbours: 0 }

for (const { definition } of accepted) {
  const { group, names, scope, versions } = definition.spec
  const version = versions.find(({ storage, served }) => storage && served) ?? versions.find(({ served }) => served)
  const schema = version && writtenSchema(version)
  if (!version || !schema) continue
  world(`accepts objects of ${names.plural}.${group}, and rejects their invalid neighbours`, async () => {
    if (builtInGroups.has(group)) return
    const path = `/apis/${group}/${version.name}/${scope === 'Namespaced' ? `namespaces/${namespace}/` : ''}${names.plural}`
    const head = (name: string) => ({ apiVersion: `${group}/${version.name}`, kind: names.kind, metadata: { name } })
    const generator = generateObjects(schema, { seed })
    const made = [
      generator.smallest(),
      generator.largest(),
      ...Array.from({ length: randomObjects }, () => generator.random()),
    ]
    const rules = messagesOf(schema)
    let isFirst = true
    for (const [index, object] of made.entries()) {
      if (!object) {
        assert.ok(impossible.has(definition.metadata.name ?? ''), `no object ${index} was found`)
        counts.impossible++
        continue
      }
      const whole = { ...object, ...head(`object-${index}`) }
      const answer = await send('POST', path, whole)
      if (answer.status === 422 && causesOf(answer).every(cause => isOfRule(cause, rules))) {
        counts.ruledOut++
        continue
      }
      assert.is(
        answer.status,
        201,
        `${JSON.stringify(answer.body['message'])} of ${JSON.stringify(whole).slice(0, 2000)}`,
      )
      counts.created++
      await useObject(path, `object-${index}`, whole, isFirst)
      isFirst = false
    }
    const valid = made[1] ?? made[0]
    if (!valid) return
    for (const { why, object } of invalidNeighbours(schema, valid, neighboursTried)) {
      const answer = await send('POST', `${path}?dryRun=All`, { ...object, ...head('neighbour') })
      assert.ok(
        answer.status === 422 || answer.status === 400,
        `${why}: ${answer.status} ${JSON.stringify(object).slice(0, 1000)}`,
      )
      counts.refusedNeighbours++
    }
  })
}

/** Updates, applies and lists an object that was created. */
async function useObject(path: string, name: string, object: Record<string, unknown>, isFirst: boolean): Promise<void> {
  const stored = await send('GET', `${path}/${name}`)
  const metadata = stored.body['metadata'] as Record<string, unknown>
  const updated = await send('PUT', `${path}/${name}`, {
    ...stored.body,
    metadata: { ...metadata, labels: { a: 'b' } },
  })
  assert.is(updated.status, 200, JSON.stringify(updated.body['message']))
  const applied = await send(
    'PATCH',
    `${path}/${name}?fieldManager=world&force=true`,
    object,
    'application/apply-patch+yaml',
  )
  assert.is(applied.status, 200, JSON.stringify(applied.body['message']))
  if (!isFirst) return
  const list = await send('GET', path)
  const items = (list.body['items'] ?? []) as readonly ApiObject[]
  assert.ok(items.some(item => item.metadata.name === name))
}

/** The messages of rules; undefined if some use a messageExpression. */
function messagesOf(schema: unknown, found = new Set<string | undefined>()): ReadonlySet<string | undefined> {
  if (Array.isArray(schema)) for (const each of schema) messagesOf(each, found)
  else if (typeof schema === 'object' && schema !== null)
    for (const [key, value] of Object.entries(schema)) {
      if (key === 'x-kubernetes-validations' && Array.isArray(value))
        for (const { rule, message, messageExpression } of value as readonly Record<string, string | undefined>[]) {
          found.add((message ?? rule)?.trim())
          if (messageExpression) found.add(undefined)
        }
      else messagesOf(value, found)
    }
  return found
}
const isOfRule = ({ message }: Cause, rules: ReadonlySet<string | undefined>) =>
  message.includes('rule evaluation error') ||
  [...rules].some(
    text => text === undefined || message.includes(text) || message.includes(JSON.stringify(text).slice(1, -1)),
  )

world('can be used for most types', () => {
  console.log(
    `${corpus.length} definitions, ${counts.created} objects created, ${counts.impossible} impossible, ${counts.ruledOut} ruled out by rules in CEL, ${counts.refusedNeighbours} invalid neighbours refused`,
  )
  assert.ok(counts.created > counts.ruledOut)
})

world.run()
