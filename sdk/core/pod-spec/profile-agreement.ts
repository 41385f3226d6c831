import type { Vendor } from '../../plugin/vendor.js'
import type { FieldError } from '../../resource/field-errors.js'
import type { PodSpec } from '../pod-spec.js'
import { checkAppArmorAgreement } from './app-armor-agreement.js'
import { checkSeccompAgreement } from './seccomp-agreement.js'

/** Security profiles were annotations before they were fields; where both are set, they must be the same. `field` is the spec. */
export const checkProfileAgreement = (
  annotations: Readonly<Record<string, string>> | undefined,
  spec: PodSpec,
  field: string,
  vendor: Vendor,
): FieldError[] => [
  ...checkSeccompAgreement(annotations, spec, field, vendor),
  ...checkAppArmorAgreement(annotations, spec, field, vendor),
]
