import { definePlugin } from 'orch/sdk'
import { webhookNames } from './names.js'
import { mutatingWebhookConfigurations, validatingWebhookConfigurations } from './webhook-configurations/resource.js'

export const webhooks = definePlugin({
  name: 'webhooks',
  requires: ['namespaces'],
  register(to, { vendor }) {
    const names = webhookNames(vendor)
    to.resource(mutatingWebhookConfigurations(names), validatingWebhookConfigurations(names))
  },
})
