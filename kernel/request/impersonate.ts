import type { IncomingHttpHeaders } from 'node:http'
import {
  type Authorizer,
  allAuthenticated,
  allUnauthenticated,
  anonymousUser,
  badRequest,
  forbidden,
  type UserInfo,
  type Vendor,
} from 'orch/sdk'
import type { RequestContext } from './request-context.js'

const extraPrefix = 'impersonate-extra-'
const serviceAccountPrefix = 'system:serviceaccount:'

interface Wanted {
  readonly verbGroup: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
}

/** Replaces the acting user when the headers ask for it and the caller may. Synchronous for the usual request without them. */
export function impersonate(authorizer: Authorizer, vendor: Vendor, context: RequestContext): void | Promise<void> {
  const { headers } = context.exchange
  if (!asksForImpersonation(headers)) return
  return replaceUser(authorizer, vendor, context)
}

function asksForImpersonation(headers: IncomingHttpHeaders): boolean {
  for (const name in headers) if (name.startsWith('impersonate-')) return true
  return false
}

async function replaceUser(authorizer: Authorizer, vendor: Vendor, context: RequestContext): Promise<void> {
  const { headers } = context.exchange
  const name = one(headers['impersonate-user'])
  const groups = several(headers['impersonate-group'])
  const uid = one(headers['impersonate-uid'])
  const extra = extrasOf(headers)
  if (name === '') {
    if (groups.length > 0 || uid !== '' || Object.keys(extra).length > 0) {
      throw badRequest('requested impersonation of groups, uid or extra without impersonating a user')
    }
    return
  }
  const account = serviceAccountOf(name)
  const group = vendor.group('authentication')
  const wanted: Wanted[] = [
    account
      ? { verbGroup: '', resource: 'serviceaccounts', subresource: '', ...account }
      : { verbGroup: '', resource: 'users', subresource: '', namespace: '', name },
    ...groups.map(each => ({ verbGroup: '', resource: 'groups', subresource: '', namespace: '', name: each })),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.map(value => ({ verbGroup: group, resource: 'userextras', subresource: key, namespace: '', name: value })),
    ),
    ...(uid === '' ? [] : [{ verbGroup: group, resource: 'uids', subresource: '', namespace: '', name: uid }]),
  ]
  for (const each of wanted) await refuseUnlessMay(authorizer, context.user, each)
  context.impersonator = context.user
  context.user = {
    name,
    ...(uid === '' ? {} : { uid }),
    groups: groupsOf(name, groups, account?.namespace),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  }
}

async function refuseUnlessMay(authorizer: Authorizer, user: UserInfo, wanted: Wanted): Promise<void> {
  const { verbGroup, resource, subresource, namespace, name } = wanted
  const access = { user, verb: 'impersonate', group: verbGroup, version: 'v1', resource, subresource, namespace, name }
  const { decision, reason } = await authorizer.authorize(access)
  if (decision === 'allow') return
  const what = subresource ? `${resource}/${subresource}` : resource
  const why = `User "${user.name}" cannot impersonate resource "${what}" in API group "${verbGroup}" at the cluster scope${reason ? `: ${reason}` : ''}`
  throw forbidden({ group: verbGroup, resource, name }, why)
}

/** Without groups of its own the impersonated user gets those its name implies. */
function groupsOf(name: string, given: readonly string[], accountNamespace: string | undefined): string[] {
  if (name === anonymousUser.name)
    return [...given, ...(given.includes(allUnauthenticated) ? [] : [allUnauthenticated])]
  const implied =
    given.length === 0 && accountNamespace !== undefined
      ? ['system:serviceaccounts', `system:serviceaccounts:${accountNamespace}`]
      : []
  const groups = [...given, ...implied]
  return groups.includes(allAuthenticated) || groups.includes(allUnauthenticated)
    ? groups
    : [...groups, allAuthenticated]
}

function serviceAccountOf(name: string): { namespace: string; name: string } | undefined {
  if (!name.startsWith(serviceAccountPrefix)) return undefined
  const [namespace, account, ...rest] = name.slice(serviceAccountPrefix.length).split(':')
  return namespace && account && rest.length === 0 ? { namespace, name: account } : undefined
}

function extrasOf(headers: IncomingHttpHeaders): Record<string, string[]> {
  const extra: Record<string, string[]> = {}
  for (const [header, value] of Object.entries(headers)) {
    if (!header.startsWith(extraPrefix)) continue
    const key = decodedKey(header.slice(extraPrefix.length))
    extra[key] = [...(extra[key] ?? []), ...several(value)]
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

const one = (value: string | string[] | undefined) => (Array.isArray(value) ? (value[0] ?? '') : (value ?? ''))

/** node:http joins repeated headers with `, `; names with commas are not possible in them anyway. */
function several(value: string | string[] | undefined): string[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : value.split(/,\s*/)
}
