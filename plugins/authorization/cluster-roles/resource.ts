import {
  defineResource,
  type FieldError,
  invalidValue,
  type LabelSelector,
  requiredValue,
  type ServedLevel,
  type Strategy,
} from 'orch/sdk'
import { checksSelectorValues } from 'orch/sdk/core'
import { labelSelectorRequirements, nameIsPathSegment, validateLabelSelector } from 'orch/sdk/validation'
import type { AuthorizationNames } from '../names.js'
import { clusterRoleWrite } from '../permissions/role-write.js'
import { changeChecks } from '../rules/checked-twice.js'
import { roleColumns } from '../rules/role-columns.js'
import { validateRules } from '../rules/validation.js'
import { type AggregationRule, ClusterRole } from './schema.js'

const validateAt =
  (level: ServedLevel) =>
  ({ rules, aggregationRule }: ClusterRole, stored?: ClusterRole): FieldError[] => [
    ...validateRules(rules, false),
    ...(aggregationRule ? validateAggregation(aggregationRule, level, stored?.aggregationRule) : []),
  ]

function validateAggregation(
  { clusterRoleSelectors }: AggregationRule,
  level: ServedLevel,
  stored?: AggregationRule,
): FieldError[] {
  const path = 'aggregationRule.clusterRoleSelectors'
  const selectors = clusterRoleSelectors ?? []
  if (selectors.length === 0)
    return [requiredValue(path, 'at least one clusterRoleSelector required if aggregationRule is non-nil')]
  const checksValues = checksSelectorValues(level, ...(stored?.clusterRoleSelectors ?? []))
  return selectors.flatMap((selector, i) => [
    ...validateLabelSelector(selector, `${path}[${i}]`, { checksValues }),
    ...whyUnusable(selector).map(why => invalidValue(`${path}[${i}]`, selector, `invalid label selector: ${why}`)),
  ])
}

/** A selector that cannot be compiled is reported as a whole, besides the errors of its fields. */
function whyUnusable(selector: LabelSelector): string[] {
  try {
    labelSelectorRequirements(selector)
    return []
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

export const mainStrategy = ({ level }: Pick<AuthorizationNames, 'level'>) => {
  const validate = validateAt(level)
  const { metadataChecks, validateChanged } = changeChecks(level, validate)
  return {
    validate: role => validate(role),
    validateUpdate: validateChanged,
    metadataChecks,
    createOnUpdate: true,
  } satisfies Strategy<ClusterRole>
}

export const clusterRoles = (names: AuthorizationNames) =>
  defineResource({
    group: names.rbacGroup,
    resource: names.clusterRoles.resource,
    kind: 'ClusterRole',
    namespaced: false,
    versions: [{ name: 'v1', schema: ClusterRole }],
    strategy: mainStrategy(names),
    // A prefix is checked like a name.
    validateName: name => nameIsPathSegment(name, false),
    permission: clusterRoleWrite(names.clusterRoles),
    columns: roleColumns,
  })
