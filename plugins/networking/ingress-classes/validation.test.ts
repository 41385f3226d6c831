import { schemaErrors } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { IngressClass, type IngressClassParametersReference } from './schema.js'
import { validateIngressClass, validateIngressClassUpdate } from './validation.js'

const validation = suite('validation of ingress classes')
const aClass = (parameters?: Partial<IngressClassParametersReference>, controller = 'example.com/c'): IngressClass => ({
  spec: {
    controller,
    ...(parameters ? { parameters: { kind: 'Settings', name: 'a', scope: 'Cluster', ...parameters } } : {}),
  },
})

const cases: Record<string, { given: IngressClass; wrong: string[] }> = {
  'accepts parameters for the cluster': { given: aClass({ apiGroup: 'example.com' }), wrong: [] },
  'accepts parameters in a namespace': { given: aClass({ scope: 'Namespace', namespace: 'town' }), wrong: [] },
  'requires the namespace': {
    given: aClass({ scope: 'Namespace' }),
    wrong: ['FieldValueRequired spec.parameters.namespace'],
  },
  'checks the namespace': {
    given: aClass({ scope: 'Namespace', namespace: '' }),
    wrong: ['FieldValueInvalid spec.parameters.namespace'],
  },
  'refuses a namespace for the cluster': {
    given: aClass({ namespace: 'town' }),
    wrong: ['FieldValueForbidden spec.parameters.namespace'],
  },
  'rejects an unknown scope': {
    given: aClass({ scope: 'Galaxy' }),
    wrong: ['FieldValueNotSupported spec.parameters.scope'],
  },
  'requires kind and name': {
    given: aClass({ kind: '', name: '' }),
    wrong: ['FieldValueRequired spec.parameters.kind', 'FieldValueRequired spec.parameters.name'],
  },
  'refuses both parts of a controller': {
    given: aClass(undefined, 'example_com/a?b'),
    wrong: ['FieldValueInvalid spec.controller', 'FieldValueInvalid spec.controller'],
  },
  'refuses a controller that is too long': {
    given: aClass(undefined, `example.com/${'x'.repeat(250)}`),
    wrong: ['FieldValueTooLong spec.controller'],
  },
}
for (const [title, { given, wrong }] of Object.entries(cases))
  validation(title, () => {
    assert.equal(
      [...schemaErrors(IngressClass, given), ...validateIngressClass(given)].map(
        ({ type, field }) => `${type} ${field}`,
      ),
      wrong,
    )
  })

validation('the controller stays, the parameters may change', () => {
  assert.equal(validateIngressClassUpdate(aClass({}), aClass()), [])
  assert.equal(
    validateIngressClassUpdate(aClass(undefined, 'example.com/d'), aClass()).map(({ field }) => field),
    ['spec.controller'],
  )
  assert.equal(
    validateIngressClassUpdate(aClass(undefined, ''), aClass()).map(({ type }) => type),
    ['FieldValueInvalid', 'FieldValueRequired'],
  )
})

validation.run()
