import { duplicate, type FieldError, invalidValue, notSupported, requiredValue } from 'orch/sdk'
import { type Taint, taintEffects } from 'orch/sdk/core'
import { isQualifiedName, isValidLabelValue } from 'orch/sdk/validation'

/** Taints must be unique by key and effect. */
export function validateTaints(taints: readonly Taint[], field: string): FieldError[] {
  const seen = new Set<string>()
  return taints.flatMap((taint, i) => {
    const at = `${field}[${i}]`
    const { key, value = '', effect } = taint
    const broken = isValidLabelValue(value)
    const errors = [
      ...isQualifiedName(key).map(text => invalidValue(`${at}.key`, key, text)),
      ...(broken.length === 0 ? [] : [invalidValue(`${at}.value`, value, broken.join(';'))]),
    ]
    if (effect === '') errors.push(requiredValue(`${at}.effect`))
    else if (!taintEffects.some(known => known === effect))
      errors.push(notSupported(`${at}.effect`, effect, taintEffects))
    const identity = `${key}:${effect}`
    if (seen.has(identity))
      errors.push({ ...duplicate(at, taint), detail: 'taints must be unique by key and effect pair' })
    seen.add(identity)
    return errors
  })
}
