import type { Vendor } from 'orch/sdk'

/** Every name of this plugin that carries the vendor's. */
export const networkingNames = (vendor: Vendor) => ({
  group: vendor.group('networking'),
  /** Set to `true` on the class of Ingresses that name none. */
  defaultClassAnnotation: vendor.qualify('is-default-class', 'ingressclass'),
  /** The older way to name the class of an Ingress. */
  classAnnotation: vendor.qualify('ingress.class'),
})
export type NetworkingNames = ReturnType<typeof networkingNames>
