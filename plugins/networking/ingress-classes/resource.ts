import { ageColumn, type Column, defineResource, nameColumn, type Strategy } from 'orch/sdk'
import type { NetworkingNames } from '../names.js'
import { IngressClass } from './schema.js'
import { validateIngressClass, validateIngressClassUpdate } from './validation.js'

const columns: readonly Column<IngressClass>[] = [
  nameColumn as Column<IngressClass>,
  {
    name: 'Controller',
    type: 'string',
    description: 'The controller of Ingresses of this class.',
    cell: ({ spec }) => spec?.controller ?? '',
  },
  {
    name: 'Parameters',
    type: 'string',
    description: 'Object with further settings.',
    cell: ({ spec }) => {
      if (!spec?.parameters) return '<none>'
      const { apiGroup, kind, name } = spec.parameters
      return `${kind}${apiGroup === undefined ? '' : `.${apiGroup}`}/${name}`
    },
  },
  ageColumn as Column<IngressClass>,
]

const mainStrategy = {
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
