import { admit, fakeCollections, type StatedRequest } from 'orch/sdk/testing'
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
  'sets the default class': { classes: [marked('a', 'false'), marked('b')], sent: { spec: {} }, given: 'b' },
  'sets nothing without a default class': { classes: [marked('a', '')], sent: { spec: {} } },
  'does not change an ingress with a class': {
    classes: [marked('a')],
    sent: { spec: { ingressClassName: 'x' } },
    given: 'x',
  },
  'does not change an ingress with a class in the old annotation': {
    classes: [marked('a')],
    sent: { metadata: { annotations: { 'acme.test/ingress.class': 'x' } }, spec: {} },
  },
  'rejects the ingress if there are two': { classes: [marked('a'), marked('b')], sent: { spec: {} }, isRefused: true },
}
const send = (classes: readonly IngressClass[], stated: StatedRequest<Ingress>) => {
  const { caches } = fakeCollections({ 'ingressclasses.networking.acme.test': classes })
  const target = { group: 'networking.acme.test', resource: 'ingresses' }
  return admit(defaultIngressClass(acmeNames), { ...target, ...stated }, { caches })
}
for (const dryRun of [false, true])
  for (const [title, { classes, sent, given, isRefused = false }] of Object.entries(cases))
    control(dryRun ? `${title}, on a dry run too` : title, async () => {
      const { object, refusal } = await send(classes, { object: sent, dryRun })
      assert.is(refusal?.code, isRefused ? 403 : undefined)
      assert.is(object.spec?.ingressClassName, given)
    })

control('does not change an updated ingress without a class', async () => {
  const sent: Ingress = { spec: {} }
  const { object, refusal } = await send([marked('a')], { operation: 'update', object: sent, oldObject: sent })
  assert.equal([object, refusal], [sent, undefined])
})

control.run()
