import type { GroupResource, Vendor } from 'orch/sdk'
import { recordEvents } from 'orch/sdk/controllers'
import { isNativeResource } from 'orch/sdk/core'

/** Every name of this plugin that carries the vendor's. */
export const quotaNames = (vendor: Vendor) => ({
  vendor,
  /** The rule of loops that record events. */
  recordEvents: recordEvents(vendor),
  /** Annotation of a Pod that lists what LimitRanger set. */
  limitRangerAnnotation: vendor.qualify('limit-ranger'),
  /** Between a storage class and what is counted of it: `gold.storageclass.<group>/requests.storage`. */
  storageClassInfix: `.storageclass.${vendor.group('storage')}/`,
  /** Where claims named their storage class before there was a field for it. */
  storageClassAnnotation: vendor.qualify('storage-class', 'volume.beta'),
  /** Resources without a domain, or in the vendor's own. */
  isNative: (resourceName: string) => isNativeResource(resourceName, vendor),
  /** Groups that only the vendor names: without a domain, or in the vendor's own. */
  isOwnGroup: (group: string) => group !== '' && (!group.includes('.') || group.endsWith(vendor.group(''))),
  /** Created by the system in unpredictable numbers, and removed automatically. */
  uncounted: [
    { group: '', resource: 'events' },
    { group: vendor.group('events'), resource: 'events' },
  ] satisfies GroupResource[],
  /** What the configuration of ResourceQuota may be called: group, version and kind. */
  configurations: [
    `${vendor.group('apiserver.config')}/v1 ResourceQuotaConfiguration`,
    ...['v1', 'v1beta1', 'v1alpha1'].map(
      version => `${vendor.group('resourcequota.admission')}/${version} Configuration`,
    ),
  ],
})
export type QuotaNames = ReturnType<typeof quotaNames>
