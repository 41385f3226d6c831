import { ageColumn, type Column, defineResource, nameColumn, type Strategy, type Vendor } from 'orch/sdk'
import { oldNodeLabels } from 'orch/sdk/core'
import { runtimeClassWarnings } from '../differences.js'
import type { NodeNames } from '../names.js'
import { RuntimeClass } from './schema.js'
import { RuntimeClass as RuntimeClassV1beta1 } from './schema-v1beta1.js'
import { validateRuntimeClass, validateRuntimeClassUpdate } from './validation.js'

const mainStrategy = {
  validate: (runtimeClass, { vendor }) => validateRuntimeClass(runtimeClass, vendor),
  validateUpdate: (sent, stored, { vendor }) => validateRuntimeClassUpdate(sent, stored, vendor),
  warnings: (runtimeClass, _, { vendor }) => labelWarnings(runtimeClass, vendor),
  createOnUpdate: true,
  unconditionalUpdate: false,
} satisfies Strategy<RuntimeClass>

function labelWarnings({ scheduling }: RuntimeClass, vendor: Vendor): string[] {
  if (!scheduling?.nodeSelector || !vendor.level.has(runtimeClassWarnings)) return []
  const old = oldNodeLabels(vendor)
  return Object.keys(scheduling.nodeSelector).flatMap(label =>
    Object.hasOwn(old, label) ? [`scheduling.nodeSelector[${label}]: ${old[label]}`] : [],
  )
}

const columns: readonly Column<RuntimeClass>[] = [
  nameColumn as Column<RuntimeClass>,
  { name: 'Handler', type: 'string', description: 'Runtime handler of its Pods.', cell: ({ handler }) => handler },
  ageColumn as Column<RuntimeClass>,
]

export const runtimeClasses = ({ nodeGroup }: NodeNames) =>
  defineResource({
    group: nodeGroup,
    kind: 'RuntimeClass',
    resource: 'runtimeclasses',
    singular: 'runtimeclass',
    namespaced: false,
    plainFinalizers: true,
    versions: [
      { name: 'v1', schema: RuntimeClass, storage: true },
      {
        name: 'v1beta1',
        until: '1.24',
        schema: RuntimeClassV1beta1,
        deprecated: {
          since: '1.22',
          removedRelease: '1.25',
          replacement: `${nodeGroup}/v1`,
        },
      },
    ],
    strategy: mainStrategy,
    columns,
  })
