import { isDeepStrictEqual } from 'node:util'
import {
  duplicate,
  type FieldError,
  invalidValue,
  isDns1123Label,
  type Vendor,
  validateLabels,
  validateResourceRequirements,
  validateTolerations,
} from 'orch/sdk'
import type { RuntimeClass } from './schema.js'

export function validateRuntimeClass({ handler, overhead, scheduling }: RuntimeClass, vendor: Vendor): FieldError[] {
  const tolerations = scheduling?.tolerations ?? []
  const isRepeated = (i: number) => tolerations.slice(0, i).some(other => isDeepStrictEqual(other, tolerations[i]))
  return [
    ...isDns1123Label(handler).map(text => invalidValue('handler', handler, text)),
    ...(overhead ? validateResourceRequirements({ limits: overhead.podFixed }, 'overhead.podFixed', vendor) : []),
    ...validateLabels(scheduling?.nodeSelector, 'scheduling.nodeSelector'),
    ...validateTolerations(tolerations, 'scheduling.tolerations'),
    ...tolerations.flatMap((toleration, i) =>
      isRepeated(i) ? [duplicate(`scheduling.tolerations[${i}]`, toleration)] : [],
    ),
  ]
}

export const validateRuntimeClassUpdate = (sent: RuntimeClass, stored: RuntimeClass, vendor: Vendor): FieldError[] => [
  ...(sent.handler === stored.handler ? [] : [invalidValue('handler', sent.handler, 'field is immutable')]),
  ...validateRuntimeClass(sent, vendor),
]
