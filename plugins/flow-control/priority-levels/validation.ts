import { isDeepStrictEqual } from 'node:util'
import {
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  ownValue,
  requiredValue,
  type ServedLevel,
  type StrategyContext,
} from 'orch/sdk'
import { mandatoryLevels } from '../bootstrap/mandatory.js'
import { typesAreRequired, zeroShares } from '../differences.js'
import { maxHandBits } from '../fairness/shuffle-sharding.js'
import { exempt } from '../names.js'
import type { PriorityLevel, PriorityLevelSpec } from './schema.js'

const maxQueues = 10_000_000
type Limited = NonNullable<PriorityLevelSpec['limited']>
type Exempt = NonNullable<PriorityLevelSpec['exempt']>
type Queuing = NonNullable<NonNullable<Limited['limitResponse']>['queuing']>

/** The rules of a version of the API. Fields have the names of the version that the request used. */
export function validatePriorityLevel(level: ServedLevel) {
  const mandatoryOnes = mandatoryLevels(level)
  return (object: PriorityLevel, { requestVersion }: StrategyContext) =>
    validateAt(object, {
      mandatoryOnes,
      mayHaveNoShares: level.has(zeroShares),
      isTypeRequired: level.has(typesAreRequired),
      requestVersion,
    })
}
interface Rules {
  readonly mandatoryOnes: ReturnType<typeof mandatoryLevels>
  readonly mayHaveNoShares: boolean
  readonly isTypeRequired: boolean
  readonly requestVersion: string
}

function validateAt({ metadata, spec }: PriorityLevel, rules: Rules): FieldError[] {
  const name = metadata?.name ?? ''
  const type = spec?.type ?? ''
  const mandatory = ownValue(rules.mandatoryOnes, name)
  const isKnown = type === 'Exempt' || type === 'Limited'
  return [
    ...(isKnown && (name === exempt) !== (type === 'Exempt')
      ? [invalidValue('spec.type', type, `is Exempt for the level named ${exempt}, and for no other`)]
      : []),
    ...(mandatory && !isDeepStrictEqual(mandatory, withMandatoryShares(spec, mandatory))
      ? [invalidValue('spec', spec, `the spec of ${name} cannot change`)]
      : []),
    ...(isKnown ? validateType(type, spec, rules) : [unknownType('spec.type', type, ['Exempt', 'Limited'], rules)]),
  ]
}

const unknownType = (field: string, type: string, known: readonly string[], { isTypeRequired }: Rules): FieldError =>
  type === '' && isTypeRequired ? requiredValue(field) : notSupported(field, type, known)

/** Administrators may change what the exempt level reserves and lends, and nothing else of it. */
function withMandatoryShares(
  spec: PriorityLevelSpec | undefined,
  mandatory: PriorityLevelSpec,
): PriorityLevelSpec | undefined {
  if (mandatory.exempt === undefined || spec === undefined) return spec
  return { ...spec, exempt: mandatory.exempt }
}

function validateType(type: 'Exempt' | 'Limited', spec: PriorityLevelSpec | undefined, rules: Rules): FieldError[] {
  const { limited, exempt } = spec ?? {}
  if (type === 'Exempt') {
    return [
      ...(limited ? [forbiddenField('spec.limited', 'must be unset when the type is not Limited')] : []),
      ...(exempt ? validateExempt(exempt) : []),
    ]
  }
  return [
    ...(exempt ? [forbiddenField('spec.exempt', 'must be unset when the type is Limited')] : []),
    ...(limited
      ? validateLimited(limited, rules)
      : [requiredValue('spec.limited', 'must be set when the type is Limited')]),
  ]
}

function validateExempt({ nominalConcurrencyShares: shares = 0, lendablePercent = 0 }: Exempt): FieldError[] {
  const at = 'spec.exempt'
  return [
    ...(shares < 0 ? [invalidValue(`${at}.nominalConcurrencyShares`, shares, 'must not be negative')] : []),
    ...validatePercent(lendablePercent, `${at}.lendablePercent`),
  ]
}

function validateLimited(limited: Limited, rules: Rules): FieldError[] {
  const { mayHaveNoShares, requestVersion } = rules
  const at = 'spec.limited'
  const {
    nominalConcurrencyShares: shares = 0,
    limitResponse,
    lendablePercent = 0,
    borrowingLimitPercent = 0,
  } = limited
  const sharesName = ['v1beta1', 'v1beta2'].includes(requestVersion)
    ? 'assuredConcurrencyShares'
    : 'nominalConcurrencyShares'
  const isValid = mayHaveNoShares ? shares >= 0 : shares > 0
  const rule = mayHaveNoShares ? 'must not be negative' : 'must be positive'
  return [
    ...(isValid ? [] : [invalidValue(`${at}.${sharesName}`, shares, rule)]),
    ...validateResponse(limitResponse?.type ?? '', limitResponse?.queuing, `${at}.limitResponse`, rules),
    ...validatePercent(lendablePercent, `${at}.lendablePercent`),
    ...(borrowingLimitPercent < 0
      ? [invalidValue(`${at}.borrowingLimitPercent`, borrowingLimitPercent, 'must not be negative')]
      : []),
  ]
}

const validatePercent = (percent: number, at: string): FieldError[] =>
  percent >= 0 && percent <= 100 ? [] : [invalidValue(at, percent, 'must be between 0 and 100')]

function validateResponse(type: string, queuing: Queuing | undefined, at: string, rules: Rules): FieldError[] {
  if (type === 'Reject')
    return queuing ? [forbiddenField(`${at}.queuing`, 'must be unset when the type is not Queue')] : []
  if (type !== 'Queue') return [unknownType(`${at}.type`, type, ['Queue', 'Reject'], rules)]
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
