import type { Vendor } from 'orch/sdk'
import { missingKeysHaveNames } from './differences.js'

/** Every name of this plugin that carries the vendor's. */
export const configurationNames = (vendor: Vendor) => ({
  serviceAccountToken: vendor.qualify('service-account-token'),
  dockerConfig: vendor.qualify('dockercfg'),
  dockerConfigJson: vendor.qualify('dockerconfigjson'),
  basicAuth: vendor.qualify('basic-auth'),
  sshAuth: vendor.qualify('ssh-auth'),
  tls: vendor.qualify('tls'),
  /** Annotation that says whose token a Secret holds. */
  serviceAccountName: vendor.qualify('service-account.name'),
  /** Do paths of errors name the key that is missing? */
  namesMissingKeys: vendor.level.has(missingKeysHaveNames),
})
export type ConfigurationNames = ReturnType<typeof configurationNames>
