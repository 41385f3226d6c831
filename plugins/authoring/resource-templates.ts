import type { PluginNames } from './plugin-names.js'

/** The files that describe the type. */

export const schemaFile = ({ kind, plugin, group }: PluginNames) => `import {
  embedded, field, Int32, Kind, MapList, required, type ObjectOf, Struct, Text,
} from 'orch/sdk'

export const group = '${group}'

// The schema of the type: structure, defaults, limits and how lists merge. The numbers are for Protobuf.
const Part = Struct('${plugin}.v1.Part', { name: required(1, Text()), note: field(2, Text()) })
const ${kind}Spec = Struct('${plugin}.v1.${kind}Spec', {
  color: field(1, Text({ enum: ['red', 'green', 'blue'], default: 'red' })),
  size: field(2, Int32({ minimum: 1, maximum: 100 })),
  parts: field(3, MapList(Part, 'name')),
})
const ${kind}Status = Struct('${plugin}.v1.${kind}Status', { ready: field(1, Int32()) })

export const ${kind} = Kind('${plugin}.v1.${kind}', {
  spec: embedded(2, ${kind}Spec),
  status: field(3, ${kind}Status),
})
export type ${kind} = ObjectOf<typeof ${kind}>
`

export const rulesFile = ({
  kind,
  single,
  isIsolated,
}: PluginNames) => `import { type FieldError, invalidValue, requiredValue, type Strategy } from 'orch/sdk'
import type { ${kind} } from './schema.js'

/** A default that depends on another field; the others are in the schema. Must be idempotent. */
export function fillDefaults({ spec }: ${kind}): void {
  spec.size ||= Math.max(1, spec.parts?.length ?? 0)
}

/** Returns all errors of a ${single} at once. Must not throw. */
export function validate({ spec }: ${kind}): FieldError[] {
  const { parts = [], size = 0 } = spec
  const errors = parts.flatMap(({ name }, index) => (name === '' ? [requiredValue('spec.parts[' + index + '].name')] : []))
  if (size < parts.length) errors.push(invalidValue('spec.size', size, 'must not be less than the number of parts'))
  return errors
}

/** Clients write the spec; the status belongs to the control loop. */
export const mainStrategy = {
${isIsolated ? isolatedSteps : ownSteps}
  validate,
  validateUpdate: validate,
  resetFields: ['status'],
} satisfies Strategy<${kind}>

export const statusStrategy = {
  prepareForUpdate: (draft, stored) => void Object.assign(draft, { spec: stored.spec }),
  resetFields: ['spec'],
} satisfies Strategy<${kind}>
`
const ownSteps = `  prepareForCreate: draft => void delete draft.status,
  prepareForUpdate: (draft, stored) => void Object.assign(draft, { status: stored.status }),`
/** The server calls computed defaults of a version itself; these steps may run in another process. */
const isolatedSteps = `  prepareForCreate(draft) {
    delete draft.status
    fillDefaults(draft)
  },
  prepareForUpdate(draft, stored) {
    draft.status = stored.status
    fillDefaults(draft)
  },`

export const resourceFile = ({ kind, variable, resource, isIsolated }: PluginNames) =>
  `${isIsolated ? isolatedColumns(kind) : ownColumns(kind)}
export const ${variable} = defineResource({
  group,
  kind: '${kind}',
  resource: '${resource}',
  namespaced: true,
  versions: [{ name: 'v1', schema: ${kind}${isIsolated ? '' : ', defaults: fillDefaults'} }],
  strategy: mainStrategy,
  subresources: { status: { kind: 'update', strategy: statusStrategy } },${isIsolated ? '' : selectableColor(kind)}
  columns: [nameColumn, ...own, ageColumn],
})
`
const selectableColor = (kind: string) => `
  selectableFields: { 'spec.color': ({ spec }: ${kind}) => spec.color ?? '' },`
const ownColumns = (kind: string) => `import { ageColumn, type Column, defineResource, nameColumn } from 'orch/sdk'
import { fillDefaults, mainStrategy, statusStrategy } from './rules.js'
import { group, ${kind} } from './schema.js'

const own: Column<${kind}>[] = [
  { name: 'Size', type: 'integer', description: 'Desired size.', cell: ({ spec }) => spec.size ?? 0 },
  { name: 'Ready', type: 'integer', description: 'Current size.', cell: ({ status }) => status?.ready ?? 0 },
]
`
const isolatedColumns = (kind: string) => `import { ageColumn, defineResource, nameColumn, pathColumn } from 'orch/sdk'
import { mainStrategy, statusStrategy } from './rules.js'
import { group, ${kind} } from './schema.js'

// The server cannot call synchronous code in another process, so columns are paths, and defaults are set by the strategy.
const own = [
  pathColumn({ name: 'Size', type: 'integer', description: 'Desired size.', jsonPath: '.spec.size' }),
  pathColumn({ name: 'Ready', type: 'integer', description: 'Current size.', jsonPath: '.status.ready' }),
]
`

export const variableOf = (kind: string) => kind.charAt(0).toLowerCase() + kind.slice(1)
