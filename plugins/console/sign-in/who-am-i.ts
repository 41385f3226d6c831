import { type ApiObject, type Authorizer, type Caches, services, type UserInfo, unauthorized } from 'orch/sdk'
import { defineRoute, jsonFields, requiredText } from 'orch/sdk/server'
import type { Me } from '../settings.js'

/** Tokens of OpenID Connect issuers may contain long lists of groups. */
const maxBodyBytes = 64 * 1024
/** Limits the time that a request takes; the response says that it is partial. */
const maxNamespaces = 2000

/**
 * Returns the user of a token, and the namespaces in which roles grant them permissions: the console opens one of those for users
 * who cannot list namespaces. The token is in the body because the path is public: users with a role in a single namespace
 * need no permission for the path itself.
 */
export const whoAmI = defineRoute({
  path: '/console/me',
  methods: ['POST'],
  access: 'public',
  needs: { tokens: services.tokens, authorizer: services.authorizer, caches: services.caches },
  async handle(request, { tokens, authorizer, caches }) {
    const token = requiredText(await jsonFields(request, maxBodyBytes), 'token')
    const result = await tokens.authenticateToken(token, [])
    if ('error' in result) throw unauthorized()
    const { user } = result.success
    const all = await namesOfNamespaces(caches)
    const me: Me = {
      name: user.name,
      groups: user.groups ?? [],
      namespaces: await namespacesOf(user, all.slice(0, maxNamespaces), authorizer),
      isPartial: all.length > maxNamespaces,
    }
    return {
      headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
      body: JSON.stringify(me),
    }
  },
})

async function namesOfNamespaces(caches: Caches): Promise<string[]> {
  try {
    const cache = caches.of<ApiObject>({ group: '', resource: 'namespaces' })
    await cache.ready()
    return cache
      .list()
      .map(({ metadata }) => metadata.name ?? '')
      .sort()
  } catch {
    // A server without the type has no namespaces.
    return []
  }
}

/** Namespaces in which the user may do more than in all. */
async function namespacesOf(user: UserInfo, names: readonly string[], authorizer: Authorizer): Promise<string[]> {
  const everywhere = await authorizer.rulesFor(user, '')
  const found: string[] = []
  for (const name of names) {
    const { resourceRules } = await authorizer.rulesFor(user, name)
    if (resourceRules.length > everywhere.resourceRules.length) found.push(name)
  }
  return found
}
