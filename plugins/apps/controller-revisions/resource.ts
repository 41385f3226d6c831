import { isDeepStrictEqual } from 'node:util'
import {
  ageColumn,
  type Column,
  defineResource,
  type FieldError,
  invalidValue,
  nameColumn,
  requiredValue,
  type Strategy,
} from 'orch/sdk'
import { checkNotNegative } from 'orch/sdk/core'
import { looseCountColumn, textColumn } from '../template-columns.js'
import { ControllerRevision } from './schema.js'

const validate = ({ data, revision }: ControllerRevision): FieldError[] => [
  ...(data === undefined || data === null ? [requiredValue('data', 'data is mandatory')] : []),
  ...checkNotNegative(revision, 'revision'),
]

const strategy = {
  validate,
  validateUpdate: (sent, stored) => [
    ...validate(sent),
    ...(isDeepStrictEqual(sent.data, stored.data) ? [] : [invalidValue('data', sent.data, 'field is immutable')]),
  ],
} satisfies Strategy<ControllerRevision>

/** `statefulset.apps/web` */
function controllerText({ metadata }: ControllerRevision): string {
  const owner = (metadata?.ownerReferences ?? []).find(({ controller }) => controller)
  if (!owner) return '<none>'
  const group = owner.apiVersion.includes('/') ? `.${owner.apiVersion.split('/')[0]}` : ''
  return `${owner.kind.toLowerCase()}${group}/${owner.name}`
}

export const controllerRevisions = defineResource({
  group: 'apps',
  kind: 'ControllerRevision',
  resource: 'controllerrevisions',
  namespaced: true,
  versions: [{ name: 'v1', schema: ControllerRevision }],
  strategy,
  columns: [
    nameColumn,
    textColumn('Controller', 'What it is a revision of.', controllerText),
    looseCountColumn('Revision', 'Which revision it is.', ({ revision }) => revision),
    ageColumn,
  ] as readonly Column<never>[],
})
