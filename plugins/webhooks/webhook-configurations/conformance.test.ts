import { orchProfile, Vendor } from 'orch/sdk'
import { resourceConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import { webhookNames } from '../names.js'
import { mutatingWebhookConfigurations, validatingWebhookConfigurations } from './resource.js'
import type { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from './schema-v1.js'
import type { WebhookConfiguration } from './validation.js'

const vendor = { ...orchProfile, name: 'acme', domain: 'acme.test', groupDomain: 'acme.test' }
const names = webhookNames(new Vendor(vendor))
const conformance = suite('webhook configurations serve the whole API')

const valid = () => ({
  webhooks: [
    {
      name: 'a.acme.test',
      clientConfig: { url: 'https://hook.acme.test/review' },
      rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      // Must not match the objects of the battery itself.
      namespaceSelector: { matchLabels: { never: 'matches' } },
    },
  ],
})
const first = (object: WebhookConfiguration) => object.webhooks?.[0] as NonNullable<WebhookConfiguration['webhooks']>[0]
const invalid = {
  'two webhooks of one name': (object: WebhookConfiguration) => {
    object.webhooks?.push(first(object))
  },
  'a timeout of a minute': (object: WebhookConfiguration) => {
    first(object).timeoutSeconds = 60
  },
}
const update = (object: WebhookConfiguration) => {
  first(object).timeoutSeconds = 5
}

for (const { name, run } of [
  ...resourceConformance<MutatingWebhookConfiguration>({
    resource: mutatingWebhookConfigurations(names),
    valid,
    invalid,
    update,
    vendor,
  }),
  ...resourceConformance<ValidatingWebhookConfiguration>({
    resource: validatingWebhookConfigurations(names),
    valid,
    invalid,
    update,
    vendor,
  }),
]) {
  conformance(name, run)
}

conformance.run()
