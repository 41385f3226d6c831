import type { Vendor } from 'orch/sdk'
import { recordEvents } from 'orch/sdk/controllers'
import {
  classMayBeSaidTwice,
  mappedNamesAreRefused,
  namesOwnGroup,
  newestClassIsDefault,
  serviceNameRule,
  statusOfRangesIsReset,
  storedDefaultBackendsMayStay,
  storedServiceNamesMayStay,
  warnsAboutClassAnnotation,
} from './differences.js'

/** Every vendor-derived name of this plugin. */
export const networkingNames = (vendor: Vendor) => ({
  group: vendor.group('networking'),
  /** The rule of loops that record events. */
  recordEvents: recordEvents(vendor),
  serviceCidrs: { group: vendor.group('networking'), version: 'v1', resource: 'servicecidrs' },
  ipAddresses: { group: vendor.group('networking'), version: 'v1', resource: 'ipaddresses' },
  /** Keeps ranges while one of their addresses is used. */
  cidrFinalizer: `${vendor.group('networking')}/service-cidr-finalizer`,
  /** On address objects: their family, and the component that created them. */
  familyLabel: vendor.qualify('ip-family', 'ipaddress'),
  managedByLabel: vendor.qualify('managed-by', 'ipaddress'),
  ipAllocator: vendor.group('ipallocator'),
  discoveryGroup: vendor.group('discovery'),
  /** The former group of these types, at versions where errors still name it. */
  formerGroup: vendor.level.has(namesOwnGroup) ? {} : { formerGroup: 'extensions' },
  /** Set to `true` on the class of Ingresses that name none. */
  defaultClassAnnotation: vendor.qualify('is-default-class', 'ingressclass'),
  usesNewestClass: vendor.level.has(newestClassIsDefault),
  warnsAboutClassAnnotation: vendor.level.has(warnsAboutClassAnnotation),
  /** May an Ingress have its class in the annotation, too? */
  takesClassTwice: vendor.level.has(classMayBeSaidTwice),
  isServiceName: serviceNameRule(vendor.level),
  /** Names of Services that begin with a digit may stay in an Ingress: those of rules, and those of the default backend. */
  keepsServiceNames: vendor.level.has(storedServiceNamesMayStay),
  keepsDefaultBackends: vendor.level.has(storedDefaultBackendsMayStay),
  refusesMappedNames: vendor.level.has(mappedNamesAreRefused),
  resetsStatusOfRanges: vendor.level.has(statusOfRangesIsReset),
  /** The older way to name the class of an Ingress. */
  classAnnotation: vendor.qualify('ingress.class'),
})
export type NetworkingNames = ReturnType<typeof networkingNames>
