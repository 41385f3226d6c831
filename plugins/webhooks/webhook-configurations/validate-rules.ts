import { type FieldError, invalidValue, requiredValue } from 'orch/sdk'
import type { RuleWithOperations } from './schema.js'

const hasOthersBesideWildcard = (values: readonly string[]) => values.length > 1 && values.includes('*')

export function validateRule(rule: RuleWithOperations, path: string): FieldError[] {
  const { operations: wanted = [], apiGroups = [], apiVersions = [], resources = [] } = rule
  return [
    ...validateList(wanted, `${path}.operations`, 'operations'),
    ...validateList(apiGroups, `${path}.apiGroups`, 'API groups'),
    ...validateList(apiVersions, `${path}.apiVersions`, 'API versions'),
    ...apiVersions.flatMap((version, i) => (version === '' ? [requiredValue(`${path}.apiVersions[${i}]`)] : [])),
    ...validateResources(resources, `${path}.resources`),
  ]
}

function validateList(values: readonly string[], path: string, what: string): FieldError[] {
  if (values.length === 0) return [requiredValue(path)]
  if (!hasOthersBesideWildcard(values)) return []
  return [invalidValue(path, values, `if '*' is present, must not specify other ${what}`)]
}

// `pods`, `pods/status`, `pods/*`, any resource with `/status`, `*` (all, without subresources), `*/*` (all of both).
function validateResources(resources: readonly string[], path: string): FieldError[] {
  if (resources.length === 0) return [requiredValue(path)]
  const errors: FieldError[] = []
  const coveredResources = new Set<string>()
  const coveredSubresources = new Set<string>()
  // As in the reference, the last resource without a subresource decides.
  let lastPlain = '*'
  for (const [i, name] of resources.entries()) {
    const at = `${path}[${i}]`
    if (name === '') {
      errors.push(requiredValue(at))
      continue
    }
    const slash = name.indexOf('/')
    if (slash < 0) {
      lastPlain = name
      continue
    }
    const [resource, subresource] = [name.slice(0, slash), name.slice(slash + 1)]
    if (coveredResources.has(resource))
      errors.push(invalidValue(at, name, `if '${resource}/*' is present, must not specify ${name}`))
    if (coveredSubresources.has(subresource))
      errors.push(invalidValue(at, name, `if '*/${subresource}' is present, must not specify ${name}`))
    if (subresource === '*') coveredResources.add(resource)
    if (resource === '*') coveredSubresources.add(subresource)
  }
  if (resources.length > 1 && resources.includes('*/*'))
    errors.push(invalidValue(path, resources, "if '*/*' is present, must not specify other resources"))
  if (resources.includes('*') && lastPlain !== '*')
    errors.push(
      invalidValue(path, resources, "if '*' is present, must not specify other resources without subresources"),
    )
  return errors
}
