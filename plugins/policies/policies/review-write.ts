import { isDeepStrictEqual } from 'node:util'
import {
  type ApiObject,
  type Authorizer,
  definePermission,
  forbiddenField,
  type PermissionRequest,
  type ResourceCatalogue,
  services,
} from 'orch/sdk'
import { expressions } from 'orch/sdk/expressions'
import { bindingsAreAuthorizedAgain } from '../differences.js'
import type { PolicyNames } from '../names.js'
import type { BindingSpec, ParamKind, PolicySpec } from './schema.js'
import { validateBinding, validatePolicy } from './validation.js'

type Written<S> = ApiObject & { spec: S }
type Kind = 'validating' | 'mutating'
/** Members of this group may do everything, so no check is needed. */
const mayReadAnything = (groups: readonly string[]) => groups.includes('system:masters')

/**
 * The author of a policy determines how its parameters are used, and the author of a binding which ones are read: both need
 * permission to read them. Somebody who changes something else does not. Expressions are compiled here because that needs a
 * service; all other errors are reported with them.
 */
export const policyWrite = (kind: Kind) =>
  definePermission<Written<PolicySpec>>()({
    needs: { language: expressions, authorizer: services.authorizer, resources: services.resources },
    async review({ object, stored, user }, { language, authorizer, resources }) {
      const { spec } = object
      const isNewKind = !isDeepStrictEqual(spec.paramKind, stored?.spec.paramKind)
      const errors = await validatePolicy(kind, object.metadata.name ?? '', spec, language, stored?.spec)
      if (errors.length > 0 || !spec.paramKind || !isNewKind) return errors
      const parameters = typeOf(spec.paramKind, resources)
      if (!(await mayRead(user, 'get', { ...parameters, name: '*', namespace: '*' }, authorizer))) {
        const { apiVersion, kind: paramKind } = spec.paramKind
        const about = `(kind=${paramKind}, apiVersion=${apiVersion})`
        const text = `user ${user.name} must have "get" permission on all objects of the referenced paramKind ${about}`
        errors.push(forbiddenField('spec.paramKind', text))
      }
      return errors
    },
  })

export const bindingWrite = (kind: Kind, names: PolicyNames) =>
  definePermission<Written<BindingSpec>>()({
    needs: { reader: services.reader, authorizer: services.authorizer, resources: services.resources },
    async review({ object, stored, user }, { reader, authorizer, resources }) {
      const { spec } = object
      const errors = validateBinding(kind, spec, names.level)
      const isNewReference =
        names.level.has(bindingsAreAuthorizedAgain) ||
        spec.policyName !== stored?.spec.policyName ||
        !isDeepStrictEqual(spec.paramRef, stored?.spec.paramRef)
      if (errors.length > 0 || !spec.paramRef || !isNewReference) return errors
      const policy = await reader.get<Written<PolicySpec>>(names[kind].policies, '', spec.policyName ?? '')
      const { name = '', namespace = '' } = spec.paramRef
      // Parameters are found by name or by their labels.
      const verb = name === '' ? 'list' : 'get'
      const parameters = typeOf(policy?.spec.paramKind, resources)
      if (!(await mayRead(user, verb, { ...parameters, name, namespace }, authorizer)))
        errors.push(
          forbiddenField(
            'spec.paramRef',
            `user ${user.name} does not have "${verb}" permission on the object referenced by paramRef`,
          ),
        )
      return errors
    },
  })

type ParamType = Readonly<Record<'group' | 'version' | 'resource', string>>

/**
 * The type that one must be able to read. A binding may be created before its policy, or before the policy has parameters: then it is
 * every type. A kind that is not served may be any resource of its version.
 */
function typeOf(paramKind: ParamKind | undefined, resources: ResourceCatalogue): ParamType {
  if (!paramKind) return { group: '*', version: '*', resource: '*' }
  const { apiVersion = '', kind = '' } = paramKind
  const [version = '', group = ''] = apiVersion.split('/').reverse()
  const found = resources.findKind(group, kind)
  return { group, version, resource: found?.servedVersions.includes(version) ? found.resource : '*' }
}

const mayRead = async (
  user: PermissionRequest['user'],
  verb: 'get' | 'list',
  what: ParamType & Readonly<Record<'name' | 'namespace', string>>,
  authorizer: Authorizer,
): Promise<boolean> => mayReadAnything(user.groups) || authorizer.allows(user, verb, what)
