import type { Vendor } from 'orch/sdk'
import { namesOwnGroup } from './differences.js'

/** Every name of this plugin that carries the vendor's. */
export const networkingNames = (vendor: Vendor) => ({
  group: vendor.group('networking'),
  discoveryGroup: vendor.group('discovery'),
  /** Where the group that these types came from is still named in errors. */
  formerGroup: vendor.level.has(namesOwnGroup) ? {} : { formerGroup: 'extensions' },
  /** Set to `true` on the class of Ingresses that name none. */
  defaultClassAnnotation: vendor.qualify('is-default-class', 'ingressclass'),
  /** The older way to name the class of an Ingress. */
  classAnnotation: vendor.qualify('ingress.class'),
})
export type NetworkingNames = ReturnType<typeof networkingNames>
