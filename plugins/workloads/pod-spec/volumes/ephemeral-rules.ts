import {
  type EphemeralVolumeSource,
  type FieldError,
  forbiddenField,
  invalidValue,
  isDns1123Subdomain,
  isQualifiedName,
  type ObjectMeta,
  required,
  validateLabels,
  validatePersistentVolumeClaimSpec,
} from 'orch/sdk'

const templateFields = new Set(['labels', 'annotations'])
const maxAnnotationBytes = 256 * 1024

/** Annotations at `field`: qualified names, and not too much of them. */
function validateAnnotations(annotations: Readonly<Record<string, string>> = {}, field: string): FieldError[] {
  const errors = Object.keys(annotations).flatMap(key =>
    isQualifiedName(key.toLowerCase()).map(text => invalidValue(field, key, text)),
  )
  const bytes = Object.entries(annotations).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  )
  if (bytes > maxAnnotationBytes)
    errors.push({ type: 'FieldValueTooLong', field, detail: `must have at most ${maxAnnotationBytes} bytes` })
  return errors
}

/** The claim gets its name and owner from the Pod, so its template can only carry labels and annotations. */
function validateTemplateMetadata(metadata: ObjectMeta = {}, field: string): FieldError[] {
  const others = Object.entries(metadata)
    .filter(([name, value]) => !templateFields.has(name) && value !== undefined && value !== null)
    .map(([name]) => forbiddenField(`${field}.${name}`, 'cannot be set'))
  return [
    ...validateAnnotations(metadata.annotations, `${field}.annotations`),
    ...validateLabels(metadata.labels, `${field}.labels`),
    ...others,
  ]
}

/** A volume whose claim is made with the Pod. */
export function validateEphemeral({ volumeClaimTemplate }: EphemeralVolumeSource, field: string): FieldError[] {
  const at = `${field}.volumeClaimTemplate`
  if (volumeClaimTemplate === undefined) return [required(at)]
  return [
    ...validateTemplateMetadata(volumeClaimTemplate.metadata, `${at}.metadata`),
    ...validatePersistentVolumeClaimSpec(volumeClaimTemplate.spec, `${at}.spec`),
  ]
}

/** The claim will be called `<pod>-<volume>`, which must be a name. */
export function validateClaimName(podName: string, volumeName: string, field: string): FieldError[] {
  if (podName === '' || volumeName === '') return []
  const claim = `${podName}-${volumeName}`
  return isDns1123Subdomain(claim).map(text => invalidValue(field, volumeName, `PVC name "${claim}": ${text}`))
}
