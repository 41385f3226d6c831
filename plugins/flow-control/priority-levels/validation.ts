import { isDeepStrictEqual } from 'node:util'
import { type FieldError, forbiddenField, invalidValue, notSupported, ownValue, requiredValue } from 'orch/sdk'
import { mandatoryLevels } from '../bootstrap/mandatory.js'
import { maxHandBits } from '../fairness/shuffle-sharding.js'
import { exempt } from '../names.js'
import type { PriorityLevel, PriorityLevelSpec } from './schema.js'

const maxQueues = 10_000_000
type Limited = NonNullable<PriorityLevelSpec['limited']>
type Queuing = NonNullable<NonNullable<Limited['limitResponse']>['queuing']>

export function validatePriorityLevel({ metadata, spec }: PriorityLevel): FieldError[] {
  const name = metadata?.name ?? ''
  const type = spec?.type ?? ''
  const mandatory = ownValue(mandatoryLevels, name)
  const isKnown = type === 'Exempt' || type === 'Limited'
  return [
    ...(isKnown && (name === exempt) !== (type === 'Exempt')
      ? [invalidValue('spec.type', type, `is Exempt for the level named ${exempt}, and for no other`)]
      : []),
    ...(mandatory && !isDeepStrictEqual(mandatory, spec)
      ? [invalidValue('spec', spec, `the spec of ${name} cannot change`)]
      : []),
    ...(isKnown ? validateLimit(type, spec?.limited) : [notSupported('spec.type', type, ['Exempt', 'Limited'])]),
  ]
}

function validateLimit(type: 'Exempt' | 'Limited', limited: Limited | undefined): FieldError[] {
  const at = 'spec.limited'
  if (type === 'Exempt') return limited ? [forbiddenField(at, 'must be unset when the type is not Limited')] : []
  if (!limited) return [requiredValue(at, 'must be set when the type is Limited')]
  const { assuredConcurrencyShares: shares = 0, limitResponse } = limited
  return [
    ...(shares > 0 ? [] : [invalidValue(`${at}.assuredConcurrencyShares`, shares, 'must be positive')]),
    ...validateResponse(limitResponse?.type ?? '', limitResponse?.queuing, `${at}.limitResponse`),
  ]
}

function validateResponse(type: string, queuing: Queuing | undefined, at: string): FieldError[] {
  if (type === 'Reject')
    return queuing ? [forbiddenField(`${at}.queuing`, 'must be unset when the type is not Queue')] : []
  if (type !== 'Queue') return [notSupported(`${at}.type`, type, ['Queue', 'Reject'])]
  return queuing
    ? validateQueuing(queuing, `${at}.queuing`)
    : [requiredValue(`${at}.queuing`, 'must be set with Queue')]
}

function validateQueuing({ queues = 0, handSize = 0, queueLengthLimit = 0 }: Queuing, at: string): FieldError[] {
  const invalid = (field: keyof Queuing, value: number, detail: string) => invalidValue(`${at}.${field}`, value, detail)
  const positive = (field: keyof Queuing, value: number) =>
    value > 0 ? [] : [invalid(field, value, 'must be positive')]
  const isTooMuch = queues > 0 && handSize * Math.log2(queues) > maxHandBits
  return [
    ...positive('queueLengthLimit', queueLengthLimit),
    ...positive('queues', queues),
    ...(queues > maxQueues ? [invalid('queues', queues, `must not be greater than ${maxQueues}`)] : []),
    ...positive('handSize', handSize),
    ...(handSize > queues ? [invalid('handSize', handSize, 'must not be greater than the number of queues')] : []),
    ...(handSize <= queues && isTooMuch
      ? [invalid('handSize', handSize, `needs more than ${maxHandBits} bits of a hash with that many queues`)]
      : []),
  ]
}
