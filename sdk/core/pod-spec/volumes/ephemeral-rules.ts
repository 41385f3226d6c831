import { type FieldError, forbiddenField, invalidValue, requiredValue } from '../../../resource/field-errors.js'
import type { ObjectMeta } from '../../../resource/meta.js'
import { isDns1123Subdomain } from '../../../validation/object-names.js'
import { validateLabels } from '../../../validation/selectors.js'
import type { EphemeralVolumeSource } from '../../persistent-volume-claim-spec.js'
import {
  type ClaimRules,
  validatePersistentVolumeClaimSpec,
} from '../../validation/persistent-volume-claim-spec-rules.js'
import { validateAnnotations } from '../validate-annotations.js'

const templateFields = new Set(['labels', 'annotations'])

/** The claim gets its name and owner from the Pod, so its template can only carry labels and annotations. */
export function validateTemplateMetadata(metadata: ObjectMeta = {}, field: string): FieldError[] {
  const others = Object.entries(metadata)
    .filter(([name, value]) => !templateFields.has(name) && value !== undefined && value !== null)
    // Kubernetes spells the field of the uid like this.
    .map(([name]) => forbiddenField(`${field}.${name === 'uid' ? 'uID' : name}`, 'cannot be set'))
  return [
    ...validateAnnotations(metadata.annotations, `${field}.annotations`),
    ...validateLabels(metadata.labels, `${field}.labels`),
    ...others,
  ]
}

/** A volume whose claim is made with the Pod. */
export function validateEphemeral(
  { volumeClaimTemplate }: EphemeralVolumeSource,
  field: string,
  rules: ClaimRules,
): FieldError[] {
  const at = `${field}.volumeClaimTemplate`
  if (volumeClaimTemplate === undefined) return [requiredValue(at)]
  return [
    ...validateTemplateMetadata(volumeClaimTemplate.metadata, `${at}.metadata`),
    ...validatePersistentVolumeClaimSpec(volumeClaimTemplate.spec, `${at}.spec`, rules),
  ]
}

/** The claim will be called `<pod>-<volume>`, which must be a name. */
export function validateClaimName(podName: string, volumeName: string, field: string): FieldError[] {
  if (podName === '' || volumeName === '') return []
  const claim = `${podName}-${volumeName}`
  return isDns1123Subdomain(claim).map(text => invalidValue(field, volumeName, `PVC name "${claim}": ${text}`))
}
