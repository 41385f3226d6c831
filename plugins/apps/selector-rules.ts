import { isDeepStrictEqual } from 'node:util'
import { type FieldError, invalidValue, type LabelSelector, requiredValue, type Vendor } from 'orch/sdk'
import { checksSelectorValues, type PodTemplateSpec, type Volume, validateReplicatedTemplate } from 'orch/sdk/core'
import { labelSelectorMatcher, validateLabelSelector } from 'orch/sdk/validation'

/** An empty selector would match every Pod of the namespace. */
export const isEmptySelector = ({ matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean =>
  Object.keys(matchLabels).length + matchExpressions.length === 0

/** Errors of the selector of an owner of Pods, except that it is missing. */
export const validateSelector = (
  selector: LabelSelector,
  field: string,
  kind: string,
  { level }: Vendor,
): FieldError[] => [
  ...validateLabelSelector(selector, field, { checksValues: checksSelectorValues(level) }),
  ...(isEmptySelector(selector) ? [invalidValue(field, selector, `empty selector is invalid for ${kind}`)] : []),
]

/**
 * Validates the selector and the template of a replica set, or of a deployment, whose replica sets have the same. `storedVolumes` excuse
 * disks, see `checkSharedDisks`.
 */
export function validateSelectorAndTemplate(
  spec: { selector?: LabelSelector; template?: PodTemplateSpec; replicas?: number },
  vendor: Vendor,
  stored?: { template?: PodTemplateSpec },
  storedVolumes?: readonly Volume[],
): FieldError[] {
  const { selector, template = {}, replicas = 0 } = spec
  const field = 'spec.selector'
  const errors = selector ? validateSelector(selector, field, 'deployment', vendor) : [requiredValue(field)]
  const matches = tryMatcher(selector)
  return matches === undefined
    ? [...errors, invalidValue(field, selector, 'invalid label selector')]
    : [
        ...errors,
        ...validateReplicatedTemplate(template, 'spec.template', {
          kind: 'ReplicaSet',
          replicas,
          vendor,
          matches,
          stored: stored?.template,
          storedVolumes,
        }),
      ]
}

/** A matcher for the selector; undefined if it is invalid. */
export function tryMatcher(
  selector: LabelSelector | null | undefined,
): ReturnType<typeof labelSelectorMatcher> | undefined {
  try {
    return labelSelectorMatcher(selector)
  } catch {
    return undefined
  }
}
interface Selecting {
  spec?: { selector?: LabelSelector }
}
/** A changed selector would orphan the existing Pods. */
export const checkSameSelector = (sent: Selecting, stored: Selecting): FieldError[] =>
  isDeepStrictEqual(sent.spec?.selector, stored.spec?.selector)
    ? []
    : [invalidValue('spec.selector', sent.spec?.selector, 'field is immutable')]
