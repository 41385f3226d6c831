import { definePlugin } from 'orch/sdk'
import { defaultIngressClass } from './admission/default-ingress-class.js'
import { ingressClasses } from './ingress-classes/resource.js'
import { ingresses } from './ingresses/resource.js'
import { networkingNames } from './names.js'
import { networkPolicies } from './network-policies/resource.js'

export { conformance } from './conformance.js'

export const networking = definePlugin({
  name: 'networking',
  requires: ['namespaces'],
  register(to, { vendor }) {
    const names = networkingNames(vendor)
    to.resource(ingressClasses(names), ingresses(names), networkPolicies(names))
    to.admission(defaultIngressClass(names))
  },
})
