import {
  type ApiObject,
  definePermission,
  forbidden,
  type GroupResource,
  type PermissionRequest,
  services,
} from 'orch/sdk'
import type { AggregationRule } from '../cluster-roles/schema.js'
import { liveRoleIndex } from '../live-role-index.js'
import { everything } from '../rules/describe-rule.js'
import type { RoleIndex } from '../rules/role-index.js'
import type { PolicyRule } from '../rules/schema.js'
import { mayGrantAnything, onlyConcernsRemoval, whyEscalates } from './confirm-no-escalation.js'

type WrittenRole = ApiObject & { rules?: PolicyRule[] | null; aggregationRule?: AggregationRule }
/** Why this write is refused, or undefined. */
type Objection = (request: PermissionRequest<WrittenRole>, index: RoleIndex) => string | undefined

/** A user who may `escalate` a role may put any rule into it; everyone else only rules they hold. */
export const roleWrite = ({ group, resource }: GroupResource) => escalationCheck({ group, resource }, grantsMoreRules)

/** As for a role; besides, an aggregation rule can collect any rule, so it requires every right. */
export const clusterRoleWrite = ({ group, resource }: GroupResource) =>
  escalationCheck(
    { group, resource },
    (request, index) => grantsMoreRules(request, index) ?? aggregatesWithoutEveryRight(request, index),
  )

const escalationCheck = (collection: GroupResource, objection: Objection) =>
  definePermission<WrittenRole>()({
    needs: { authorizer: services.authorizer, index: liveRoleIndex },
    async review(request, { authorizer, index }) {
      const { user, namespace, pathName, object, stored } = request
      if (mayGrantAnything(user) || onlyConcernsRemoval(object, stored)) return
      const target = { ...collection, version: everything, namespace, name: pathName }
      if (await authorizer.allows(user, 'escalate', target)) return
      await index.ready()
      const why = objection(request, index)
      if (why !== undefined) throw forbidden({ ...collection, name: object.metadata.name }, why)
    },
  })

const grantsMoreRules: Objection = ({ user, namespace, object }, index) =>
  whyEscalates(index, user, namespace, object.rules ?? [])

/** The stored aggregation rule is checked as well: its removal would freeze the rules aggregated so far. */
const aggregatesWithoutEveryRight: Objection = ({ user, object, stored }, index) =>
  [object, stored].some(hasSelectors) && whyEscalates(index, user, '', everyRight) !== undefined
    ? 'must have cluster-admin privileges to use an aggregationRule'
    : undefined

const hasSelectors = (role: WrittenRole | undefined): boolean =>
  (role?.aggregationRule?.clusterRoleSelectors ?? []).length > 0

const everyRight: readonly PolicyRule[] = [
  { verbs: [everything], apiGroups: [everything], resources: [everything] },
  { verbs: [everything], nonResourceURLs: [everything] },
]
