import { type Authorizer, orchProfile, Vendor } from 'orch/sdk'
import { type AccessAttributes, allAuthenticated, allUnauthenticated } from 'orch/sdk/identity'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { rejects } from '../../test/support/rejects.js'
import type { Exchange } from '../contracts/exchange.js'
import { RequestContext } from '../contracts/request-context.js'
import { parseRequestInfo } from '../contracts/request-info.js'
import { impersonate } from './impersonate.js'

const vendor = new Vendor({ ...orchProfile, groupDomain: 'acme.test' })
type Headers = Record<string, string | string[]>

/** Impersonates with these headers as ann, who may do what `allows` says; returns who acts and what was asked. */
async function act(headers: Headers, allows: (access: string) => boolean = () => true) {
  const values = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value].flat()]),
  )
  const exchange = { headers: values, headerValues: (name: string) => values[name] ?? [] } as unknown as Exchange
  const context = new RequestContext(exchange, parseRequestInfo('GET', '/')!, 0)
  context.user = { name: 'ann', groups: ['dev', allAuthenticated] }
  const asked: string[] = []
  const authorizer = {
    async authorize(access: AccessAttributes) {
      const { verb, group, resource, subresource, namespace, name } = access as Exclude<
        AccessAttributes,
        { path: string }
      >
      const words = `${verb} ${group}/${resource}${subresource && `/${subresource}`} ${namespace && `${namespace}/`}${name}`
      asked.push(words)
      return { decision: allows(words) ? 'allow' : 'noOpinion' }
    },
  } as unknown as Authorizer
  await impersonate(authorizer, vendor, context)
  return { user: context.user, impersonator: context.impersonator, asked }
}

const impersonation = suite('impersonation')

impersonation('without headers nothing is asked and nobody changes', async () => {
  const { user, impersonator, asked } = await act({ accept: 'x' })
  assert.equal([user.name, impersonator, asked], ['ann', undefined, []])
})

impersonation(
  'Impersonate-User replaces the identity altogether, and the caller is remembered for the audit log',
  async () => {
    const { user, impersonator, asked } = await act({ 'Impersonate-User': 'jane' })
    assert.equal(user, { name: 'jane', groups: [allAuthenticated] })
    assert.is(impersonator?.name, 'ann')
    assert.equal(asked, ['impersonate /users jane'])
  },
)

impersonation('groups, uid and extra values are each asked for by their own resource', async () => {
  const { user, asked } = await act({
    'Impersonate-User': 'jane',
    'Impersonate-Group': ['dev', 'qa'],
    'Impersonate-Uid': 'u-1',
    'Impersonate-Extra-Scopes': ['view', 'edit'],
    'Impersonate-Extra-acme.com%2Fproject': 'p',
  })
  assert.equal(user.groups, ['dev', 'qa', allAuthenticated])
  assert.is(user.uid, 'u-1')
  assert.equal({ ...user.extra }, { scopes: ['view', 'edit'], 'acme.com/project': ['p'] })
  assert.equal(asked, [
    'impersonate /users jane',
    'impersonate /groups dev',
    'impersonate /groups qa',
    'impersonate authentication.acme.test/userextras/scopes view',
    'impersonate authentication.acme.test/userextras/scopes edit',
    'impersonate authentication.acme.test/userextras/acme.com/project p',
    'impersonate authentication.acme.test/uids u-1',
  ])
})

impersonation('one refusal refuses all, with 403 and the name that was asked for', async () => {
  const headers = { 'Impersonate-User': 'jane', 'Impersonate-Group': ['dev', 'system:masters'] }
  const error = await rejects(
    act(headers, access => !access.endsWith('system:masters')),
    /cannot impersonate/,
  )
  assert.equal(
    [(error as never as { code: number }).code, (error as never as { details: object }).details],
    [403, { name: 'system:masters', kind: 'groups' }],
  )
})

for (const header of ['Impersonate-Group', 'Impersonate-Uid', 'Impersonate-Extra-Scopes'])
  impersonation(`${header} needs Impersonate-User`, async () => {
    const error = await rejects(act({ [header]: 'x' }), /without impersonating a user/)
    assert.is((error as never as { code: number }).code, 400)
  })

impersonation('a service account is asked for as one and gets its groups, unless others are given', async () => {
  const name = 'system:serviceaccount:farm:robot'
  const { user, asked } = await act({ 'Impersonate-User': name })
  assert.equal(asked, ['impersonate /serviceaccounts farm/robot'])
  assert.equal(user.groups, ['system:serviceaccounts', 'system:serviceaccounts:farm', allAuthenticated])
  assert.equal((await act({ 'Impersonate-User': name, 'Impersonate-Group': 'a' })).user.groups, ['a', allAuthenticated])
})

impersonation('a name that no service account can have is a user', async () => {
  for (const name of ['system:serviceaccount:Farm:robot', 'system:serviceaccount:farm', 'system:serviceaccount:a:b:c'])
    assert.equal((await act({ 'Impersonate-User': name })).asked, [`impersonate /users ${name}`])
})

impersonation('a value with a comma is one value', async () => {
  const { user, asked } = await act({ 'Impersonate-User': 'jane', 'Impersonate-Group': 'a,system:masters' })
  assert.equal(user.groups, ['a,system:masters', allAuthenticated])
  assert.is(asked[1], 'impersonate /groups a,system:masters')
})

impersonation('the anonymous user is not authenticated, nor is one whose groups say so', async () => {
  assert.equal((await act({ 'Impersonate-User': 'system:anonymous' })).user.groups, [allUnauthenticated])
  const groups = (await act({ 'Impersonate-User': 'x', 'Impersonate-Group': allUnauthenticated })).user.groups
  assert.equal(groups, [allUnauthenticated])
})

impersonation('an extra key named like the prototype is a key', async () => {
  const { user } = await act({ 'Impersonate-User': 'x', 'Impersonate-Extra-__proto__': 'v' })
  assert.equal(Object.entries(user.extra ?? {}), [['__proto__', ['v']]])
})

for (const header of ['Impersonate-Usr', 'Impersonate-Groups', 'Impersonate-Extra-'])
  impersonation(`${header} is a mistake, not a request to act as oneself`, async () => {
    const refused = await rejects(act({ [header]: 'jane' }))
    assert.match(refused.message, header.toLowerCase())
    await rejects(act({ 'Impersonate-User': 'jane', [header]: 'x' }))
  })

impersonation.run()
