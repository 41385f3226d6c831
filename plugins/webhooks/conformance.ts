import type { ConformanceSamples, Vendor } from 'orch/sdk'
import { webhookNames } from './names.js'
import type { WebhookConfiguration } from './webhook-configurations/validation.js'

/** Samples for `orch conformance`. */
export function conformance(vendor: Vendor): ConformanceSamples {
  const { group } = webhookNames(vendor)
  return {
    samples: {
      [`mutatingwebhookconfigurations.${group}`]: configurations,
      [`validatingwebhookconfigurations.${group}`]: configurations,
    },
  }
}

const configurations = {
  valid: () => ({
    webhooks: [
      {
        name: 'a.example.com',
        clientConfig: { url: 'https://hook.example.com/review' },
        rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        // Must not match other objects of the run.
        namespaceSelector: { matchLabels: { never: 'matches' } },
      },
    ],
  }),
  invalid: {
    'two webhooks of one name': (object: WebhookConfiguration) => {
      object.webhooks?.push(first(object))
    },
    'a timeout of a minute': (object: WebhookConfiguration) => {
      first(object).timeoutSeconds = 60
    },
  },
  update: (object: WebhookConfiguration) => {
    first(object).timeoutSeconds = 5
  },
}
const first = (object: WebhookConfiguration) => object.webhooks?.[0] as NonNullable<WebhookConfiguration['webhooks']>[0]
