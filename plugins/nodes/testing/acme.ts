import { kubernetesProfile, orchProfile, profileAtVersion, Vendor, type VersionName } from 'orch/sdk'
import type { Pod, PodSpec } from 'orch/sdk/core'
import { nodeNames } from '../names.js'

/** A vendor of the tests, so that hard-coded names fail them. */
export const acme = new Vendor({ ...orchProfile, name: 'acme', domain: 'acme.test', groupDomain: 'api.acme.test' })
export const acmeNames = nodeNames(acme)

/** The names at a version of the API. */
export function namesAt(version: VersionName) {
  const profile = profileAtVersion(kubernetesProfile, version)
  if (!profile) throw new Error(`there is no version ${version}`)
  return nodeNames(new Vendor({ ...profile, domain: 'acme.test', groupDomain: 'api.acme.test' }))
}

/** A Pod of one container; only what matters to the case is stated. */
export const aPod = (spec: Partial<PodSpec> = {}, metadata: Pod['metadata'] = {}): Pod => ({
  metadata: { name: 'p', namespace: 'town', ...metadata },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
})
