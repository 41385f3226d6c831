import { isDeepStrictEqual } from 'node:util'
import { duplicate, type FieldError, invalidValue, notSupported, requiredValue, tooMany } from 'orch/sdk'
import { isDns1123Label, isDns1123Subdomain, isQualifiedName, repeats, validateConditions } from 'orch/sdk/validation'
import type { PodGroup } from './schema.js'

type Spec = PodGroup['spec']
export type GroupRules = Omit<Spec, 'podGroupTemplateRef'>
const maxClaims = 4
const maxTopologyConstraints = 1
const maxUserPriority = 1_000_000_000
const disruptionModes = ['Pod', 'PodGroup']

/** A required value with a format. */
export const checkForm = (value: string | undefined, path: string, rule: (value: string) => string[]): FieldError[] =>
  value ? rule(value).map(text => invalidValue(path, value, text)) : [requiredValue(path)]

/** Errors of the rules of a group, in a group itself or in a template of a Workload. */
export function validateGroupRules(rules: GroupRules, path: string): FieldError[] {
  const { schedulingPolicy, schedulingConstraints, resourceClaims, disruptionMode, priorityClassName, priority } = rules
  return [
    ...validatePolicy(schedulingPolicy, `${path}.schedulingPolicy`),
    ...validateTopology(schedulingConstraints?.topology ?? [], `${path}.schedulingConstraints.topology`),
    ...validateClaims(resourceClaims ?? [], `${path}.resourceClaims`),
    ...(disruptionMode === undefined || disruptionModes.includes(disruptionMode)
      ? []
      : [notSupported(`${path}.disruptionMode`, disruptionMode, disruptionModes)]),
    ...(priorityClassName ? checkForm(priorityClassName, `${path}.priorityClassName`, isDns1123Subdomain) : []),
    ...(priority !== undefined && priority > maxUserPriority
      ? [invalidValue(`${path}.priority`, priority, `must be less than or equal to ${maxUserPriority}`)]
      : []),
  ]
}

export function validatePolicy({ basic, gang }: GroupRules['schedulingPolicy'], path: string): FieldError[] {
  if (!basic && !gang) return [invalidValue(path, '', 'must specify one of: `basic`, `gang`')]
  if (basic && gang) return [invalidValue(path, '{basic, gang}', 'must specify exactly one of: `basic`, `gang`')]
  return gang && gang.minCount < 1
    ? [
        gang.minCount === 0
          ? requiredValue(`${path}.gang.minCount`)
          : invalidValue(`${path}.gang.minCount`, gang.minCount, 'must be greater than or equal to 1'),
      ]
    : []
}

const validateTopology = (constraints: readonly { readonly key: string }[], path: string): FieldError[] => [
  ...(constraints.length > maxTopologyConstraints ? [tooMany(path, constraints.length, maxTopologyConstraints)] : []),
  ...constraints.flatMap(({ key }, i) => checkForm(key, `${path}[${i}].key`, isQualifiedName)),
]

type Claims = NonNullable<GroupRules['resourceClaims']>
function validateClaims(claims: Claims, path: string): FieldError[] {
  if (claims.length > maxClaims) return [tooMany(path, claims.length, maxClaims)]
  const isRepeat = repeats(claims.map(({ name }) => name))
  return claims.flatMap((claim, i) => {
    const { name, resourceClaimName, resourceClaimTemplateName } = claim
    const named = [resourceClaimName, resourceClaimTemplateName].filter(each => each !== undefined)
    return [
      ...(isRepeat[i] ? [duplicate(`${path}[${i}]`, { name })] : []),
      ...checkForm(name, `${path}[${i}].name`, isDns1123Label),
      ...(named.length === 1
        ? checkForm(
            named[0],
            `${path}[${i}].${resourceClaimName === undefined ? 'resourceClaimTemplateName' : 'resourceClaimName'}`,
            isDns1123Subdomain,
          )
        : [
            invalidValue(
              `${path}[${i}]`,
              '',
              `must specify ${named.length === 0 ? 'one' : 'exactly one'} of: \`resourceClaimName\`, \`resourceClaimTemplateName\``,
            ),
          ]),
    ]
  })
}

export function validateGroup({ spec }: PodGroup): FieldError[] {
  const { podGroupTemplateRef: origin, ...rules } = spec
  const path = 'spec.podGroupTemplateRef'
  const { workload } = origin ?? {}
  const originErrors = workload
    ? [
        ...checkForm(workload.workloadName, `${path}.workload.workloadName`, isDns1123Subdomain),
        ...checkForm(workload.podGroupTemplateName, `${path}.workload.podGroupTemplateName`, isDns1123Label),
      ]
    : [invalidValue(path, '', 'must specify one of: `workload`')]
  return [...(origin ? originErrors : []), ...validateGroupRules(rules, 'spec')]
}

/** The rules are immutable, because Pods may have been scheduled by them; so those of the stored group need no other check. */
export const validateGroupUpdate = (sent: PodGroup, stored: PodGroup): FieldError[] =>
  Object.keys({ ...sent.spec, ...stored.spec }).flatMap(name => {
    const field = name as keyof Spec
    return isDeepStrictEqual(sent.spec[field], stored.spec[field])
      ? []
      : [invalidValue(`spec.${name}`, sent.spec[field], 'field is immutable')]
  })

export function validateGroupStatus({ spec, status = {} }: PodGroup, stored: PodGroup): FieldError[] {
  const { conditions, resourceClaimStatuses = [] } = status
  const path = 'status.resourceClaimStatuses'
  const claims = new Set((spec.resourceClaims ?? []).map(({ name }) => name))
  const unknown = resourceClaimStatuses.flatMap(({ name }, i) =>
    claims.has(name)
      ? []
      : [invalidValue(`${path}[${i}].name`, name, 'must match the name of an entry in `spec.resourceClaims`')],
  )
  return [
    ...validateConditions(conditions, 'status.conditions'),
    ...unknown,
    ...validateClaimStatuses(resourceClaimStatuses, stored.status?.resourceClaimStatuses ?? [], path),
  ]
}

type ClaimStatuses = NonNullable<PodGroup['status']['resourceClaimStatuses']>
/** Names of claims that are stored are not checked again. */
function validateClaimStatuses(statuses: ClaimStatuses, stored: ClaimStatuses, path: string): FieldError[] {
  if (isDeepStrictEqual(statuses, stored)) return []
  if (statuses.length > maxClaims) return [tooMany(path, statuses.length, maxClaims)]
  const isRepeat = repeats(statuses.map(({ name }) => name))
  const known = new Map(stored.map(({ name, resourceClaimName }) => [name, resourceClaimName]))
  return statuses.flatMap((status, i) => {
    const { name, resourceClaimName } = status
    const isKept = resourceClaimName === undefined || known.get(name) === resourceClaimName
    const at = `${path}[${i}].resourceClaimName`
    return [
      ...(isRepeat[i] ? [duplicate(`${path}[${i}]`, status)] : []),
      ...(isKept ? [] : isDns1123Subdomain(resourceClaimName).map(text => invalidValue(at, resourceClaimName, text))),
    ]
  })
}
