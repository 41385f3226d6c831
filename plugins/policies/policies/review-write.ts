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
      if (spec.paramKind && isNewKind && !(await mayRead(user, spec.paramKind, {}, authorizer, resources))) {
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
        spec.policyName !== stored?.spec.policyName || !isDeepStrictEqual(spec.paramRef, stored?.spec.paramRef)
      if (errors.length === 0 && spec.paramRef && isNewReference) {
        const policy = await reader.get<Written<PolicySpec>>(names[kind].policies, '', spec.policyName ?? '')
        const { name = '', namespace = '' } = spec.paramRef
        const target = { name: name || '*', namespace: namespace || '*' }
        // A binding may be created before its policy, or before the policy has parameters: their kind is unknown then.
        const paramKind = policy?.spec.paramKind ?? { apiVersion: '*', kind: '*' }
        if (!(await mayRead(user, paramKind, target, authorizer, resources)))
          errors.push(
            forbiddenField(
              'spec.paramRef',
              `user ${user.name} does not have "get" permission on the object referenced by paramRef`,
            ),
          )
      }
      return errors
    },
  })

async function mayRead(
  user: PermissionRequest['user'],
  { apiVersion = '', kind = '' }: ParamKind,
  { name = '*', namespace = '*' }: { readonly name?: string; readonly namespace?: string },
  authorizer: Authorizer,
  resources: ResourceCatalogue,
): Promise<boolean> {
  if (mayReadAnything(user.groups)) return true
  const [version = '', group = apiVersion === '*' ? '*' : ''] = apiVersion.split('/').reverse()
  const resource = resources.findKind(group, kind)?.resource ?? '*'
  return authorizer.allows(user, 'get', { group, version, resource, name, namespace })
}
