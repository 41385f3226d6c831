import * as assert from 'node:assert/strict'
import type { ApiObject } from '../../resource/meta.js'
import type { TSchema } from '../../resource/schema.js'
import type { ConformanceCase } from './conformance-case.js'
import type { ConformanceSubject } from './conformance-subject.js'

/** What clients send but the server decides: the status, if it is a subresource, and the generation. */
export function serverOwnedCases(subject: ConformanceSubject): ConformanceCase[] {
  return [...statusCases(subject), ...generationCases(subject)]
}

function statusCases(subject: ConformanceSubject): ConformanceCase[] {
  const { resource, mayCreateStatus } = subject.request
  const inside = hasStatusPath(subject) ? marksOf(schemaOf(subject, 'status')) : []
  if (inside.length === 0) return []
  const withStatus = (object: ApiObject): ApiObject => {
    const copy = structuredClone(object)
    for (const { path, value } of inside) write(copy, ['status', ...path], value)
    return copy
  }
  const taken = (before: ApiObject, after: ApiObject) =>
    inside
      .map(({ path, value }) => ({ path: ['status', ...path], value }))
      .filter(({ path, value }) => read(after, path) === value && read(before, path) !== value)
      .map(({ path }) => path.join('.'))
  const onCreate = subject.caseFor(['create', 'delete'], 'a client cannot set the status of a new object', async () => {
    const client = await subject.client()
    const usual = await subject.created()
    await subject.removed(usual)
    const made = await client.create(withStatus(subject.sample()))
    assert.deepEqual(taken(usual, made), [], `create of ${resource.resource} stores the status that a client sends`)
    await subject.removed(made)
  })
  const onUpdate = subject.caseFor(
    ['create', 'update', 'delete'],
    'an update of the object leaves its status to the subresource',
    async () => {
      const made = await subject.created()
      const after = await (await subject.client()).update(withStatus(made))
      assert.deepEqual(taken(made, after), [], `update of ${resource.resource} stores the status that a client sends`)
      await subject.removed(made)
    },
  )
  return [...(mayCreateStatus ? [] : onCreate), ...onUpdate]
}

function generationCases(subject: ConformanceSubject): ConformanceCase[] {
  const { resource } = subject.request
  const counted = resource.generation ?? (schemaOf(subject, 'spec') ? ['spec'] : [])
  if (counted === false || counted.length === 0) return []
  const contents = (object: ApiObject) => JSON.stringify(counted.map(field => object[field]))
  return subject.caseFor(
    ['create', 'update', 'patch', 'delete'],
    'generation starts at 1 and increases with the desired state, not with metadata or status',
    async () => {
      const client = await subject.client()
      const made = await subject.created(object => {
        object.metadata.generation = 5
      })
      const name = made.metadata.name ?? ''
      assert.equal(made.metadata.generation, 1, 'the first generation is 1, whatever a client sends')
      const labelled = await client.patch(name, { metadata: { labels: { 'conformance-generation': 'same' } } })
      assert.equal(labelled.metadata.generation, 1, 'a label does not change the generation')
      let now = labelled
      for (const { path, value } of hasStatusPath(subject) ? marksOf(schemaOf(subject, 'status')) : []) {
        const status = write({}, path, value)
        // Values that the rules of the type do not allow cannot be tested.
        now = await client.patch(name, { status }, { subresource: 'status' }).catch(() => now)
      }
      assert.equal(now.metadata.generation, 1, 'the status does not change the generation')
      const changed = await client.update(subject.changed(now))
      const expected = contents(changed) === contents(now) ? 1 : 2
      assert.equal(
        changed.metadata.generation,
        expected,
        `a change of ${counted.join(' or ')} increments the generation`,
      )
      await subject.removed(changed)
    },
  )
}

const schemaOf = ({ request }: ConformanceSubject, field: string): TSchema | undefined =>
  (request.resource.versions[0]?.schema as TSchema & { properties?: Record<string, TSchema> })?.properties?.[field]

function hasStatusPath({ request }: ConformanceSubject): boolean {
  const status = request.resource.subresources?.['status']
  return status?.kind === 'update' && (status.verbs ?? ['update']).includes('update')
}

interface Mark {
  readonly path: readonly string[]
  readonly value: string | number | boolean
}
/**
 * A value for every plain field of a struct and of its nested structs, chosen so that no server would set it itself.
 */
function marksOf(schema: TSchema | undefined, depth = 0): Mark[] {
  if (schema?.['type'] === 'object' && schema['properties'] && depth < 4)
    return Object.entries(schema['properties'] as Record<string, TSchema>).flatMap(([name, field]) =>
      marksOf(field, depth + 1).map(({ path, value }) => ({ path: [name, ...path], value })),
    )
  const value = markOf(schema ?? {})
  return value === undefined ? [] : [{ path: [], value }]
}

function markOf(schema: Readonly<Record<string, unknown>>): Mark['value'] | undefined {
  const { type, format, pattern, enum: choices, minimum, maximum, maxLength } = schema
  if (Array.isArray(choices)) return choices.at(-1) as string
  if (type === 'boolean') return true
  if (type === 'integer') return Math.min(Math.max(4711, Number(minimum ?? 0)), Number(maximum ?? 4711))
  if (type !== 'string' || pattern !== undefined || Number(maxLength ?? 11) < 11) return undefined
  if (format === 'date-time') return '2001-01-01T00:00:00Z'
  if (format === 'byte') return 'Y29uZm9ybWFuY2U='
  return format === undefined ? 'conformance' : undefined
}

function write(object: object, [field = '', ...rest]: readonly string[], value: unknown): object {
  const target = object as Record<string, unknown>
  target[field] = rest.length === 0 ? value : write((target[field] as object | undefined) ?? {}, rest, value)
  return object
}
const read = (object: unknown, path: readonly string[]): unknown =>
  path.reduce((value: unknown, field) => (value as Record<string, unknown> | undefined)?.[field], object)
