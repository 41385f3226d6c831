import type { AdmissionRequest, ServedType } from 'orch/sdk'
import type { ExpressionAuthorizer } from 'orch/sdk/expressions'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { PolicyVariables, RequestObjects } from './policy-variables.js'

const typeOf = (version: string): ServedType => ({
  kind: { group: 'acme.test', version, kind: 'Box' },
  resource: { group: 'acme.test', version, resource: 'boxes' },
})
const requested = typeOf('v1beta1')
const request = {
  operation: 'create',
  subresource: '',
  name: 'a',
  namespace: 'town',
  group: 'acme.test',
  resource: 'boxes',
  user: { name: 'ann', groups: [] },
  options: {},
  dryRun: false,
  served: { requested },
} as unknown as AdmissionRequest
const town = { metadata: { name: 'town' } }
const variablesAs = (as: ServedType) =>
  new PolicyVariables(new RequestObjects(request, as), town, undefined, {} as ExpressionAuthorizer)

const variables = suite('the variables of a policy')
variables('show the matched type and the namespace to validations', () => {
  const { request, namespaceObject } = variablesAs(typeOf('v1'))
  const { kind, resource, requestResource } = request as ReturnType<typeof Object>
  assert.equal([kind, resource, requestResource], [typeOf('v1').kind, typeOf('v1').resource, requested.resource])
  assert.equal(namespaceObject, town)
})
variables('show the requested resource and no namespace to match conditions', () => {
  const { request, namespaceObject } = variablesAs(typeOf('v1')).forConditions()
  const { kind, resource } = request as ReturnType<typeof Object>
  assert.equal([kind, resource], [typeOf('v1').kind, requested.resource])
  assert.is(namespaceObject, undefined)
})
variables.run()
