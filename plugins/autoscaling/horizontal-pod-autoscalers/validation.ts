import {
  addAll,
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  ownValue,
  requiredValue,
  type Vendor,
} from 'orch/sdk'
import { checkNotNegative, validateContainerResourceName } from 'orch/sdk/core'
import { isDns1123Label, isPathSegmentName, parseQuantity, quantityValue } from 'orch/sdk/validation'
import { maxReplicasIsRequired, targetsNeedGroups } from '../differences.js'
import type { MetricSpec, ScalingRules } from './metric-structs.js'
import type { HorizontalPodAutoscaler, HorizontalPodAutoscalerSpec } from './schema.js'

const maxWindowSeconds = 3600
const maxPeriodSeconds = 1800

export function validateAutoscaler(
  { spec = {} as HorizontalPodAutoscalerSpec }: HorizontalPodAutoscaler,
  stored: HorizontalPodAutoscaler | undefined,
  vendor: Vendor,
  allowsContainers: boolean,
): FieldError[] {
  const { minReplicas, maxReplicas = 0, scaleTargetRef, metrics = [], behavior } = spec
  const errors: FieldError[] = []
  const { level } = vendor
  if (minReplicas !== undefined && minReplicas < 1)
    errors.push(invalidValue('spec.minReplicas', minReplicas, 'must be greater than or equal to 1'))
  if (maxReplicas === 0 && level.has(maxReplicasIsRequired))
    errors.push(requiredValue('spec.maxReplicas', 'must be set and greater than 0'))
  else if (maxReplicas < 1) errors.push(invalidValue('spec.maxReplicas', maxReplicas, 'must be greater than 0'))
  if (minReplicas !== undefined && maxReplicas < minReplicas)
    errors.push(invalidValue('spec.maxReplicas', maxReplicas, 'must be greater than or equal to `minReplicas`'))
  addAll(errors, validateReference(scaleTargetRef, 'spec.scaleTargetRef'))
  if (level.has(targetsNeedGroups)) addAll(errors, validateTargetVersion(scaleTargetRef, stored?.spec?.scaleTargetRef))
  const checksVersions = level.has(targetsNeedGroups) && !hasWrongVersion(stored)
  for (const [i, metric] of metrics.entries())
    addAll(errors, validateMetric(metric, `spec.metrics[${i}]`, { allowsContainers, checksVersions, vendor }))
  if (minReplicas === 0 && !metrics.some(({ type }) => type === 'Object' || type === 'External'))
    errors.push(
      forbiddenField(
        'spec.metrics',
        'must specify at least one Object or External metric to support scaling to zero replicas',
      ),
    )
  addAll(errors, validateRules(behavior?.scaleUp, 'spec.behavior.scaleUp'))
  addAll(errors, validateRules(behavior?.scaleDown, 'spec.behavior.scaleDown'))
  return errors
}

interface MetricRules {
  readonly allowsContainers: boolean
  /** Is the apiVersion of an object checked? */
  readonly checksVersions: boolean
  readonly vendor: Vendor
}

/** `v1` or `apps/v1`. */
const isApiVersion = (apiVersion: string): boolean => apiVersion.split('/').length <= 2
const wrongVersion = (field: string, apiVersion: string): FieldError =>
  invalidValue(field, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)
/** Stored metrics may be older than the rule for versions. If one of them is wrong, none is checked. */
const hasWrongVersion = (stored: HorizontalPodAutoscaler | undefined): boolean =>
  (stored?.spec?.metrics ?? []).some(
    ({ type, object }) => type === 'Object' && object && !isApiVersion(object.describedObject.apiVersion ?? ''),
  )

const named = (value: string | undefined, field: string, missing = ''): FieldError[] =>
  value ? isPathSegmentName(value).map(text => invalidValue(field, value, text)) : [requiredValue(field, missing)]

type Reference = HorizontalPodAutoscalerSpec['scaleTargetRef']
const validateReference = (reference: Reference | undefined, field: string): FieldError[] => [
  ...named(reference?.kind, `${field}.kind`),
  ...named(reference?.name, `${field}.name`),
]

