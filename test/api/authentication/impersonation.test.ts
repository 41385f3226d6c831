import type { OutgoingHttpHeaders } from 'node:http'
import { authorization } from 'orch/plugins/authorization'
import { type ApiObject, orchProfile, Vendor } from 'orch/sdk'
import { allAuthenticated, allUnauthenticated } from 'orch/sdk/identity'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { sharedWhoAmI, type WhoAmIServer } from './whoami-server.js'

const vendor = new Vendor(orchProfile)
const rbac = vendor.group('rbac.authorization')
const identities = vendor.group('authentication')
const impersonation = suite('impersonation over TLS')
/** Every user is in group dev, and the token is the name. */
const people = ['plain', ...Array.from({ length: 9 }, (_, n) => `ann-${n}`)]
const tokens = people.map((name, n) => `${name},${name},${n},"dev"`).join('\n')
const shared = sharedWhoAmI(folder => ({ tokenAuthFile: folder.write('tokens.csv', tokens) }), {
  others: [authorization],
  isGuarded: true,
})
let grants = 0

async function grant(rule: object, subjects: object[], namespace?: string): Promise<void> {
  const { client } = await shared.server()
  const metadata = { name: `grant-${++grants}` }
  const [role, binding] = namespace ? ['Role', 'RoleBinding'] : ['ClusterRole', 'ClusterRoleBinding']
  const create = (kind: string, rest: object) => {
    const all = client.resource<ApiObject>({ group: rbac, version: 'v1', resource: `${kind.toLowerCase()}s` })
    return (namespace ? all.in(namespace) : all).create({ metadata, ...rest })
  }
  await create(role, { rules: [rule] })
  await create(binding, { roleRef: { kind: role, name: metadata.name }, subjects })
}

interface World {
  /** Grants ann the verb impersonate: `users`, `groups dev qa`, `userextras/scopes view`, in a namespace if one is named. */
  letAnn(what: string, namespace?: string): Promise<void>
  /** The effective user when ann, or the owner of another token, sends these headers. */
  act(headers: OutgoingHttpHeaders, token?: string): ReturnType<WhoAmIServer['whoAmI']>
}
let anns = 0
/** Runs a test with its own user ann, on a server with RBAC that returns the identity of each request. */
async function withWorld(test: (world: World) => Promise<void>): Promise<void> {
  const server = await shared.server()
  const everybody = [allAuthenticated, allUnauthenticated].map(name => ({ kind: 'Group', name }))
  if (anns === 0) await grant({ verbs: ['get'], nonResourceURLs: ['/whoami'] }, everybody)
  const ann = `ann-${anns++}`
  await test({
    letAnn(what, namespace) {
      const [resource = '', ...resourceNames] = what.split(' ')
      const apiGroups = /^(uids|userextras)/.test(resource) ? [identities] : ['']
      const rule = { verbs: ['impersonate'], apiGroups, resources: [resource], resourceNames }
      return grant(rule, [{ kind: 'User', name: ann }], namespace)
    },
    act: (headers, token = ann) => server.whoAmI({ headers, token }),
  })
}
const refused = (text: string) => {
  const { code, reason, details } = JSON.parse(text)
  return [code, reason, [details?.group, details?.kind, details?.name].filter(Boolean).join(' ')]
}

impersonation('Impersonate-User replaces the caller completely: no group, uid or extra value is kept', async () => {
  await withWorld(async ({ letAnn, act }) => {
    await letAnn('users')
    assert.equal((await act({ 'Impersonate-User': 'jane' })).user, { name: 'jane', groups: [allAuthenticated] })
    assert.equal((await act({ 'impersonate-user': 'system:anonymous' })).user?.groups, [allUnauthenticated])
  })
})

impersonation('Impersonate-Group is repeatable, Impersonate-Uid is free text, extra names are decoded', async () => {
  await withWorld(async ({ letAnn, act }) => {
    for (const what of ['users', 'groups', 'uids', 'userextras/scopes', 'userextras/acme.com/project'])
      await letAnn(what)
    const { user } = await act({
      'Impersonate-User': 'jane',
      'Impersonate-Group': ['dev', 'qa, ops'],
      'Impersonate-Uid': 'any text: 1',
      'Impersonate-Extra-Scopes': ['view', 'edit'],
      'Impersonate-Extra-Acme.com%2Fproject': 'p',
    })
    assert.equal(user, {
      name: 'jane',
      uid: 'any text: 1',
      groups: ['dev', 'qa, ops', allAuthenticated],
      extra: { scopes: ['view', 'edit'], 'acme.com/project': ['p'] },
    })
  })
})

