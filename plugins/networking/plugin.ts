import { definePlugin } from 'orch/sdk'
import { defaultIngressClass } from './admission/default-ingress-class.js'
import { denyServiceExternalIps } from './admission/deny-service-external-ips.js'
import { apiService } from './api-service/api-service.js'
import { clusterCidrs } from './cluster-cidrs/resource.js'
import { differences } from './differences.js'
import { endpoints } from './endpoints/resource.js'
import { ingressClasses } from './ingress-classes/resource.js'
import { ingresses } from './ingresses/resource.js'
import { ipAddresses } from './ip-addresses/resource.js'
import { repairAddresses } from './ip-addresses/service-ip-addresses.js'
import { networkingNames } from './names.js'
import { networkPolicies } from './network-policies/resource.js'
import { NetworkingOptions, networkingGates } from './options.js'
import { defaultServiceCidr } from './service-cidrs/default-service-cidr.js'
import { serviceCidrs } from './service-cidrs/resource.js'
import { serviceCidrLoop } from './service-cidrs/service-cidr-loop.js'
import { addressClaimsService } from './services/addresses/address-claims.js'
import { serviceAddresses } from './services/addresses/service-addresses.js'
import { serviceNames } from './services/names.js'
import { services } from './services/resource.js'

export { conformance } from './conformance.js'

export const networking = definePlugin({
  name: 'networking',
  proposed: ['sharedWork'],
  differences,
  requires: ['namespaces'],
  options: NetworkingOptions,
  gates: networkingGates,
  register(to, { vendor, options, isEnabled }) {
    const names = networkingNames(vendor)
    // Before 1.33 IPAddress objects are not served by default.
    const hasAddressObjects = isEnabled('MultiCIDRServiceAllocator')
    const addressNames = hasAddressObjects && vendor.level.isSince('1.33') ? names : undefined
    const strictAddresses = isEnabled('StrictIPCIDRValidation')
    const rules = serviceNames(vendor, {
      strictAddresses,
      prefersNodes: isEnabled('PreferSameTrafficDistribution'),
      hasIpModes: isEnabled('LoadBalancerIPMode'),
    })
    to.resource(services(rules, addressNames), endpoints(names, strictAddresses))
    to.resource(ingressClasses(names), ingresses(names, strictAddresses), networkPolicies(names, strictAddresses))
    to.resource(ipAddresses(names), serviceCidrs(names, isEnabled('ServiceCIDRStatusFieldWiping')), clusterCidrs(names))
    to.admission(serviceAddresses(options, rules, addressNames))
    to.admission(denyServiceExternalIps, defaultIngressClass(names))
    to.service(addressClaimsService)
    if (hasAddressObjects) {
      to.onStart(defaultServiceCidr(vendor, names, options), repairAddresses(names))
      to.controller(serviceCidrLoop(names))
      to.healthCheck({ name: `poststarthook/start-${vendor.name}-service-cidr-controller`, since: '1.29' })
    }
    to.onStart(apiService(vendor, options))
    to.healthCheck(
      { name: 'poststarthook/bootstrap-controller' },
      { name: 'poststarthook/start-service-ip-repair-controllers', since: '1.28' },
      { name: 'poststarthook/peer-endpoint-reconciler-controller', since: '1.36' },
    )
  },
})
