import type { GroupResource, Vendor } from 'orch/sdk'
import { recordEvents } from 'orch/sdk/controllers'
import { isNativeResource } from 'orch/sdk/core'

/** All names of this plugin that contain a vendor name. */
export const quotaNames = (vendor: Vendor) => ({
  vendor,
  /** The access rule of controllers that record events. */
  recordEvents: recordEvents(vendor),
  /** Annotation of a Pod that lists the resources that LimitRanger set. */
  limitRangerAnnotation: vendor.qualify('limit-ranger'),
  /** Between a storage class and the counted resource: `gold.storageclass.<group>/requests.storage`. */
  storageClassInfix: `.storageclass.${vendor.group('storage')}/`,
  /** The annotation for the storage class of a claim, from before the field existed. */
  storageClassAnnotation: vendor.qualify('storage-class', 'volume.beta'),
  /** The API group of resource claims. */
  deviceGroup: vendor.group('resource'),
  /** After the device class in the counted resource: `gpu.deviceclass.<group>/devices`. */
  devicesSuffix: `.deviceclass.${vendor.group('resource')}/devices`,
  /** Before the device class in the resource by which Pods request its devices. */
  deviceClassPrefix: vendor.qualify('', 'deviceclass.resource'),
  /** Resources without a domain, or in the vendor's own. */
  isNative: (resourceName: string) => isNativeResource(resourceName, vendor),
  /** API groups of the vendor: without a domain, or in the vendor's own. */
  isOwnGroup: (group: string) => group !== '' && (!group.includes('.') || group.endsWith(vendor.group(''))),
  /** Not counted: the system creates them in unpredictable numbers, and removes them automatically. */
  uncounted: [
    { group: '', resource: 'events' },
    { group: vendor.group('events'), resource: 'events' },
  ] satisfies GroupResource[],
  /** Accepted types of the ResourceQuota configuration: group, version and kind. */
  configurations: [
    `${vendor.group('apiserver.config')}/v1 ResourceQuotaConfiguration`,
    ...['v1', 'v1beta1', 'v1alpha1'].map(
      version => `${vendor.group('resourcequota.admission')}/${version} Configuration`,
    ),
  ],
})
export type QuotaNames = ReturnType<typeof quotaNames>
