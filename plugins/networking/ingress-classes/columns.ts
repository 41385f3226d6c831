import { ageColumn, type Column, nameColumn } from 'orch/sdk'
import type { IngressClass } from './schema.js'

export const columns: readonly Column<IngressClass>[] = [
  nameColumn as Column<IngressClass>,
  {
    name: 'Controller',
    type: 'string',
    description: 'Who serves Ingresses of this class.',
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
