import { type FieldError, forbiddenField, invalidValue, isDns1123Subdomain, requiredValue, tooLong } from 'orch/sdk'
import { validateCsiDriverName } from 'orch/sdk/core'
import { checkUnchanged } from '../immutable-field.js'
import type { StorageNames } from '../names.js'
import { validateInlineVolumeSpec } from '../persistent-volumes/validate-spec.js'
import type { VolumeAttachment, VolumeAttachmentSource, VolumeAttachmentStatus, VolumeError } from './schema.js'

const maxMetadataBytes = 256 * 1024
const maxErrorBytes = 1024

const checkName = (name: string, field: string): FieldError[] =>
  isDns1123Subdomain(name).map(text => invalidValue(field, name, text))

const validateObject = ({ spec, status }: VolumeAttachment, names: StorageNames): FieldError[] => [
  ...(spec.attacher === '' ? [requiredValue('spec.attacher')] : []),
  ...validateSource(spec.source, 'spec.source', names),
  ...checkName(spec.nodeName, 'spec.nodeName'),
  ...(status ? validateStatus(status) : []),
]

/** Attachments from before this version may name their attacher and volume less strictly. */
export const validateNewAttachment = (attachment: VolumeAttachment, names: StorageNames): FieldError[] => {
  const { attacher, source } = attachment.spec
  return [
    ...validateObject(attachment, names),
    ...validateCsiDriverName(attacher, 'spec.attacher'),
    ...(source.persistentVolumeName === undefined
      ? []
      : checkName(source.persistentVolumeName, 'spec.source.persistentVolumeName')),
  ]
}

/** What is attached where cannot change: detach, and attach anew. Clients see the errors of the object twice, as from the reference. */
export const validateAttachmentUpdate = (
  sent: VolumeAttachment,
  stored: VolumeAttachment,
  names: StorageNames,
): FieldError[] => [
  ...validateObject(sent, names),
  ...validateObject(sent, names),
  ...checkUnchanged(sent.spec, stored.spec, 'spec'),
]

function validateSource(source: VolumeAttachmentSource, field: string, names: StorageNames): FieldError[] {
  const { persistentVolumeName: name, inlineVolumeSpec: inline } = source
  const exactlyOne = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName'
  if (name !== undefined && inline !== undefined) return [forbiddenField(field, exactlyOne)]
  if (inline !== undefined) return validateInlineVolumeSpec(inline, `${field}.inlineVolumeSpec`, names)
  if (name === undefined) return [requiredValue(field, exactlyOne)]
  return name === ''
    ? [requiredValue(`${field}.persistentVolumeName`, 'must specify non empty persistentVolumeName')]
    : []
}

const validateStatus = ({
  attachmentMetadata = {},
  attachError,
  detachError,
}: VolumeAttachmentStatus): FieldError[] => {
  const bytes = Object.entries(attachmentMetadata).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  )
  return [
    ...(bytes > maxMetadataBytes ? [tooLong('status.attachmentMetadata', maxMetadataBytes)] : []),
    ...checkError(attachError, 'status.attachError'),
    ...checkError(detachError, 'status.detachError'),
  ]
}
const checkError = (error: VolumeError | undefined, field: string): FieldError[] =>
  Buffer.byteLength(error?.message ?? '') > maxErrorBytes ? [tooLong(`${field}.message`, maxErrorBytes)] : []
