import type { Vendor } from '../../plugin/vendor.js'
import { isDns1123Subdomain, isEnvVarName } from '../../validation/object-names.js'
import type { Container } from '../container.js'
import type { PodSpec } from '../pod-spec.js'
import type { Lifecycle } from '../probe.js'
import { checkLocalNonReservedPath } from '../validation/volume-paths.js'
import {
  containerRestartPolicies,
  initResizesRestartNothing,
  ownUsersHaveNoDevices,
  restartAllContainers,
  sleepsOfZero,
  tokenPathsAreLocal,
  variablesAreNamedFreely,
} from './differences.js'
import { looseDnsSearches } from './dns-differences.js'
import { refersToHostAddresses } from './downward-fields.js'
import type { VariableRules } from './validate-environment.js'
import { hostAddressesAreFields, variablesHoldHostAddresses } from './volume-differences.js'

/**
 * Which rules of Pods hold depends on the version, and on the stored Pod or template: what it has already may stay, after an upgrade to a
 * stricter version as well as after a way back to one that lacks a feature.
 */
export interface PodRules extends VariableRules {
  readonly takesLooseDnsSearches: boolean
  readonly takesSleepsOfZero: boolean
  /** Containers may have a restart policy of their own. */
  readonly takesRestartPolicies: boolean
  /** Restart rules may restart all containers, and sidecars may have rules. */
  readonly takesRestartsOfAll: boolean
  /** Containers may have block devices in a Pod with its own users. */
  readonly takesDevicesOfOwnUsers: boolean
  /** Files of tokens may be outside of their volume. */
  readonly takesAnyTokenPath: boolean
  /** Init containers that are no sidecars may ask to be restarted for a resize. */
  readonly takesResizesOfInitContainers: boolean
}

export function podRules({ level }: Vendor, stored: PodSpec = { containers: [] }): PodRules {
  const [containers, initContainers] = [stored.containers ?? [], stored.initContainers ?? []]
  const all = [...containers, ...initContainers, ...(stored.ephemeralContainers ?? [])]
  const takesHostAddresses = level.has(variablesHoldHostAddresses) || all.some(holdsHostAddresses)
  return {
    takesAnyVariableName: level.has(variablesAreNamedFreely) || all.some(hasUnusualVariable),
    knowsHostAddresses: level.has(hostAddressesAreFields) || takesHostAddresses,
    takesHostAddresses,
    takesLooseDnsSearches: level.has(looseDnsSearches) || (stored.dnsConfig?.searches ?? []).some(isLoose),
    takesSleepsOfZero: level.has(sleepsOfZero) || all.some(({ lifecycle }) => sleepsNoTime(lifecycle)),
    takesRestartPolicies: level.has(containerRestartPolicies) || hasRestartPolicies(stored),
    takesRestartsOfAll: level.has(restartAllContainers) || [...containers, ...initContainers].some(restartsAll),
    takesDevicesOfOwnUsers:
      !level.has(ownUsersHaveNoDevices) ||
      (stored.hostUsers === false && all.some(({ volumeDevices = [] }) => volumeDevices.length > 0)),
    takesAnyTokenPath: !level.has(tokenPathsAreLocal) || hasForeignTokenPath(stored),
    takesResizesOfInitContainers: !level.has(initResizesRestartNothing) || initContainers.some(restartsForResize),
  }
}

const hasUnusualVariable = ({ env = [], envFrom = [] }: Pick<Container, 'env' | 'envFrom'>): boolean =>
  [...env.map(({ name }) => name), ...envFrom.map(({ prefix }) => prefix ?? '')].some(
    name => name !== '' && isEnvVarName(name).length > 0,
  )

const holdsHostAddresses = ({ env = [] }: Pick<Container, 'env'>): boolean =>
  env.some(({ valueFrom }) => valueFrom?.fieldRef && refersToHostAddresses(valueFrom.fieldRef))

const isLoose = (search: string): boolean => search === '.' || isDns1123Subdomain(search.replace(/\.$/, '')).length > 0

const sleepsNoTime = ({ postStart, preStop }: Lifecycle = {}): boolean =>
  [postStart, preStop].some(handler => handler?.sleep?.seconds === 0)

/** Whether it is an init container that runs beside the others. */
export const isSidecar = ({ restartPolicy }: Pick<Container, 'restartPolicy'>): boolean => restartPolicy === 'Always'
/** Whether any container but a sidecar has a restart policy of its own. */
export const hasRestartPolicies = ({ containers = [], initContainers = [] }: Partial<PodSpec> = {}): boolean =>
  containers.some(({ restartPolicy }) => restartPolicy !== undefined) || initContainers.some(hasOwnRestarts)
const hasOwnRestarts = (container: Container): boolean =>
  (container.restartPolicy !== undefined && !isSidecar(container)) || (container.restartPolicyRules ?? []).length > 0
const restartsAll = (container: Container): boolean => {
  const { restartPolicyRules: rules = [] } = container
  return rules.some(({ action }) => action === 'RestartAllContainers') || (isSidecar(container) && rules.length > 0)
}
const restartsForResize = (container: Container): boolean =>
  !isSidecar(container) &&
  (container.resizePolicy ?? []).some(({ restartPolicy }) => restartPolicy === 'RestartContainer')

const hasForeignTokenPath = ({ volumes = [] }: PodSpec): boolean =>
  volumes.some(({ projected }) =>
    (projected?.sources ?? []).some(
      ({ serviceAccountToken: token }) => token && checkLocalNonReservedPath(token.path, '').length > 0,
    ),
  )
