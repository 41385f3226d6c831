import { kubernetesProfile, profileAtVersion, Vendor, type VersionName } from 'orch/sdk'
import { quotaNames } from '../names.js'

/** The names and rules of a version, under a made-up vendor. */
export function namesAt(version: VersionName) {
  const profile = profileAtVersion(kubernetesProfile, version)
  if (!profile) throw new Error(`there is no version ${version}`)
  return quotaNames(new Vendor({ ...profile, domain: 'acme.test', groupDomain: 'acme.test' }))
}
