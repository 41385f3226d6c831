import { addAll, type FieldError, forbiddenField, invalidValue, requiredValue } from 'orch/sdk'
import { isDns1123Label, isDns1123Subdomain } from 'orch/sdk/validation'
import { validateReference } from '../object-reference-rules.js'
import type { IngressClass, IngressClassParametersReference } from './schema.js'

export function validateIngressClass({ spec = {} }: IngressClass): FieldError[] {
  const { controller = '', parameters } = spec
  const field = 'spec.controller'
  return [
    ...checkDomainPrefixedPath(controller, field),
    ...(parameters ? validateParameters(parameters, 'spec.parameters') : []),
  ]
}

const pathForm = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/
/** A domain, a slash and a path: `example.com/controller`. */
function checkDomainPrefixedPath(value: string, field: string): FieldError[] {
  if (value === '') return [requiredValue(field)]
  const slash = value.indexOf('/')
  const [host, path] = [value.slice(0, slash), value.slice(slash + 1)]
  if (slash < 0 || host === '' || path === '')
    return [invalidValue(field, value, 'must be a domain-prefixed path (such as "acme.io/foo")')]
  const errors = isDns1123Subdomain(host).map(text => invalidValue(field, host, text))
  if (!pathForm.test(path))
    errors.push(
      invalidValue(field, path, `Invalid path (regex used for validation is '${pathForm.source.slice(1, -1)}')`),
    )
  return errors
}

/** Parameters are cluster-scoped, or in the namespace that they name. */
function validateParameters(parameters: IngressClassParametersReference, field: string): FieldError[] {
  const { scope, namespace } = parameters
  const errors = validateReference(parameters, field)
  if (scope === undefined) return [...errors, requiredValue(`${field}.scope`)]
  if (scope === 'Namespace') {
    if (namespace === undefined)
      errors.push(requiredValue(`${field}.namespace`, "`parameters.scope` is set to 'Namespace'"))
    else
      addAll(
        errors,
        isDns1123Label(namespace).map(text => invalidValue(`${field}.namespace`, namespace, text)),
      )
  }
  if (scope === 'Cluster' && namespace !== undefined)
    errors.push(forbiddenField(`${field}.namespace`, "`parameters.scope` is set to 'Cluster'"))
  return errors
}

/** The controller is immutable, because Ingresses depend on it. */
export const validateIngressClassUpdate = (sent: IngressClass, stored: IngressClass): FieldError[] => [
  ...(sent.spec?.controller === stored.spec?.controller
    ? []
    : [invalidValue('spec.controller', sent.spec?.controller ?? '', 'field is immutable')]),
  ...validateIngressClass(sent),
]
