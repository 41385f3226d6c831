import { definePlugin } from 'orch/sdk'
import { defaultIngressClass } from './admission/default-ingress-class.js'
import { denyServiceExternalIps } from './admission/deny-service-external-ips.js'
import { apiService } from './api-service/api-service.js'
import { clusterCidrs } from './cluster-cidrs/resource.js'
import { differences } from './differences.js'
import { endpoints } from './endpoints/resource.js'
import { ingressClasses } from './ingress-classes/resource.js'
import { ingresses } from './ingresses/resource.js'
import { networkingNames } from './names.js'
import { networkPolicies } from './network-policies/resource.js'
import { NetworkingOptions } from './options.js'
import { addressClaimsService } from './services/addresses/address-claims.js'
import { serviceAddresses } from './services/addresses/service-addresses.js'
import { services } from './services/resource.js'

export { conformance } from './conformance.js'

export const networking = definePlugin({
  name: 'networking',
  differences,
  requires: ['namespaces'],
  options: NetworkingOptions,
  register(to, { vendor, options }) {
    const names = networkingNames(vendor)
    to.resource(services(vendor), endpoints(names), ingressClasses(names), ingresses(names), networkPolicies(names))
    to.resource(clusterCidrs(names))
    to.admission(serviceAddresses(options), denyServiceExternalIps, defaultIngressClass(names))
    to.service(addressClaimsService)
    to.onStart(apiService(vendor, options))
  },
})
