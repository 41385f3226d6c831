import { isDeepStrictEqual } from 'node:util'
import {
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  ownValue,
  requiredValue,
  type StrategyContext,
} from 'orch/sdk'
import { mandatoryLevels } from '../bootstrap/mandatory.js'
import { typesAreRequired, zeroShares, zeroSharesSurviveOlderVersions } from '../differences.js'
import { maxHandBits } from '../fairness/shuffle-sharding.js'
import { exempt, type FlowControlNames } from '../names.js'
import type { PriorityLevel, PriorityLevelSpec } from './schema.js'

const maxQueues = 10_000_000
type Limited = NonNullable<PriorityLevelSpec['limited']>
type Exempt = NonNullable<PriorityLevelSpec['exempt']>
type Queuing = NonNullable<NonNullable<Limited['limitResponse']>['queuing']>

/** The rules of a version of the API. Fields have the names of the version that the request used. */
export function validatePriorityLevel({
  level,
  zeroSharesAnnotation,
}: Pick<FlowControlNames, 'level' | 'zeroSharesAnnotation'>) {
  const mandatoryOnes = mandatoryLevels(level)
  const reservedAnnotation = level.has(zeroSharesSurviveOlderVersions) ? zeroSharesAnnotation : undefined
  return (object: PriorityLevel, { requestVersion }: StrategyContext, stored?: PriorityLevel) =>
    validateAt(object, {
      mandatoryOnes,
      reservedAnnotation,
      mayHaveNoShares: level.has(zeroShares) || hasNoShares(stored),
      isTypeRequired: level.has(typesAreRequired),
      requestVersion,
    })
}
const hasNoShares = (stored: PriorityLevel | undefined) => stored?.spec?.limited?.nominalConcurrencyShares === 0

interface Rules {
  readonly mandatoryOnes: ReturnType<typeof mandatoryLevels>
  /** An annotation of the version that does not know 0 shares; conversion from that version removes it. */
  readonly reservedAnnotation: string | undefined
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
    ...validateAnnotations(metadata?.annotations ?? {}, rules),
    ...((name === exempt) !== (type === 'Exempt')
      ? [invalidValue('spec.type', type, `is Exempt for the level named ${exempt}, and for no other`)]
      : []),
    ...(mandatory && !isDeepStrictEqual(mandatory, withMandatoryShares(spec, mandatory))
      ? [invalidValue('spec', spec, `the spec of ${name} cannot change`)]
      : []),
    ...(isKnown ? validateType(type, spec, rules) : [unknownType('spec.type', type, ['Exempt', 'Limited'], rules)]),
  ]
}

const validateAnnotations = (annotations: Readonly<Record<string, string>>, { reservedAnnotation }: Rules) =>
  reservedAnnotation !== undefined && Object.hasOwn(annotations, reservedAnnotation)
    ? [forbiddenField('metadata.annotations', `annotation '${reservedAnnotation}' is only for v1beta3`)]
    : []

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
  const check = (field: keyof Queuing, value: number, problem: string | undefined) =>
    problem === undefined ? [] : [invalidValue(`${at}.${field}`, value, problem)]
  const ifNotPositive = (value: number) => (value > 0 ? undefined : 'must be positive')
  return [
    ...check('queueLengthLimit', queueLengthLimit, ifNotPositive(queueLengthLimit)),
    ...check(
      'queues',
      queues,
      ifNotPositive(queues) ?? (queues > maxQueues ? `must not be greater than ${maxQueues}` : undefined),
    ),
    ...check('handSize', handSize, ifNotPositive(handSize) ?? tooLargeHand(handSize, queues)),
  ]
}

function tooLargeHand(handSize: number, queues: number): string | undefined {
  if (handSize > queues) return 'must not be greater than the number of queues'
  if (handSize * Math.log2(queues) <= maxHandBits) return undefined
  return `needs more than ${maxHandBits} bits of a hash with that many queues`
}
