import type { IncomingHttpHeaders } from 'node:http'
import { type Authorizer, badRequest, forbidden, type UserInfo, type Vendor } from 'orch/sdk'
import { userSubject } from 'orch/sdk/host'
import { allAuthenticated, allUnauthenticated, anonymousUser } from 'orch/sdk/identity'
import type { Exchange } from '../contracts/exchange.js'
import type { RequestContext } from '../contracts/request-context.js'
import { accessOf } from './authorize.js'
import type { ConstrainedImpersonation } from './constrained-impersonation.js'

const extraPrefix = 'impersonate-extra-'
const knownHeaders = new Set(['impersonate-user', 'impersonate-group', 'impersonate-uid'])

interface Wanted {
  readonly group: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
}

/** Replaces the acting user when the headers ask for it and the caller may. Synchronous for the usual request without them. */
export function impersonate(
  authorizer: Authorizer,
  vendor: Vendor,
  context: RequestContext,
  constrained?: ConstrainedImpersonation,
): void | Promise<void> {
  if (!asksForImpersonation(context.exchange.headers)) return
  return replaceUser(authorizer, vendor, context, constrained)
}

function asksForImpersonation(headers: IncomingHttpHeaders): boolean {
  for (const name in headers) if (name.startsWith('impersonate-')) return true
  return false
}

async function replaceUser(
  authorizer: Authorizer,
  vendor: Vendor,
  context: RequestContext,
  constrained: ConstrainedImpersonation | undefined,
): Promise<void> {
  const { exchange } = context
  refuseUnknownHeaders(exchange.headers)
  const [name = ''] = exchange.headerValues('impersonate-user')
  const groups = exchange.headerValues('impersonate-group')
  const [uid = ''] = exchange.headerValues('impersonate-uid')
  const extra = extrasOf(exchange)
  if (name === '') {
    if (groups.length > 0 || uid !== '' || Object.keys(extra).length > 0)
      throw badRequest('requested impersonation of groups, uid or extra without impersonating a user')
    return
  }
  if (constrained) {
    const user = await constrained.decide({ name, uid, groups, extra }, accessOf(context))
    const { constraint } = user
    if (constraint !== undefined) context.audit.impersonationConstraint = constraint
    return actAs(context, { name, uid, extra, groups: groupsOf(name, user.groups, []) })
  }
  const { groups: impliedGroups, ...subject } = userSubject(name)
  const group = vendor.group('authentication')
  const core = { group: '', subresource: '', namespace: '' }
  const wanted: Wanted[] = [
    { ...core, ...subject },
    ...groups.map(each => ({ ...core, resource: 'groups', name: each })),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.map(value => ({ ...core, group, resource: 'userextras', subresource: key, name: value })),
    ),
    ...(uid === '' ? [] : [{ ...core, group, resource: 'uids', name: uid }]),
  ]
  for (const each of wanted) await requirePermission(authorizer, context.user, each)
  actAs(context, { name, uid, extra, groups: groupsOf(name, groups, impliedGroups) })
}

function actAs(
  context: RequestContext,
  { name, uid, groups, extra }: Required<Pick<UserInfo, 'name' | 'uid' | 'groups' | 'extra'>>,
): void {
  context.impersonator = context.user
  context.user = {
    name,
    ...(uid === '' ? {} : { uid }),
    groups,
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  }
}

/** A mistyped header must not be ignored: the caller meant to impersonate, perhaps with fewer rights. */
function refuseUnknownHeaders(headers: IncomingHttpHeaders): void {
  for (const name in headers) {
    if (!name.startsWith('impersonate-') || knownHeaders.has(name)) continue
    if (!name.startsWith(extraPrefix) || name === extraPrefix) throw badRequest(`unknown impersonation header ${name}`)
  }
}

async function requirePermission(authorizer: Authorizer, user: UserInfo, wanted: Wanted): Promise<void> {
  const { group, resource, subresource, namespace, name } = wanted
  const { decision, reason } = await authorizer.authorize({ ...wanted, user, verb: 'impersonate', version: 'v1' })
  if (decision === 'allow') return
  const what = subresource ? `${resource}/${subresource}` : resource
  const where = namespace ? `in the namespace "${namespace}"` : 'at the cluster scope'
  const why = `User "${user.name}" cannot impersonate resource "${what}" in API group "${group}" ${where}`
  throw forbidden({ group, resource, name }, reason ? `${why}: ${reason}` : why)
}

/** Without groups of its own the impersonated user gets those its name implies. */
function groupsOf(name: string, given: readonly string[], implied: readonly string[]): string[] {
  if (name === anonymousUser.name)
    return given.includes(allUnauthenticated) ? [...given] : [...given, allUnauthenticated]
  const groups = [...(given.length === 0 ? implied : given)]
  return groups.includes(allAuthenticated) || groups.includes(allUnauthenticated)
    ? groups
    : [...groups, allAuthenticated]
}

function extrasOf(exchange: Exchange): Record<string, string[]> {
  const extra: Record<string, string[]> = Object.create(null) as Record<string, string[]>
  for (const header in exchange.headers) {
    if (!header.startsWith(extraPrefix)) continue
    const key = decodedKey(header.slice(extraPrefix.length))
    extra[key] = [...(extra[key] ?? []), ...exchange.headerValues(header)]
  }
  return extra
}

/** Percent-decodes a key; one that is not valid percent-encoding stays as it is. */
function decodedKey(key: string): string {
  try {
    return decodeURIComponent(key)
  } catch {
    return key
  }
}
