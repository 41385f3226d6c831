import type { Vendor } from 'orch/sdk'
import { missingKeysHaveNames } from './differences.js'

/** Every vendor-derived name of this plugin. */
export const configurationNames = (vendor: Vendor) => ({
  serviceAccountToken: vendor.qualify('service-account-token'),
  dockerConfig: vendor.qualify('dockercfg'),
  dockerConfigJson: vendor.qualify('dockerconfigjson'),
  basicAuth: vendor.qualify('basic-auth'),
  sshAuth: vendor.qualify('ssh-auth'),
  tls: vendor.qualify('tls'),
  /** Annotation with the service account of a token. */
  serviceAccountName: vendor.qualify('service-account.name'),
  /** Whether paths of errors name the missing key. */
  namesMissingKeys: vendor.level.has(missingKeysHaveNames),
})
export type ConfigurationNames = ReturnType<typeof configurationNames>
