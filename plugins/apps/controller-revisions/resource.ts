import {
  ageColumn,
  type Column,
  defineResource,
  type FieldError,
  invalidValue,
  nameColumn,
  requiredValue,
  type Strategy,
  type Vendor,
} from 'orch/sdk'
import { checkNotNegative } from 'orch/sdk/core'
import { sameJson } from 'orch/sdk/validation'
import { revisionDataIsChecked } from '../differences.js'
import { looseCountColumn, textColumn } from '../template-columns.js'
import { ControllerRevision } from './schema.js'

const validateRevision = ({ revision }: ControllerRevision): FieldError[] => checkNotNegative(revision, 'revision')

function validateData({ data }: ControllerRevision, { level }: Vendor): FieldError[] {
  if (data === undefined || data === null) return [requiredValue('data', 'data is mandatory')]
  const isObject = typeof data === 'object' && !Array.isArray(data)
  return isObject || !level.has(revisionDataIsChecked)
    ? []
    : [requiredValue('data', 'data must be a valid JSON object')]
}

const strategy = {
  validate: (revision, { vendor }) => [...validateData(revision, vendor), ...validateRevision(revision)],
  validateUpdate: (sent, stored, { vendor }) => [
    ...(vendor.level.has(revisionDataIsChecked) ? [] : validateData(sent, vendor)),
    ...validateRevision(sent),
    ...(sameJson(sent.data, stored.data) ? [] : [invalidValue('data', sent.data, 'field is immutable')]),
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
    textColumn('Controller', 'The controller of the revision.', controllerText),
    looseCountColumn('Revision', 'Number of the revision.', ({ revision }) => revision),
    ageColumn,
  ] as readonly Column<never>[],
})
