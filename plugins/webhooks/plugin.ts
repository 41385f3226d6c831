import { definePlugin } from 'orch/sdk'
import { mutatingAdmissionWebhook } from './admission/mutating-admission-webhook.js'
import { validatingAdmissionWebhook } from './admission/validating-admission-webhook.js'
import { conditionLanguageService, warmUp, webhookServices } from './admission/webhook-services.js'
import { reviewPosts } from './calling/review-posts.js'
import { serviceEndpoints } from './calling/service-endpoints.js'
import { webhookDifferences } from './differences.js'
import { webhookNames } from './names.js'
import { WebhookOptions } from './options.js'
import { mutatingWebhookConfigurations, validatingWebhookConfigurations } from './webhook-configurations/resource.js'

export { conformance } from './conformance.js'

export const webhooks = definePlugin({
  name: 'webhooks',
  requires: ['namespaces'],
  options: WebhookOptions,
  differences: webhookDifferences,
  gates: {
    AdmissionWebhookMatchConditions: {
      stage: 'stable',
      description: 'Webhooks may have conditions on the requests that they are called for.',
      history: [
        { since: '1.27', stage: 'alpha', isOn: false },
        { since: '1.28', stage: 'beta', isOn: true },
        { since: '1.30', stage: 'stable', isOn: true, isLocked: true },
      ],
    },
  },
  register(to, { vendor, options }) {
    const names = webhookNames(vendor)
    to.resource(mutatingWebhookConfigurations(names), validatingWebhookConfigurations(names))
    to.service(conditionLanguageService)
    to.service(...webhookServices(names, options), reviewPosts(names, options), serviceEndpoints(options))
    to.admission(mutatingAdmissionWebhook(names), validatingAdmissionWebhook)
    to.onStart(warmUp)
  },
})