impersonation(
  'Impersonate-Group, -Uid and -Extra- need Impersonate-User, whatever the permissions of the caller',
  async () => {
    await withWorld(async ({ letAnn, act }) => {
      for (const what of ['users', 'groups', 'uids', 'userextras/scopes']) await letAnn(what)
      for (const header of ['Impersonate-Group', 'Impersonate-Uid', 'Impersonate-Extra-Scopes']) {
        assert.is((await act({ [header]: 'x' })).status, 400, header)
        assert.is((await act({ [header]: 'x', 'Impersonate-User': '' })).status, 400, `${header} with an empty user`)
      }
    })
  },
)

impersonation('the verb impersonate is required separately on users, groups, uids and userextras/<name>', async () => {
  await withWorld(async ({ letAnn, act }) => {
    const user = { 'Impersonate-User': 'jane' }
    assert.equal(refused((await act(user)).text), [403, 'Forbidden', 'users jane'])
    await letAnn('users')
    const cases: [OutgoingHttpHeaders, string, string][] = [
      [{ 'Impersonate-Group': 'dev' }, 'groups', 'groups dev'],
      [{ 'Impersonate-Uid': 'u1' }, 'uids', `${identities} uids u1`],
      [{ 'Impersonate-Extra-Scopes': 'view' }, 'userextras/scopes', `${identities} userextras view`],
    ]
    for (const [headers, right, named] of cases) {
      const both = { ...user, ...headers }
      assert.equal(refused((await act(both)).text), [403, 'Forbidden', named])
      await letAnn(right)
      assert.is((await act(both)).status, 200, right)
    }
    const other = { ...user, 'Impersonate-Extra-Other': 'view' }
    assert.is((await act(other)).status, 403, 'the permission for one extra name does not include another')
  })
})

impersonation('resourceNames restrict which values may be impersonated', async () => {
  await withWorld(async ({ letAnn, act }) => {
    for (const what of ['users jane', 'groups dev', 'uids u1', 'userextras/scopes view']) await letAnn(what)
    const allowed = {
      'Impersonate-User': 'jane',
      'Impersonate-Group': 'dev',
      'Impersonate-Uid': 'u1',
      'Impersonate-Extra-Scopes': 'view',
    }
    assert.is((await act(allowed)).status, 200)
    const others = { user: 'root', group: 'system:masters', uid: 'u2', 'extra-scopes': 'edit' }
    for (const [what, value] of Object.entries(others)) {
      const header = Object.keys(allowed).find(name => name.toLowerCase() === `impersonate-${what}`) ?? ''
      assert.is((await act({ ...allowed, [header]: value })).status, 403, header)
    }
    assert.is((await act({ ...allowed, 'Impersonate-Group': ['dev', 'system:masters'] })).status, 403)
  })
})

impersonation(
  'a service account is impersonated with the permission on serviceaccounts, and has its groups',
  async () => {
    await withWorld(async ({ letAnn, act }) => {
      const robot = { 'Impersonate-User': 'system:serviceaccount:default:robot' }
      await letAnn('users')
      assert.equal(refused((await act(robot)).text), [403, 'Forbidden', 'serviceaccounts robot'])
      await letAnn('serviceaccounts robot', 'default')
      assert.equal((await act(robot)).user?.groups, [
        'system:serviceaccounts',
        'system:serviceaccounts:default',
        allAuthenticated,
      ])
      assert.is((await act({ 'Impersonate-User': 'system:serviceaccount:default:other' })).status, 403)
    })
  },
)

impersonation('it is cluster-scoped: a role in a namespace does not allow impersonating users or groups', async () => {
  await withWorld(async ({ letAnn, act }) => {
    await letAnn('users', 'default')
    await letAnn('groups', 'default')
    assert.is((await act({ 'Impersonate-User': 'jane' })).status, 403)
  })
})

impersonation(
  'without the permission it is rejected: for other users, anonymous requests and invalid tokens',
  async () => {
    await withWorld(async ({ letAnn, act }) => {
      await letAnn('users')
      const masters = { 'Impersonate-User': 'root', 'Impersonate-Group': 'system:masters' }
      assert.is((await act(masters)).status, 403, 'the permission on users does not include groups')
      assert.is((await act({ 'Impersonate-User': 'jane' }, 'plain')).status, 403)
      assert.is((await act({ 'Impersonate-User': 'plain' }, 'plain')).status, 403, 'nor oneself')
      assert.is((await act({ 'Impersonate-User': 'jane' }, 'wrong')).status, 401)
      assert.is((await act({ 'Impersonate-User': 'jane' }, '')).status, 403, 'anonymous')
    })
  },
)

impersonation.after(() => shared.release())
impersonation.run()