/** Unchanged references are not checked, because they may be older than the rule. */
function validateTargetVersion(sent: Reference | undefined, stored: Reference | undefined): FieldError[] {
  const { apiVersion = '', kind } = sent ?? {}
  if (stored && (stored.apiVersion ?? '') === apiVersion && stored.kind === kind) return []
  const field = 'spec.scaleTargetRef.apiVersion'
  if (!isApiVersion(apiVersion)) return [wrongVersion(field, apiVersion)]
  const hasGroup = apiVersion.indexOf('/') > 0
  if (hasGroup || kind === 'ReplicationController') return []
  return [invalidValue(field, apiVersion, 'apiVersion must specify API group')]
}

const isPositive = (quantity: string): boolean =>
  quantityValue(parseQuantity(quantity)) > 0n || hasNonZeroDigit(quantity)
/** Whether a quantity that rounds to zero is positive. */
const hasNonZeroDigit = (quantity: string): boolean => !quantity.startsWith('-') && /[1-9]/.test(quantity)

type Target = NonNullable<MetricSpec['pods']>['target']
function validateTarget({ type, value, averageValue, averageUtilization }: Target, field: string): FieldError[] {
  const errors: FieldError[] = []
  if (!type) errors.push(requiredValue(`${field}.type`, 'must specify a metric target type'))
  if (!['Utilization', 'Value', 'AverageValue'].includes(type))
    errors.push(invalidValue(`${field}.type`, type, 'must be either Utilization, Value, or AverageValue'))
  if (value !== undefined && !isPositive(value)) errors.push(invalidValue(`${field}.value`, value, 'must be positive'))
  if (averageValue !== undefined && !isPositive(averageValue))
    errors.push(invalidValue(`${field}.averageValue`, averageValue, 'must be positive'))
  if (averageUtilization !== undefined && averageUtilization < 1)
    errors.push(invalidValue(`${field}.averageUtilization`, averageUtilization, 'must be greater than 0'))
  return errors
}
const validateIdentifier = ({ name }: { name: string }, field: string): FieldError[] =>
  named(name, `${field}.name`, 'must specify a metric name')

const valueNeeded = 'must set either a target value for metric or a per-pod target'

function validateObject(
  { describedObject, metric, target }: NonNullable<MetricSpec['object']>,
  field: string,
  { checksVersions }: MetricRules,
): FieldError[] {
  const at = `${field}.describedObject`
  const errors = validateReference(describedObject, at)
  const { apiVersion = '' } = describedObject
  if (checksVersions && !isApiVersion(apiVersion)) errors.push(wrongVersion(`${at}.apiVersion`, apiVersion))
  addAll(errors, validateIdentifier(metric, `${field}.metric`), validateTarget(target, `${field}.target`))
  if (target.value === undefined && target.averageValue === undefined)
    errors.push(requiredValue(`${field}.target.averageValue`, valueNeeded))
  return errors
}
function validateExternal({ metric, target }: NonNullable<MetricSpec['external']>, field: string): FieldError[] {
  const errors = [...validateIdentifier(metric, `${field}.metric`), ...validateTarget(target, `${field}.target`)]
  if (target.value === undefined && target.averageValue === undefined)
    errors.push(requiredValue(`${field}.target.averageValue`, valueNeeded))
  if (target.value !== undefined && target.averageValue !== undefined)
    errors.push(
      forbiddenField(`${field}.target.value`, 'may not set both a target value for metric and a per-pod target'),
    )
  return errors
}
function validatePods({ metric, target }: NonNullable<MetricSpec['pods']>, field: string): FieldError[] {
  const errors = [...validateIdentifier(metric, `${field}.metric`), ...validateTarget(target, `${field}.target`)]
  if (target.averageValue === undefined)
    errors.push(requiredValue(`${field}.target.averageValue`, 'must specify a positive target averageValue'))
  return errors
}
function validateResource({ name, target }: NonNullable<MetricSpec['resource']>, field: string): FieldError[] {
  const errors = name ? [] : [requiredValue(`${field}.name`, 'must specify a resource name')]
  addAll(errors, validateTarget(target, `${field}.target`))
  if (target.averageUtilization === undefined && target.averageValue === undefined)
    errors.push(
      requiredValue(`${field}.target.averageUtilization`, 'must set either a target raw value or a target utilization'),
    )
  if (target.averageUtilization !== undefined && target.averageValue !== undefined)
    errors.push(
      forbiddenField(`${field}.target.averageValue`, 'may not set both a target raw value and a target utilization'),
    )
  return errors
}

