import {
  addAll,
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
  requiredValue,
} from '../../../resource/field-errors.js'
import { isDns1123Label } from '../../../validation/object-names.js'
import { isIscsiNameTooLong } from '../../validation/iscsi-rules.js'
import type { Volume, VolumeSource } from '../../volume.js'
import { validateClaimName } from './ephemeral-rules.js'
import { sourceRules } from './source-rules.js'
import type { VolumeLimits } from './volume-limits.js'

type Rules = Record<string, (source: unknown, field: string) => FieldError[]>

/** The volumes that containers may mount: those with nothing wrong, by name. */
export type KnownVolumes = ReadonlyMap<string, Volume>

/** Checks the volumes of a Pod. `podName` is empty where it is not known, as in a template. */
export function validateVolumes(
  volumes: readonly Volume[],
  field: string,
  { podName, ...limits }: { podName: string } & VolumeLimits,
): { errors: FieldError[]; known: KnownVolumes } {
  const rules = sourceRules(limits) as Rules
  const errors: FieldError[] = []
  const known = new Map<string, Volume>()
  const made = new Set(volumes.filter(({ ephemeral }) => ephemeral).map(({ name }) => `${podName}-${name}`))
  for (const [i, volume] of volumes.entries()) {
    const at = `${field}[${i}]`
    const wrong = [
      ...validateSource(volume, at, rules),
      ...validateNamesDerived(volume, at, podName, rules),
      ...validateName(volume.name, `${at}.name`),
    ]
    if (known.has(volume.name)) wrong.push(duplicate(`${at}.name`, volume.name))
    if (wrong.length === 0) known.set(volume.name, volume)
    addAll(errors, wrong)
    const claim = volume.persistentVolumeClaim?.claimName ?? ''
    if (podName !== '' && made.has(claim))
      errors.push(
        invalidValue(
          `${at}.persistentVolumeClaim.claimName`,
          claim,
          'must not reference a PVC that gets created for an ephemeral volume',
        ),
      )
  }
  return { errors, known }
}

const validateName = (name: string, field: string): FieldError[] =>
  name === '' ? [requiredValue(field)] : isDns1123Label(name).map(text => invalidValue(field, name, text))

/** The name under which errors of a source are reported, if it is not that of its field. */
const namesInErrors: Readonly<Record<string, { readonly whenWrong?: string; readonly whenSecond?: string }>> = {
  gcePersistentDisk: { whenWrong: 'persistentDisk' },
  cephfs: { whenSecond: 'cephFS' },
  downwardAPI: { whenSecond: 'downwarAPI' },
}

/** The names of the sources that are set, in the order of the rules. There should be one. */
const sourcesOf = (volume: Volume, rules: Rules): string[] =>
  Object.keys(rules).filter(name => volume[name as keyof VolumeSource] !== undefined)

function validateSource(volume: Volume, field: string, rules: Rules) {
  const [first, ...others] = sourcesOf(volume, rules)
  if (first === undefined) return [requiredValue(field, 'must specify a volume type')]
  const at = `${field}.${namesInErrors[first]?.whenWrong ?? first}`
  return [
    ...(rules[first]?.(volume[first as keyof VolumeSource], at) ?? []),
    ...others.map(name =>
      forbiddenField(`${field}.${namesInErrors[name]?.whenSecond ?? name}`, 'may not specify more than 1 volume type'),
    ),
  ]
}

/** Names that will be made from the name of the volume. No claim is made for a source that is refused besides another. */
function validateNamesDerived(volume: Volume, field: string, podName: string, rules: Rules): FieldError[] {
  const tooLong = invalidValue(
    `${field}.name`,
    volume.name,
    'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.',
  )
  return [
    ...(volume.iscsi && isIscsiNameTooLong(volume.name, volume.iscsi) ? [tooLong] : []),
    ...(sourcesOf(volume, rules)[0] === 'ephemeral' ? validateClaimName(podName, volume.name, `${field}.name`) : []),
  ]
}
