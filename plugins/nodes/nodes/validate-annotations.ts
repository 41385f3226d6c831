import { type FieldError, invalidValue, isRecord, requiredValue, type Vendor } from 'orch/sdk'
import type { Taint } from 'orch/sdk/core'
import type { Node } from './schema.js'
import { validateTaints } from './validate-taints.js'

const at = 'metadata.annotations'

/** Annotations that older clients use instead of fields are validated like these fields. */
export function validateNodeAnnotations({ metadata }: Node, vendor: Vendor): FieldError[] {
  const taints = vendor.qualify('taints', 'scheduler.alpha')
  const avoided = vendor.qualify('preferAvoidPods', 'scheduler.alpha')
  const { [taints]: taintsText = '', [avoided]: avoidedText = '' } = metadata?.annotations ?? {}
  return [
    ...(taintsText === '' ? [] : validateTaintsText(taintsText, taints)),
    ...(avoidedText === '' ? [] : validateAvoidedText(avoidedText, avoided)),
  ]
}

const malformed = (key: string, field = at) => [
  invalidValue(field, key, 'must be JSON in the format of this annotation'),
]

function validateTaintsText(text: string, key: string): FieldError[] {
  const list = parse(text)
  if (list === null) return []
  const isText = (value: unknown) => value === undefined || value === null || typeof value === 'string'
  const isTaint = (one: unknown): one is Partial<Taint> =>
    isRecord(one) && [one['key'], one['value'], one['effect']].every(isText)
  if (!Array.isArray(list) || !list.every(isTaint)) return malformed(key)
  return validateTaints(
    list.map(({ key: name, value, effect }) => ({ key: name ?? '', value: value ?? '', effect: effect ?? '' })),
    `${at}.${key}`,
  )
}

/** Pods are identified by their controller. */
function validateAvoidedText(text: string, key: string): FieldError[] {
  const avoided = parse(text)
  if (avoided === null) return []
  const entries = isRecord(avoided) ? (avoided['preferAvoidPods'] ?? []) : undefined
  if (!Array.isArray(entries) || !entries.every(isRecord)) return malformed(key, `${at}.AvoidPods`)
  return entries.flatMap(({ podSignature }, i) => {
    const field = `${at}.${key}[${i}].PodSignature`
    const owner = isRecord(podSignature) ? podSignature['podController'] : undefined
    if (!isRecord(owner)) return [requiredValue(field)]
    return owner['controller'] === true
      ? []
      : [invalidValue(`${field}.PodController.Controller`, false, 'must point to a controller')]
  })
}

/** Undefined if the text is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
