import { type FieldError, forbiddenField, invalidValue, requiredValue, tooLong } from 'orch/sdk'
import { type ClaimRules, validateCsiDriverName } from 'orch/sdk/core'
import { isDns1123Subdomain } from 'orch/sdk/validation'
import { checkUnchanged } from '../immutable-field.js'
import type { StorageNames } from '../names.js'
import { validateInlineVolumeSpec } from '../persistent-volumes/validate-spec.js'
import type { VolumeAttachment, VolumeAttachmentSource, VolumeAttachmentStatus, VolumeError } from './schema.js'

/** How attachments are validated, by version. */
export interface AttachmentRules extends ClaimRules {
  readonly errorCodes?: boolean
  readonly checkedOnce?: boolean
}

const maxMetadataBytes = 256 * 1024
const maxErrorBytes = 1024

const checkName = (name: string, field: string): FieldError[] =>
  isDns1123Subdomain(name).map(text => invalidValue(field, name, text))

/** From `attachersAreCheckedOnce` on, every object is validated as strictly as a new one. */
const validateObject = (
  { spec, status }: VolumeAttachment,
  names: StorageNames,
  rules: AttachmentRules,
): FieldError[] => [
  ...(spec.attacher === '' ? [requiredValue('spec.attacher')] : []),
  ...(names.attachersAreCheckedOnce ? validateStrictly(spec, names) : []),
  ...validateSource(spec.source, 'spec.source', names, rules),
  ...checkName(spec.nodeName, 'spec.nodeName'),
  ...(status ? validateStatus(status, rules) : []),
]

/** Before `attachersAreCheckedOnce`, the names of attacher and volume are validated only here. */
export const validateNewAttachment = (
  attachment: VolumeAttachment,
  names: StorageNames,
  rules: AttachmentRules = {},
): FieldError[] => {
  return [
    ...validateObject(attachment, names, rules),
    ...(names.attachersAreCheckedOnce ? [] : validateStrictly(attachment.spec, names)),
  ]
}

const validateStrictly = ({ attacher, source }: VolumeAttachment['spec'], names: StorageNames): FieldError[] => [
  ...(attacher === '' && names.attachersAreCheckedOnce
    ? []
    : validateCsiDriverName(attacher, 'spec.attacher', names.missingNamesAreInvalid)),
  ...(source.persistentVolumeName === undefined
    ? []
    : checkName(source.persistentVolumeName, 'spec.source.persistentVolumeName')),
]

/** The spec is immutable. Before `claimsAreCheckedOnce`, errors of the object are reported twice. */
export const validateAttachmentUpdate = (
  sent: VolumeAttachment,
  stored: VolumeAttachment,
  names: StorageNames,
  rules: AttachmentRules = {},
): FieldError[] => [
  ...validateObject(sent, names, rules),
  ...(rules.checkedOnce ? [] : validateObject(sent, names, rules)),
  ...checkUnchanged(sent.spec, stored.spec, 'spec'),
]

function validateSource(
  source: VolumeAttachmentSource,
  field: string,
  names: StorageNames,
  rules: AttachmentRules,
): FieldError[] {
  const { persistentVolumeName: name, inlineVolumeSpec: inline } = source
  const exactlyOne = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName'
  if (name !== undefined && inline !== undefined) return [forbiddenField(field, exactlyOne)]
  if (inline !== undefined) return validateInlineVolumeSpec(inline, `${field}.inlineVolumeSpec`, names, rules)
  if (name === undefined) return [requiredValue(field, exactlyOne)]
  return name === ''
    ? [requiredValue(`${field}.persistentVolumeName`, 'must specify non empty persistentVolumeName')]
    : []
}

const validateStatus = (
  { attachmentMetadata = {}, attachError, detachError }: VolumeAttachmentStatus,
  rules: AttachmentRules,
): FieldError[] => {
  const bytes = Object.entries(attachmentMetadata).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  )
  return [
    ...(bytes > maxMetadataBytes ? [tooLong('status.attachmentMetadata', maxMetadataBytes)] : []),
    ...checkError(attachError, 'status.attachError', rules),
    ...checkError(detachError, 'status.detachError', rules),
  ]
}
const checkError = (error: VolumeError | undefined, field: string, { errorCodes }: AttachmentRules): FieldError[] => [
  ...(Buffer.byteLength(error?.message ?? '') > maxErrorBytes ? [tooLong(`${field}.message`, maxErrorBytes)] : []),
  ...(errorCodes && (error?.errorCode ?? 0) < 0
    ? [invalidValue(`${field}.errorCode`, error?.errorCode, 'must be between 0 and 2147483647, inclusive')]
    : []),
]
