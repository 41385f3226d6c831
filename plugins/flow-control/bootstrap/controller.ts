import { isDeepStrictEqual } from 'node:util'
import { ownValue, type StartTask, timestampOf } from 'orch/sdk'
import { type Client, unlessLost } from 'orch/sdk/client'
import { defineControlLoop, loopNeeds, splitKey } from 'orch/sdk/controllers'
import type { FlowSchema } from '../flow-schemas/schema.js'
import type { FlowControlNames } from '../names.js'
import type { PriorityLevel } from '../priority-levels/schema.js'
import { readAutoUpdate } from './auto-update.js'
import { mandatoryLevels, mandatorySchemas } from './mandatory.js'
import { removeFormer } from './remove-former.js'
import { suggestedLevels, suggestedSchemas } from './suggested.js'

type Configuration = FlowSchema | PriorityLevel
type Spec = Configuration['spec']
type Specs = Readonly<Record<string, Spec>>

interface BuiltIns {
  readonly ref: FlowControlNames['flowSchemas' | 'priorityLevels']
  readonly mandatory: Specs
  readonly suggested: Specs
}

/** The built-in objects of each collection. */
const builtIn = (names: FlowControlNames): readonly BuiltIns[] => [
  {
    ref: names.priorityLevels,
    mandatory: mandatoryLevels(names.level) as Specs,
    suggested: suggestedLevels(names.level) as Specs,
  },
  { ref: names.flowSchemas, mandatory: mandatorySchemas as Specs, suggested: suggestedSchemas(names) as Specs },
]

/** Reconciles a built-in object, unless an operator has taken it over. Returns the current object, if it is known. */
async function ensure(
  client: Client,
  { autoUpdateAnnotation }: FlowControlNames,
  collection: BuiltIns,
  name: string,
  stored?: Configuration,
): Promise<Configuration | undefined> {
  const spec = ownValue(collection.mandatory, name) ?? ownValue(collection.suggested, name)
  if (!spec) return stored
  const objects = client.resource<Configuration>(collection.ref)
  // Another server on the same store may have created it first.
  if (!stored)
    return unlessLost(
      objects.create({ metadata: { name, annotations: { [autoUpdateAnnotation]: 'true' } }, spec } as never),
    )
  const said = readAutoUpdate(stored.metadata, autoUpdateAnnotation)
  const isOurs = Object.hasOwn(collection.mandatory, name) || (said ?? stored.metadata?.generation === 1)
  const isRight = !isOurs || isSpec(stored.spec, spec)
  if (isRight && said === isOurs) return stored
  const annotations = { [autoUpdateAnnotation]: String(isOurs) }
  const metadata = { resourceVersion: stored.metadata?.resourceVersion, annotations }
  return objects.patch(name, isRight ? { metadata } : { metadata, spec })
}

/** Administrators may change what the exempt level reserves and lends. */
function isSpec(stored: Spec, wanted: Spec): boolean {
  const mayDiffer = wanted && 'exempt' in wanted && stored && 'exempt' in stored
  return isDeepStrictEqual(stored, mayDiffer ? { ...wanted, exempt: stored.exempt } : wanted)
}

/** Updates the condition that shows whether the priority level of a schema is missing. */
async function updateDangling(
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
    lastTransitionTime: timestampOf(now),
    reason: hasLevel ? 'Found' : 'NotFound',
    message: `This FlowSchema references the PriorityLevelConfiguration object named "${level}" and it ${hasLevel ? 'exists' : 'does not exist'}`,
  }
  await client
    .resource<FlowSchema>(flowSchemas)
    .updateSubresource('status', { ...schema, status: { conditions: [...others, condition] } })
}

const needs = loopNeeds

/** Creates the built-in objects before the first request is served. */
export const installBuiltIns = (names: FlowControlNames): StartTask<typeof needs> => ({
  name: 'flow schemas and priority levels',
  once: true,
  needs,
  async run({ client, clock }) {
    for (const collection of builtIn(names)) {
      const { ref, mandatory, suggested } = collection
      const stored = new Map<string, Configuration>()
      for await (const object of client.resource<Configuration>(ref).each())
        stored.set(object.metadata?.name ?? '', object)
      const ensured = Object.keys({ ...mandatory, ...suggested }).map(name =>
        ensure(client, names, collection, name, stored.get(name)),
      )
      const objects = await Promise.all(ensured)
      // The loop would write this too, but it may run later and on another server.
      if (ref === names.flowSchemas)
        await Promise.all(objects.map(schema => initializeDangling(schema as FlowSchema | undefined)))
    }
    async function initializeDangling(schema: FlowSchema | undefined) {
      if (!schema || schema.status?.conditions?.length) return
      const level = schema.spec?.priorityLevelConfiguration.name ?? ''
      const hasLevel = [mandatoryLevels(names.level), suggestedLevels(names.level)].some(levels =>
        Object.hasOwn(levels, level),
      )
      await updateDangling(client, names, schema, hasLevel, clock.now())
    }
  },
})

/** Reconciles the built-in objects, and the condition `Dangling` of every schema. */
export const flowControl = (names: FlowControlNames) => {
  const { group, flowSchemas, priorityLevels } = names
  const key = (resource: string, name: string | undefined) => `${resource}/${name}`
  return defineControlLoop({
    name: 'flow-control',
    rules: [
      {
        verbs: ['create', 'delete', 'patch', 'update'],
        apiGroups: [group],
        resources: ['flowschemas', 'prioritylevelconfigurations'],
      },
      { verbs: ['update'], apiGroups: [group], resources: ['flowschemas/status'] },
    ],
    setUp: runtime => {
      const collections = new Map(builtIn(names).map(collection => [collection.ref.resource, collection]))
      return {
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
                await updateDangling(runtime.client, names, schema, hasLevel, runtime.clock.now())
            return
          }
          const cache = resource === 'flowschemas' ? schemas : levels
          const collection = collections.get(resource)
          if (!collection) return
          const stored = cache.get('', name)
          const isBuiltIn = [collection.mandatory, collection.suggested].some(specs => Object.hasOwn(specs, name))
          if (isBuiltIn) await ensure(runtime.client, names, collection, name, stored)
          else if (stored) return removeFormer(runtime, names, collection.ref, stored)
        },
      }
    },
  })
}
