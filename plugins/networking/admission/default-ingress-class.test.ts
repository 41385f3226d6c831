import type { AdmissionRequest, StoreReader } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { IngressClass } from '../ingress-classes/schema.js'
import type { Ingress } from '../ingresses/schema.js'
import { acmeNames } from '../testing/acme.js'
import { defaultIngressClass } from './default-ingress-class.js'

const control = suite('DefaultIngressClass')
const marked = (name: string, value = 'true'): IngressClass => ({
  metadata: { name, annotations: { 'ingressclass.acme.test/is-default-class': value } },
})

const cases: Record<string, { classes: IngressClass[]; sent: Ingress; given?: string; isRefused?: boolean }> = {
  'gives the marked class': { classes: [marked('a', 'false'), marked('b')], sent: { spec: {} }, given: 'b' },
  'gives nothing where nothing is marked': { classes: [marked('a', '')], sent: { spec: {} } },
  'leaves an ingress that names a class': {
    classes: [marked('a')],
    sent: { spec: { ingressClassName: 'x' } },
    given: 'x',
  },
  'leaves an ingress that names a class in the old way': {
    classes: [marked('a')],
    sent: { metadata: { annotations: { 'acme.test/ingress.class': 'x' } }, spec: {} },
  },
  'refuses to choose between two': { classes: [marked('a'), marked('b')], sent: { spec: {} }, isRefused: true },
}
for (const [title, { classes, sent, given, isRefused = false }] of Object.entries(cases))
  control(title, async () => {
    const reader = { list: async () => classes } as unknown as StoreReader
    const request = { object: sent } as AdmissionRequest<Ingress>
    const verdict = await defaultIngressClass(acmeNames).review(request, { reader }, 'mutate')
    assert.is(verdict !== undefined, isRefused)
    assert.is(sent.spec?.ingressClassName, given)
  })

control.run()
