import { duplicate, type FieldError, invalidValue, requiredValue, type Vendor } from 'orch/sdk'
import { validateResourceRequirements, validateTolerations } from 'orch/sdk/core'
import { isDns1123Label, repeats, validateLabels } from 'orch/sdk/validation'
import { handlerIsRequired, tolerationPaths } from '../differences.js'
import type { RuntimeClass } from './schema.js'

export function validateRuntimeClass({ handler, overhead, scheduling }: RuntimeClass, vendor: Vendor): FieldError[] {
  const path = 'scheduling.tolerations'
  const tolerations = scheduling?.tolerations ?? []
  // The time limit is not part of the identity.
  const isRepeat = repeats(
    tolerations.map(({ key = '', operator = '', value = '', effect = '' }) =>
      JSON.stringify([key, operator, value, effect]),
    ),
  )
  return [
    ...(handler === '' && vendor.level.has(handlerIsRequired)
      ? [requiredValue('handler')]
      : isDns1123Label(handler).map(text => invalidValue('handler', handler, text))),
    ...(overhead ? validateResourceRequirements({ limits: overhead.podFixed }, 'overhead', vendor) : []),
    ...validateLabels(scheduling?.nodeSelector, 'scheduling.nodeSelector'),
    ...validateTolerations(tolerations, vendor.level.has(tolerationPaths) ? path : `${path}.tolerations`),
    ...tolerations.flatMap((toleration, i) => (isRepeat[i] ? [duplicate(`${path}[${i}]`, toleration)] : [])),
  ]
}

export const validateRuntimeClassUpdate = (sent: RuntimeClass, stored: RuntimeClass, vendor: Vendor): FieldError[] => [
  ...validateRuntimeClass(sent, vendor),
  ...(sent.handler === stored.handler ? [] : [invalidValue('handler', sent.handler, 'field is immutable')]),
]