const sources = ['object', 'external', 'pods', 'resource', 'containerResource'] as const
const sourceOf: Readonly<Record<string, (typeof sources)[number]>> = {
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
  External: 'external',
  ContainerResource: 'containerResource',
}
const supported = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource']

function validateMetric(metric: MetricSpec, field: string, rules: MetricRules): FieldError[] {
  const { type = '' } = metric
  const errors: FieldError[] = []
  if (type === '') errors.push(requiredValue(`${field}.type`, 'must specify a metric source type'))
  const expected = ownValue(sourceOf, type)
  if (!expected) errors.push(notSupported(`${field}.type`, type, supported))
  const present = sources.filter(name => metric[name] !== undefined)
  const [first] = present
  if (first) addAll(errors, validateSource(metric, first, `${field}.${first}`, rules))
  if (expected === undefined) errors.push(notSupported(`${field}.type`, type, supported))
  else if (metric[expected] === undefined)
    errors.push(
      requiredValue(
        `${field}.${expected}`,
        expected === 'containerResource' && !rules.allowsContainers
          ? 'must populate information for the given metric source (only allowed when HPAContainerMetrics feature is enabled)'
          : 'must populate information for the given metric source',
      ),
    )
  if (present.length !== 1)
    for (const name of present.filter(one => one !== expected))
      errors.push(forbiddenField(`${field}.${name}`, 'must populate the given metric source only'))
  return errors
}

function validateSource(
  metric: MetricSpec,
  name: (typeof sources)[number],
  field: string,
  rules: MetricRules,
): FieldError[] {
  if (name === 'object') return validateObject(metric.object!, field, rules)
  if (name === 'external') return validateExternal(metric.external!, field)
  if (name === 'pods') return validatePods(metric.pods!, field)
  if (name === 'resource') return validateResource(metric.resource!, field)
  const source = metric.containerResource!
  const { name: resource, container = '' } = source
  const errors = validateResource(source, field)
  if (resource) addAll(errors, validateContainerResourceName(resource, `${field}.name`, rules.vendor))
  if (container === '') errors.push(requiredValue(`${field}.container`, 'must specify a container'))
  else
    addAll(
      errors,
      isDns1123Label(container).map(text => invalidValue(`${field}.container`, container, text)),
    )
  return errors
}

function validateRules(rules: ScalingRules | undefined, field: string): FieldError[] {
  if (!rules) return []
  const { stabilizationWindowSeconds: seconds, selectPolicy, policies = [], tolerance } = rules
  const errors: FieldError[] = []
  if (tolerance?.startsWith('-'))
    errors.push(invalidValue(`${field}.tolerance`, tolerance, 'must be greater or equal to zero'))
  const at = `${field}.stabilizationWindowSeconds`
  if (seconds !== undefined && seconds < 0)
    errors.push(invalidValue(at, seconds, 'must be greater than or equal to zero'))
  if (seconds !== undefined && seconds > maxWindowSeconds)
    errors.push(invalidValue(at, seconds, `must be less than or equal to ${maxWindowSeconds}`))
  if (selectPolicy !== undefined && !['Disabled', 'Max', 'Min'].includes(selectPolicy))
    errors.push(notSupported(`${field}.selectPolicy`, selectPolicy, ['Disabled', 'Max', 'Min']))
  if (policies.length === 0) errors.push(requiredValue(`${field}.policies`, 'must specify at least one Policy'))
  for (const [i, { type, value, periodSeconds }] of policies.entries()) {
    const place = `${field}.policies[${i}]`
    if (!['Pods', 'Percent'].includes(type)) errors.push(notSupported(`${place}.type`, type, ['Percent', 'Pods']))
    if (value <= 0) errors.push(invalidValue(`${place}.value`, value, 'must be greater than zero'))
    if (periodSeconds <= 0)
      errors.push(invalidValue(`${place}.periodSeconds`, periodSeconds, 'must be greater than zero'))
    if (periodSeconds > maxPeriodSeconds)
      errors.push(
        invalidValue(`${place}.periodSeconds`, periodSeconds, `must be less than or equal to ${maxPeriodSeconds}`),
      )
  }
  return errors
}

export const validateAutoscalerStatus = ({ status }: HorizontalPodAutoscaler): FieldError[] => [
  ...checkNotNegative(status?.currentReplicas, 'status.currentReplicas'),
  ...checkNotNegative(status?.desiredReplicas, 'status.desiredReplicas'),
]
