import { defineResource, type Strategy } from 'orch/sdk'
import { nextGeneration, startGeneration } from '../generation.js'
import type { NetworkingNames } from '../names.js'
import { columns } from './columns.js'
import { IngressClass } from './schema.js'
import { validateIngressClass, validateIngressClassUpdate } from './validation.js'

const mainStrategy = {
  prepareForCreate: startGeneration,
  prepareForUpdate: nextGeneration,
  validate: validateIngressClass,
  validateUpdate: validateIngressClassUpdate,
} satisfies Strategy<IngressClass>

export const ingressClasses = ({ group }: NetworkingNames) =>
  defineResource({
    group,
    kind: 'IngressClass',
    resource: 'ingressclasses',
    namespaced: false,
    versions: [{ name: 'v1', schema: IngressClass }],
    strategy: mainStrategy,
    columns,
  })
