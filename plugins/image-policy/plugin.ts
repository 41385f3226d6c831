import { definePlugin } from 'orch/sdk'
import { imagePolicyWebhook } from './admission/image-policy-webhook.js'
import { checkBackend, policyServices } from './image-policy-services.js'
import { imagePolicyNames } from './names.js'

export { conformance } from './conformance.js'

export const imagePolicy = definePlugin({
  name: 'image-policy',
  requires: ['workloads'],
  runtimeConfigKeys: vendor => [imagePolicyNames(vendor).reviewVersion],
  register(to, { vendor }) {
    const names = imagePolicyNames(vendor)
    to.service(...policyServices(names, vendor))
    to.admission(imagePolicyWebhook(names))
    to.onStart(checkBackend)
  },
})
