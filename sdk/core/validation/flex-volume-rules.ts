import { type FieldError, invalidValue } from '../../resource/field-errors.js'
import { requireFields } from './field-rules.js'

/** What exec-based volumes of Pods and PersistentVolumes have in common. */
export interface FlexTarget {
  driver: string
  options?: Readonly<Record<string, string>>
}

/** Options in the vendor's own domains are added by the node agent, so clients may not set them. */
export function validateFlexVolume(
  source: FlexTarget,
  field: string,
  reservedDomains: readonly string[],
): FieldError[] {
  const isReserved = (key: string) => {
    const domain = `.${(key.includes('/') ? key.slice(0, key.indexOf('/')) : key).toLowerCase()}`
    return reservedDomains.some(reserved => domain.endsWith(`.${reserved}`))
  }
  return [
    ...requireFields(source, field, 'driver'),
    ...Object.keys(source.options ?? {})
      .filter(isReserved)
      .map(key =>
        invalidValue(`${field}.options[${key}]`, key, `${reservedDomains.join(' and ')} namespaces are reserved`),
      ),
  ]
}
