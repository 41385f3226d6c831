import { isDeepStrictEqual } from 'node:util'
import {
  addAll,
  ageColumn,
  type Column,
  defineResource,
  duplicate,
  type FieldError,
  invalidValue,
  nameColumn,
  requiredValue,
  type Strategy,
  tooMany,
} from 'orch/sdk'
import { isDns1123Label, isDns1123Subdomain, isPathSegmentName, repeats } from 'orch/sdk/validation'
import type { NodeNames } from '../names.js'
import { checkForm, validateGroupRules } from '../pod-groups/validation.js'
import { convertFirst, FirstWorkload, Workload } from './schema.js'

const maxTemplates = 8

export function validateWorkload({ spec: { controllerRef, podGroupTemplates: sent } }: Workload): FieldError[] {
  const path = 'spec.podGroupTemplates'
  // A list that was not sent is null.
  const podGroupTemplates = sent ?? []
  const errors: FieldError[] = controllerRef
    ? [
        ...(controllerRef.apiGroup
          ? checkForm(controllerRef.apiGroup, 'spec.controllerRef.apiGroup', isDns1123Subdomain)
          : []),
        ...checkForm(controllerRef.kind, 'spec.controllerRef.kind', isPathSegmentName),
        ...checkForm(controllerRef.name, 'spec.controllerRef.name', isPathSegmentName),
      ]
    : []
  if (podGroupTemplates.length === 0) return [...errors, requiredValue(path)]
  if (podGroupTemplates.length > maxTemplates) return [...errors, tooMany(path, podGroupTemplates.length, maxTemplates)]
  const isRepeat = repeats(podGroupTemplates.map(({ name }) => name))
  for (const [i, { name, ...rules }] of podGroupTemplates.entries()) {
    if (isRepeat[i]) errors.push(duplicate(`${path}[${i}]`, { name }))
    addAll(errors, checkForm(name, `${path}[${i}].name`, isDns1123Label), validateGroupRules(rules, `${path}[${i}]`))
  }
  return errors
}

/** In the first version, what is stored is checked again. */
export const validateWorkloadUpdate = (sent: Workload, stored: Workload, version: string): FieldError[] => [
  ...(version === 'v1alpha1' ? validateWorkload(sent) : []),
  ...(['controllerRef', 'podGroupTemplates'] as const)
    .filter(field => !isDeepStrictEqual(sent.spec[field], stored.spec[field]))
    .map(field => invalidValue(`spec.${field}`, sent.spec[field], 'field is immutable')),
]

const mainStrategy = {
  validate: validateWorkload,
  validateUpdate: (sent, stored, { requestVersion }) => validateWorkloadUpdate(sent, stored, requestVersion),
  metadataChecks: { change: 1, object: 0 },
} satisfies Strategy<Workload>

/** Alpha: off unless --runtime-config turns it on. */
export const workloads = ({ schedulingGroup }: NodeNames) =>
  defineResource({
    group: schedulingGroup,
    kind: 'Workload',
    resource: 'workloads',
    namespaced: true,
    versions: [
      { name: 'v1alpha2', since: '1.36', schema: Workload, storage: true },
      { name: 'v1alpha1', since: '1.35', until: '1.35', schema: FirstWorkload, ...convertFirst },
    ],
    since: '1.35',
    generation: false,
    strategy: mainStrategy,
    columns: [nameColumn, ageColumn] as readonly Column<Workload>[],
  })
