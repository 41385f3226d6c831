import { type ActionRequest, ApiError, type Authorizer, type UserInfo } from 'orch/sdk'
import type { AccessAttributes } from 'orch/sdk/identity'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { rulesReviews } from '../rules-reviews/resource.js'
import { acmeNames, aUser } from '../testing/acme.js'
import { accessReviews } from './resource.js'

const reviews = suite('access reviews')
const root = aUser('root', 'admins')

/** Posts a body to one of the reviews; the authorizer allows the user ann. */
async function post(resource: string, body: object, namespace = '', hasSelectors = true) {
  const asked: AccessAttributes[] = []
  const authorizer: Partial<Authorizer> = {
    authorize(access: AccessAttributes) {
      asked.push(access)
      if (access.user.name === 'ann') return { decision: 'allow', reason: 'it is ann' }
      return access.user.name === 'eve'
        ? { decision: 'deny' }
        : { decision: 'noOpinion', evaluationError: 'incomplete rules' }
    },
    rulesFor: async (user: UserInfo, inside: string) => ({
      resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: [`${user.name}@${inside}`] }],
      nonResourceRules: [],
      incomplete: true,
      evaluationError: 'incomplete list',
    }),
  }
  const type = [...accessReviews(acmeNames, { hasSelectors }), rulesReviews(acmeNames)].find(
    one => one.resource === resource,
  )
  const request = { user: root, namespace, name: '', body } as unknown as ActionRequest
  try {
    const answer = await type?.virtual?.create?.(request, { authorizer })
    return { object: answer?.object as { status?: Record<string, unknown> } | undefined, asked }
  } catch (error) {
    if (error instanceof ApiError) return { error, asked }
    throw error
  }
}
const get = { verb: 'get', resource: 'pods', namespace: 'farm' }
const causes = (error: ApiError | undefined) => error?.details?.causes?.map(({ field, reason }) => `${field} ${reason}`)

reviews('answers for the subject in the body, exactly as it is described', async () => {
  const spec = { user: 'ann', uid: '7', groups: ['g'], extra: { k: ['v'] }, resourceAttributes: get }
  const { object, asked } = await post('subjectaccessreviews', { metadata: {}, spec })
  assert.equal(object, { metadata: {}, spec, status: { allowed: true, reason: 'it is ann' } })
  assert.equal(asked, [
    {
      user: { name: 'ann', uid: '7', groups: ['g'], extra: { k: ['v'] } },
      verb: 'get',
      group: '',
      version: '',
      resource: 'pods',
      subresource: '',
      namespace: 'farm',
      name: '',
    },
  ])
})

reviews('distinguishes a denial from no opinion', async () => {
  const denied = await post('subjectaccessreviews', { spec: { user: 'eve', resourceAttributes: get } })
  assert.equal(denied.object?.status, { allowed: false, denied: true })
  const unknown = await post('subjectaccessreviews', { spec: { user: 'bob', resourceAttributes: get } })
  assert.equal(unknown.object?.status, { allowed: false, evaluationError: 'incomplete rules' })
})

reviews('answers about paths', async () => {
  const spec = { user: 'ann', nonResourceAttributes: { path: '/healthz', verb: 'get' } }
  const { asked } = await post('subjectaccessreviews', { spec })
  assert.equal(asked, [{ user: aUser('ann'), verb: 'get', path: '/healthz' }])
})

reviews('a self review is about the caller, whatever else it contains', async () => {
  const spec = { user: 'ann', groups: ['system:masters'], resourceAttributes: get }
  const { asked, object } = await post('selfsubjectaccessreviews', { spec })
  assert.equal(asked[0]?.user, root)
  assert.is(object?.status?.allowed, false)
})

const bad: Record<string, { resource: string; body: object; errors: string[] }> = {
  'a review asks about a resource or a path': {
    resource: 'subjectaccessreviews',
    body: { spec: { user: 'ann' } },
    errors: ['spec.resourceAttributes FieldValueInvalid'],
  },
  'a review does not ask about both': {
    resource: 'subjectaccessreviews',
    body: { spec: { user: 'ann', resourceAttributes: get, nonResourceAttributes: { path: '/' } } },
    errors: ['spec.nonResourceAttributes FieldValueInvalid'],
  },
  'a review needs a user or groups': {
    resource: 'subjectaccessreviews',
    body: { spec: { resourceAttributes: get } },
    errors: ['spec.user FieldValueInvalid'],
  },
  'a review has no metadata': {
    resource: 'selfsubjectaccessreviews',
    body: { metadata: { name: 'x' }, spec: { resourceAttributes: get } },
    errors: ['metadata FieldValueInvalid'],
  },
  'a local review stays in its namespace': {
    resource: 'localsubjectaccessreviews',
    body: { metadata: { namespace: 'farm' }, spec: { user: 'ann', resourceAttributes: { ...get, namespace: 'town' } } },
    errors: ['spec.resourceAttributes.namespace FieldValueInvalid'],
  },
  'a local review is not about paths': {
    resource: 'localsubjectaccessreviews',
    body: { metadata: { namespace: 'farm' }, spec: { user: 'ann', nonResourceAttributes: { path: '/' } } },
    errors: ['spec.nonResourceAttributes FieldValueInvalid'],
  },
}
for (const [title, { resource, body, errors }] of Object.entries(bad))
  reviews(title, async () => {
    const { error, asked } = await post(resource, body, 'farm')
    assert.is(error?.code, 422)
    assert.equal(causes(error), errors)
    assert.is(error?.details?.kind, undefined)
    assert.equal(asked, [])
  })

reviews('a local review must be sent to the namespace it names', async () => {
  const body = { metadata: { namespace: 'farm' }, spec: { user: 'ann', resourceAttributes: get } }
  assert.is((await post('localsubjectaccessreviews', body, 'town')).error?.code, 400)
  assert.is((await post('localsubjectaccessreviews', body, 'farm')).object?.status?.allowed, true)
})

reviews('a rules review lists what the requester may do in a namespace', async () => {
  const { object } = await post('selfsubjectrulesreviews', { spec: { namespace: 'farm' } })
  assert.equal(object, {
    metadata: {},
    spec: {},
    status: {
      resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['root@farm'] }],
      nonResourceRules: [],
      incomplete: true,
      evaluationError: 'incomplete list',
    },
  })
  assert.is((await post('selfsubjectrulesreviews', { spec: {} })).error?.code, 400)
})

reviews('drop selectors while their gate is off, before they are checked', async () => {
  const spec = { user: 'ann', resourceAttributes: { ...get, fieldSelector: {}, labelSelector: { rawSelector: 'a=b' } } }
  const { error } = await post('subjectaccessreviews', { metadata: {}, spec })
  assert.equal(causes(error), ['spec.resourceAttributes.fieldSelector.requirements FieldValueRequired'])
  const { object, asked } = await post('subjectaccessreviews', { metadata: {}, spec }, '', false)
  assert.equal((object as { spec?: unknown }).spec, { user: 'ann', resourceAttributes: get })
  assert.not('labelSelector' in asked[0]!)
})

reviews.run()
