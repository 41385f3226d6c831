import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { parseDuration, type Vendor } from 'orch/sdk'
import { type LeaderElectionOptions, leaseCollection } from 'orch/sdk/controllers'
import type { KernelOptions } from '../options/kernel-options.js'

/** The lease and the timing of the election. */
export type ElectionSettings = Pick<
  LeaderElectionOptions,
  'leaseRef' | 'namespace' | 'leaseName' | 'identity' | 'leaseDurationMs' | 'renewDeadlineMs' | 'retryPeriodMs'
>

/** The lease of all processes that run the control loops of one API, servers and others. */
export function electionSettings(options: KernelOptions, vendor: Vendor): ElectionSettings {
  const { objectPrefix, namespaces } = vendor.profile
  return {
    leaseRef: leaseCollection(vendor),
    namespace: options.leaderElectResourceNamespace ?? namespaces.system,
    leaseName: options.leaderElectResourceName ?? `${objectPrefix}-controller-manager`,
    identity: `${hostname()}_${randomUUID()}`,
    leaseDurationMs: parseDuration(options.leaderElectLeaseDuration),
    renewDeadlineMs: parseDuration(options.leaderElectRenewDeadline),
    retryPeriodMs: parseDuration(options.leaderElectRetryPeriod),
  }
}
