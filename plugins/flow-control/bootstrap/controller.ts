import { isDeepStrictEqual } from 'node:util'
import { ApiError, defineController, ownValue, type StartTask, services } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import { splitKey, startControlLoop } from 'orch/sdk/controllers'
import type { FlowSchema } from '../flow-schemas/schema.js'
import type { FlowControlNames } from '../names.js'
import type { PriorityLevel } from '../priority-levels/schema.js'
import { mandatoryLevels, mandatorySchemas } from './mandatory.js'
import { suggestedLevels, suggestedSchemas } from './suggested.js'

type Configuration = FlowSchema | PriorityLevel
type Specs = Readonly<Record<string, Configuration['spec']>>

/** The built-in objects of each collection. */
const builtIn = (names: FlowControlNames) =>
  [
    { ref: names.priorityLevels, mandatory: mandatoryLevels as Specs, suggested: suggestedLevels as Specs },
    { ref: names.flowSchemas, mandatory: mandatorySchemas as Specs, suggested: suggestedSchemas(names) as Specs },
  ] as const

/** Brings a built-in object to what it must be, unless somebody has taken it over. */
async function ensure(client: Client, names: FlowControlNames, resource: string, name: string, stored?: Configuration) {
  const { autoUpdateAnnotation } = names
  const collection = builtIn(names).find(({ ref }) => ref.resource === resource)
  const spec = ownValue(collection?.mandatory, name) ?? ownValue(collection?.suggested, name)
  if (!collection || !spec) return
  const objects = client.resource<Configuration>(collection.ref)
  if (!stored) {
    await objects
      .create({ metadata: { name, annotations: { [autoUpdateAnnotation]: 'true' } }, spec } as never)
      .catch((error: unknown) => {
        // Another server of the same store was faster.
        if (!(error instanceof ApiError && error.reason === 'AlreadyExists')) throw error
      })
    return
  }
  const said = stored.metadata?.annotations?.[autoUpdateAnnotation]
  const isOurs =
    Object.hasOwn(collection.mandatory, name) ||
    said === 'true' ||
    (said === undefined && stored.metadata?.generation === 1)
  const mark = isOurs ? 'true' : 'false'
  const isRight = !isOurs || isDeepStrictEqual(stored.spec, spec)
  if (isRight && said !== undefined && (said === mark || !isOurs)) return
  const metadata = { resourceVersion: stored.metadata?.resourceVersion, annotations: { [autoUpdateAnnotation]: mark } }
  await objects.patch(name, (isRight ? { metadata } : { metadata, spec }) as never)
}

/** Says on a schema whether its priority level is there. */
async function tellDangling(
  client: Client,
  { flowSchemas }: FlowControlNames,
  schema: FlowSchema,
  hasLevel: boolean,
  now: number,
) {
  const others = (schema.status?.conditions ?? []).filter(({ type }) => type !== 'Dangling')
  const known = schema.status?.conditions?.find(({ type }) => type === 'Dangling')
  const status = hasLevel ? 'False' : 'True'
  if (known?.status === status) return
  const level = schema.spec?.priorityLevelConfiguration.name
  const condition = {
    type: 'Dangling',
    status,
    lastTransitionTime: new Date(now).toISOString().replace(/\.\d+Z$/, 'Z'),
    reason: hasLevel ? 'Found' : 'NotFound',
    message: `This FlowSchema references the PriorityLevelConfiguration object named "${level}" and it ${hasLevel ? 'exists' : 'does not exist'}`,
  }
  await client
    .resource<FlowSchema>(flowSchemas)
    .updateSubresource('status', { ...schema, status: { conditions: [...others, condition] } })
}

const needs = { client: services.client, clock: services.clock, logger: services.logger, metrics: services.metrics }

/** Makes the built-in objects before the first request is served. */
export const installBuiltIns = (names: FlowControlNames): StartTask<typeof needs> => ({
  name: 'flow schemas and priority levels',
  once: true,
  needs,
  async run({ client, clock }) {
    for (const { ref, mandatory, suggested } of builtIn(names)) {
      const stored = new Map<string, Configuration>()
      for await (const object of client.resource<Configuration>(ref).each())
        stored.set(object.metadata?.name ?? '', object)
      for (const name of Object.keys({ ...mandatory, ...suggested }))
        await ensure(client, names, ref.resource, name, stored.get(name))
    }
    // The loop would say it too, but it may run later and elsewhere.
    for (const name of Object.keys({ ...mandatorySchemas, ...suggestedSchemas(names) })) {
      const schema = await client.resource<FlowSchema>(names.flowSchemas).get(name)
      const level = schema.spec?.priorityLevelConfiguration.name ?? ''
      const hasLevel = [mandatoryLevels, suggestedLevels].some(levels => Object.hasOwn(levels, level))
      if (!schema.status?.conditions?.length) await tellDangling(client, names, schema, hasLevel, clock.now())
    }
  },
})

/** Keeps the built-in objects, and says on every schema whether its level is there. */
export const flowControl = (names: FlowControlNames) => {
  const { group, flowSchemas, priorityLevels } = names
  const key = (resource: string, name: string | undefined) => `${resource}/${name}`
  return defineController({
    name: 'flow-control',
    rules: [
      {
        verbs: ['create', 'patch', 'update'],
        apiGroups: [group],
        resources: ['flowschemas', 'prioritylevelconfigurations'],
      },
      { verbs: ['update'], apiGroups: [group], resources: ['flowschemas/status'] },
    ],
    needs,
    start: runtime => {
      const loop = startControlLoop({
        ...runtime,
        name: 'flow-control',
        sources: [
          {
            resource: flowSchemas,
            keys: ({ metadata, spec }: FlowSchema) => [
              key('flowschemas', metadata?.name),
              key('users-of-level', spec?.priorityLevelConfiguration.name),
            ],
          },
          {
            resource: priorityLevels,
            keys: ({ metadata }: PriorityLevel) => [
              key('prioritylevelconfigurations', metadata?.name),
              key('users-of-level', metadata?.name),
            ],
          },
        ],
        async reconcile(which, caches) {
          const { namespace: resource, name } = splitKey(which)
          const schemas = caches.of<FlowSchema>(flowSchemas)
          const levels = caches.of<PriorityLevel>(priorityLevels)
          if (resource === 'users-of-level') {
            const hasLevel = levels.get('', name) !== undefined
            for (const schema of schemas.list())
              if (schema.spec?.priorityLevelConfiguration.name === name)
                await tellDangling(runtime.client, names, schema, hasLevel, runtime.clock.now())
            return
          }
          const cache = resource === 'flowschemas' ? schemas : levels
          await ensure(runtime.client, names, resource, name, cache.get('', name))
        },
      })
      return loop
    },
  })
}
