import { defineDifference, type ServedLevel, type TSchema, type VersionName } from 'orch/sdk'
import { buildTypeModel, type StructNode } from '../schema/type-model.js'

/** Parameters of operations, described once for both versions of OpenAPI. */
export interface Parameter {
  readonly name: string
  readonly in: 'query' | 'path'
  readonly type: 'string' | 'integer' | 'boolean'
  readonly description: string
  /** The first version that has it. */
  readonly since?: VersionName
  /** Whether this server ignores it: it is listed only where the reference lists it. */
  readonly isUnused?: boolean
}

const query = (name: string, type: Parameter['type'], description: string): Parameter => ({
  name,
  in: 'query',
  type,
  description,
})
const path = (name: string, description: string): Parameter => ({ name, in: 'path', type: 'string', description })

const known = {
  name: path('name', 'name of the object'),
  namespace: path('namespace', 'object name and auth scope, such as for teams and projects'),
  pretty: query('pretty', 'string', "If 'true', then the output is pretty printed."),
  allowWatchBookmarks: query('allowWatchBookmarks', 'boolean', 'Requests watch events of type "BOOKMARK".'),
  continue: query('continue', 'string', 'Set to the continue value of the previous chunk to get the next one.'),
  fieldSelector: query('fieldSelector', 'string', 'Restricts the list of returned objects by their fields.'),
  labelSelector: query('labelSelector', 'string', 'Restricts the list of returned objects by their labels.'),
  limit: query('limit', 'integer', 'The largest number of items to return.'),
  resourceVersion: query('resourceVersion', 'string', 'Which resource versions a request may be served from.'),
  resourceVersionMatch: query('resourceVersionMatch', 'string', 'How resourceVersion is applied to list calls.'),
  sendInitialEvents: {
    ...query(
      'sendInitialEvents',
      'boolean',
      'Whether a watch begins with the existing objects, followed by a bookmark.',
    ),
    since: '1.27',
  },
  shardSelector: { ...query('shardSelector', 'string', 'Has no effect.'), since: '1.36', isUnused: true },
  ignoreStoreReadErrorWithClusterBreakingPotential: {
    ...query(
      'ignoreStoreReadErrorWithClusterBreakingPotential',
      'boolean',
      'Deletes an object that cannot be read, and skips all other steps of a deletion.',
    ),
    since: '1.32',
  },
  timeoutSeconds: query('timeoutSeconds', 'integer', 'Limits the duration of the call.'),
  watch: query('watch', 'boolean', 'Watch for changes and return them as a stream of notifications.'),
  dryRun: query('dryRun', 'string', 'With "All", every stage runs but nothing is persisted.'),
  fieldManager: query('fieldManager', 'string', 'The name of the actor that makes these changes.'),
  fieldValidation: query(
    'fieldValidation',
    'string',
    'What to do with unknown or duplicate fields: Ignore, Warn or Strict.',
  ),
  force: query('force', 'boolean', 'Take over fields that other managers own. Only for apply requests.'),
  gracePeriodSeconds: query('gracePeriodSeconds', 'integer', 'Seconds before the object is deleted.'),
  orphanDependents: query(
    'orphanDependents',
    'boolean',
    'Deprecated: use propagationPolicy. Whether dependents are kept.',
  ),
  propagationPolicy: query(
    'propagationPolicy',
    'string',
    'How dependents are collected: Orphan, Background, Foreground.',
  ),
} satisfies Record<string, Parameter>

const pick = (...names: (keyof typeof known)[]): readonly Parameter[] => names.map(name => known[name])

export const objectParameters = pick('name')
export const namespaceParameters = pick('namespace')
export const commonParameters = pick('pretty')
const selection = pick(
  'continue',
  'fieldSelector',
  'labelSelector',
  'limit',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'shardSelector',
  'timeoutSeconds',
)
export const listParameters = [...pick('allowWatchBookmarks'), ...selection, ...pick('watch')]
/** The reference lists it for custom resources only, although other types accept it, too. */
export const readParameters = pick('resourceVersion')
export const writeParameters = pick('dryRun', 'fieldManager', 'fieldValidation')
export const patchParameters = [...writeParameters, ...pick('force')]
export const deleteParameters = pick(
  'dryRun',
  'gracePeriodSeconds',
  'ignoreStoreReadErrorWithClusterBreakingPotential',
  'orphanDependents',
  'propagationPolicy',
)
export const deleteCollectionParameters = [...selection, ...deleteParameters]

export const customPatchesForce = defineDifference({
  name: 'openapi-has-force-of-custom-patches',
  since: '1.27',
  additive: true,
  description: 'The OpenAPI documents name the parameter force of patches of custom objects.',
  knownFrom: 'recorded',
})

/** Whether the API has the parameter at this level. */
export const isParameterAt =
  (level: ServedLevel) =>
  ({ since, isUnused = false }: Parameter): boolean =>
    level.includes(since ? { since } : {}) && !(isUnused && level.isAdditive)

/** The rest of the path below a proxy subresource. */
export const proxyPathParameter = path('path', 'path to the resource')

/** Parameters that are the fields of options. A repeatable one is described by its items. */
export function optionParameters(schema: TSchema): readonly Parameter[] {
  const { fields } = buildTypeModel(schema) as StructNode
  return [...fields.values()].map(({ name, node, schema: { description = '' } }) => {
    const { scalar } = (node.is === 'list' ? node.item : node) as { scalar?: string }
    const type = scalar === 'boolean' ? 'boolean' : scalar?.startsWith('int') ? 'integer' : 'string'
    return query(name, type, description)
  })
}
