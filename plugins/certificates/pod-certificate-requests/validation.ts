import { isDeepStrictEqual } from 'node:util'
import { addAll, type FieldError, invalidValue, notSupported, requiredValue, tooLong } from 'orch/sdk'
import {
  nameIsDnsSubdomain,
  validateConditions,
  validateSignerName,
  validateUserAnnotations,
} from 'orch/sdk/validation'
import { validateIssued } from './issued-chain.js'
import { validateKey } from './requested-key.js'
import type { PodCertificateRequest } from './schema.js'

const maxUidLength = 128
const hourSeconds = 60 * 60
const daySeconds = 24 * hourSeconds
const maxSeconds = { own: daySeconds, others: 91 * daySeconds }
const outcomes = ['Issued', 'Denied', 'Failed']
const omitted = '<value omitted>'

/** A new request. `isOwnSigner` recognises signers of this server, whose certificates are valid for a day at most. */
export async function validateRequest(
  { spec }: PodCertificateRequest,
  isOwnSigner: (signerName: string) => boolean,
): Promise<FieldError[]> {
  const errors = [
    ...validateSignerName(spec.signerName, 'spec.signerName'),
    ...validateUserAnnotations(spec.unverifiedUserAnnotations ?? {}, 'spec.unverifiedUserAnnotations'),
    ...(['pod', 'serviceAccount', 'node'] as const).flatMap(part => [
      ...nameIsDnsSubdomain(spec[`${part}Name`], false).map(text =>
        invalidValue(`spec.${part}Name`, spec[`${part}Name`], text),
      ),
      ...validateUid(spec[`${part}UID`], `spec.${part}UID`),
    ]),
  ]
  const seconds = spec.maxExpirationSeconds
  if (seconds === undefined) return [...errors, requiredValue('spec.maxExpirationSeconds', 'must be set')]
  const maxAllowed = isOwnSigner(spec.signerName) ? maxSeconds.own : maxSeconds.others
  if (seconds < hourSeconds || seconds > maxAllowed)
    errors.push(
      invalidValue('spec.maxExpirationSeconds', seconds, `must be in the range [${hourSeconds}, ${maxAllowed}]`),
    )
  return [...errors, ...(await validateKey(spec))]
}

function validateUid(uid: string, path: string): FieldError[] {
  if (uid === '') return [invalidValue(path, uid, 'must not be empty')]
  return uid.length > maxUidLength ? [tooLong(path, maxUidLength)] : []
}

export const validateRequestUpdate = (sent: PodCertificateRequest, stored: PodCertificateRequest): FieldError[] =>
  isDeepStrictEqual(sent.spec, stored.spec) ? [] : [invalidValue('spec', omitted, 'field is immutable')]

const outcomeOf = ({ status }: PodCertificateRequest) =>
  status.conditions?.find(({ type, status: is }) => outcomes.includes(type) && is === 'True')?.type

/** A request has one outcome, which is immutable. */
export async function validateOutcome(
  sent: PodCertificateRequest,
  stored: PodCertificateRequest,
  now: number,
): Promise<FieldError[]> {
  const { conditions = [], ...others } = sent.status
  const firstOutcome = conditions.findIndex(({ type }) => outcomes.includes(type))
  const errors = conditions.flatMap(({ type, status }, i) => {
    const at = `status.conditions.[${i}]`
    if (!outcomes.includes(type)) return [notSupported(`${at}.type`, type, outcomes)]
    const rule = 'There may be at most one condition with type "Issued", "Denied", or "Failed"'
    return [
      ...(firstOutcome < i ? [invalidValue(`${at}.type`, type, rule)] : []),
      ...(status === 'True' ? [] : [notSupported(`${at}.status`, status, ['True'])]),
    ]
  })
  addAll(errors, validateConditions(conditions, 'status.conditions'))
  if (errors.length > 0) return errors
  const isSame = isDeepStrictEqual(sent.status, stored.status)
  const wrong = (detail: string) => [invalidValue('status', omitted, detail)]
  if (outcomeOf(stored))
    return isSame ? [] : wrong('immutable after PodCertificateRequest is issued, denied, or failed')
  const outcome = outcomeOf(sent)
  if (outcome === 'Issued') return validateIssued(sent, now)
  if (outcome === undefined)
    return isSame ? [] : wrong('status is immutable unless transitioning to "Issued", "Denied", or "Failed"')
  return Object.values(others).every(value => value === undefined || value === '')
    ? []
    : wrong('non-condition status fields must be empty when denying or failing the PodCertificateRequest')
}
