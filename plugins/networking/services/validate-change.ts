import { addAll, type FieldError, forbiddenField, invalidValue } from 'orch/sdk'
import type { ServiceSpec } from 'orch/sdk/core'
import { isExternalName, isHeadless, needsHealthCheckPort } from './service-kinds.js'

const fixed = 'may not change once set'

/** Allocations of a Service are immutable: it may gain or release a second family, but the first stays. */
export function validateServiceChange(after: ServiceSpec, before: ServiceSpec): FieldError[] {
  const errors: FieldError[] = []
  if (!isExternalName(after) && !isExternalName(before)) {
    if (!isHeadless(after) || !isHeadless(before)) addAll(errors, checkAddresses(after, before))
    if (!isHeadless(after) && !isHeadless(before)) addAll(errors, checkFamilies(after, before))
  }
  const wasBalanced = after.type === 'LoadBalancer' && before.type === 'LoadBalancer'
  if (wasBalanced && after.loadBalancerClass !== before.loadBalancerClass)
    errors.push(invalidValue('spec.loadBalancerClass', after.loadBalancerClass, fixed))
  const hadHealthCheckPort = needsHealthCheckPort(after) && needsHealthCheckPort(before)
  if (hadHealthCheckPort && (after.healthCheckNodePort ?? 0) !== (before.healthCheckNodePort ?? 0))
    errors.push(forbiddenField('spec.healthCheckNodePort', 'field is immutable'))
  return errors
}

function checkAddresses(after: ServiceSpec, before: ServiceSpec): FieldError[] {
  const { clusterIPs: sent = [] } = after
  const { clusterIPs: stored = [] } = before
  const change = (i: number) => invalidValue(`spec.clusterIPs[${i}]`, sent, fixed)
  if (sent.length === stored.length) return stored.flatMap((ip, i) => (ip === sent[i] ? [] : [change(i)]))
  if (sent.length === 0) return [invalidValue('spec.clusterIPs[0]', sent, 'primary clusterIP can not be unset')]
  return [
    ...(stored.length > 0 && sent[0] !== stored[0] ? [change(0)] : []),
    ...(sent.length < stored.length ? checkReleased(after, sent, 'clusterIP') : []),
  ]
}

function checkFamilies(after: ServiceSpec, before: ServiceSpec): FieldError[] {
  const { ipFamilies: sent = [] } = after
  const { ipFamilies: stored = [] } = before
  const change = () => invalidValue('spec.ipFamilies[0]', sent, fixed)
  if (sent.length === stored.length) return stored.filter((family, i) => family !== sent[i]).map(change)
  return [
    ...(stored.length > 0 && sent.length > 0 && sent[0] !== stored[0] ? [change()] : []),
    ...(sent.length < stored.length ? checkReleased(after, sent, 'ipFamily') : []),
  ]
}

const checkReleased = ({ ipFamilyPolicy }: ServiceSpec, sent: readonly string[], what: string): FieldError[] =>
  sent.length === 1 && ipFamilyPolicy !== 'SingleStack'
    ? [
        invalidValue(
          'spec.ipFamilyPolicy',
          ipFamilyPolicy,
          `must be set to 'SingleStack' when releasing the secondary ${what}`,
        ),
      ]
    : []
