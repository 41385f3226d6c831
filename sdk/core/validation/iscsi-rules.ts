import { addAll, type FieldError, invalidValue, requiredValue } from '../../resource/field-errors.js'

const iqnForm = /^iqn\.\d{4}-\d{2}\.[A-Za-z0-9\-.]+:[^,;*&$|\s]+$/
const euiForm = /^eui.[A-Za-z0-9]{16}$/
const naaForm = /^naa.[A-Za-z0-9]{32}$/
const isWellFormed = (name: string) => iqnForm.test(name) || euiForm.test(name) || naaForm.test(name)

const maxLun = 255
/** A logical unit number. */
export const checkLun = (lun: number, field: string): FieldError[] =>
  lun < 0 || lun > maxLun ? [invalidValue(field, lun, `must be between 0 and ${maxLun}, inclusive`)] : []

/** What iSCSI volumes of Pods and PersistentVolumes have in common. */
export interface IscsiTarget {
  targetPortal: string
  iqn: string
  lun: number
  chapAuthDiscovery?: boolean
  chapAuthSession?: boolean
  initiatorName?: string
  secretRef?: object
}

/** Errors that only one of both types can have, reported after those of the portal or of the Secret, as in Kubernetes. */
interface IscsiExtras {
  readonly ofPortal?: readonly FieldError[]
  readonly ofSecret?: readonly FieldError[]
}

/** The rules for an iSCSI target; the caller validates the secretRef itself. */
export function validateIscsiTarget(
  target: IscsiTarget,
  field: string,
  { ofPortal = [], ofSecret = [] }: IscsiExtras = {},
): FieldError[] {
  const errors: FieldError[] = []
  if (target.targetPortal === '') errors.push(requiredValue(`${field}.targetPortal`))
  addAll(errors, ofPortal)
  if (target.iqn === '') errors.push(requiredValue(`${field}.iqn`))
  else if (!isWellFormed(target.iqn))
    errors.push(invalidValue(`${field}.iqn`, target.iqn, 'must be valid format starting with iqn, eui, or naa'))
  addAll(errors, checkLun(target.lun, `${field}.lun`))
  if ((target.chapAuthDiscovery || target.chapAuthSession) && target.secretRef === undefined)
    errors.push(requiredValue(`${field}.secretRef`))
  addAll(errors, ofSecret)
  if (target.initiatorName !== undefined && !isWellFormed(target.initiatorName))
    errors.push(invalidValue(`${field}.initiatorname`, target.initiatorName, 'must be valid format'))
  return errors
}

const maxInitiatorTarget = 64
/** The volume name becomes part of an identifier of limited length when an initiator is named. */
export const isIscsiNameTooLong = (volumeName: string, target: IscsiTarget): boolean =>
  target.initiatorName !== undefined && Buffer.byteLength(`${volumeName}:${target.targetPortal}`) > maxInitiatorTarget
