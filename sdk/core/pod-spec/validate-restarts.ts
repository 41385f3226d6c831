import {
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  requiredValue,
  tooMany,
} from '../../resource/field-errors.js'
import type { Container, ContainerResizePolicy } from '../container.js'
import { isSidecar, type PodRules } from './pod-rules.js'

const resizable = ['cpu', 'memory']
const resizeRestarts = ['NotRequired', 'RestartContainer']
/** Whether a container is restarted when one of its resources changes. Errors name the list, as in Kubernetes. */
export function validateResizePolicy(
  policies: readonly ContainerResizePolicy[] = [],
  field: string,
  podRestartPolicy: string | undefined,
): FieldError[] {
  const names = new Set<string>()
  return policies.flatMap(({ resourceName, restartPolicy }, i) => {
    const errors: FieldError[] = []
    if (names.has(resourceName)) errors.push(duplicate(`${field}[${i}]`, resourceName))
    names.add(resourceName)
    if (resourceName === '') errors.push(requiredValue(field))
    else if (!resizable.includes(resourceName)) errors.push(notSupported(field, resourceName, resizable))
    if (restartPolicy === '') errors.push(requiredValue(field))
    else if (!resizeRestarts.includes(restartPolicy)) errors.push(notSupported(field, restartPolicy, resizeRestarts))
    if (podRestartPolicy === 'Never' && restartPolicy !== 'NotRequired')
      errors.push(invalidValue(field, restartPolicy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'"))
    return errors
  })
}

/** An init container that is not a sidecar cannot be restarted for a resize. */
export const checkInitResize = ({ resizePolicy = [] }: Container, field: string): FieldError[] =>
  resizePolicy.flatMap(({ restartPolicy }, i) =>
    restartPolicy === 'RestartContainer'
      ? [
          invalidValue(
            `${field}.resizePolicy[${i}].restartPolicy`,
            restartPolicy,
            "must not be set to 'RestartContainer' for non-sidecar initContainers",
          ),
        ]
      : [],
  )

const policies = ['Always', 'Never', 'OnFailure']
const operators = ['In', 'NotIn']
const maxRules = 20
const maxExitCodes = 255
function validateRules(container: Container, field: string, how: PodRules): FieldError[] {
  const { restartPolicy, restartPolicyRules: rules = [] } = container
  const errors: FieldError[] = []
  if (restartPolicy === undefined) {
    if (rules.length === 0) return []
    errors.push(requiredValue(`${field}.restartPolicy`, 'must specify restartPolicy when restart rules are used'))
  } else if (!policies.includes(restartPolicy))
    errors.push(notSupported(`${field}.restartPolicy`, restartPolicy, policies))
  if (rules.length > maxRules) errors.push(tooMany(`${field}.restartPolicyRules`, rules.length, maxRules))
  const actions = how.takesRestartsOfAll ? ['Restart', 'RestartAllContainers'] : ['Restart']
  for (const [i, { action, exitCodes }] of rules.entries()) {
    const at = `${field}.restartPolicyRules[${i}]`
    if (!actions.includes(action)) errors.push(notSupported(`${at}.action`, action, actions))
    if (exitCodes === undefined) errors.push(requiredValue(`${at}.exitCodes`, 'must be specified'))
    else {
      if (!operators.includes(exitCodes.operator))
        errors.push(notSupported(`${at}.exitCodes.operator`, exitCodes.operator, operators))
      const { length } = exitCodes.values ?? []
      if (length > maxExitCodes) errors.push(tooMany(`${at}.exitCodes.values`, length, maxExitCodes))
    }
  }
  return errors
}

/** The restart policy of a container, if it has its own. */
export function validateRestartPolicy(container: Container, field: string, how: PodRules): FieldError[] {
  if (how.takesRestartPolicies) return validateRules(container, field, how)
  return container.restartPolicy === undefined
    ? []
    : [forbiddenField(`${field}.restartPolicy`, 'may not be set for non-init containers')]
}

/** When an init container is restarted: always, if it is a sidecar. */
export function validateInitRestartPolicy(container: Container, field: string, how: PodRules): FieldError[] {
  const { restartPolicy, restartPolicyRules: rules = [] } = container
  if (restartPolicy === undefined)
    return rules.length > 0
      ? [requiredValue(`${field}.restartPolicy`, 'must specify restartPolicy when restart rules are used')]
      : []
  if (!how.takesRestartPolicies)
    return isSidecar(container) ? [] : [notSupported(`${field}.restartPolicy`, restartPolicy, ['Always'])]
  if (!isSidecar(container) || how.takesRestartsOfAll) return validateRules(container, field, how)
  return rules.length > 0
    ? [
        forbiddenField(
          `${field}.restartPolicyRules`,
          'restartPolicyRules are not allowed for init containers with restart policy Always',
        ),
      ]
    : []
}
