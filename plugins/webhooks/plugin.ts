import { definePlugin } from 'orch/sdk'
import { mutatingAdmissionWebhook } from './admission/mutating-admission-webhook.js'
import { validatingAdmissionWebhook } from './admission/validating-admission-webhook.js'
import { warmUp, webhookServices } from './admission/webhook-services.js'
import { reviewPosts } from './calling/review-posts.js'
import { serviceEndpoints } from './calling/service-endpoints.js'
import { webhookNames } from './names.js'
import { WebhookOptions } from './options.js'
import { mutatingWebhookConfigurations, validatingWebhookConfigurations } from './webhook-configurations/resource.js'

export { conformance } from './conformance.js'

export const webhooks = definePlugin({
  name: 'webhooks',
  requires: ['namespaces'],
  options: WebhookOptions,
  register(to, { vendor, options }) {
    const names = webhookNames(vendor)
    to.resource(mutatingWebhookConfigurations(names), validatingWebhookConfigurations(names))
    to.service(...webhookServices(names, options), reviewPosts(names, options), serviceEndpoints(options))
    to.admission(mutatingAdmissionWebhook(names), validatingAdmissionWebhook)
    to.onStart(warmUp)
  },
})
