import { kubernetesProfile, type ObjectMeta, orchProfile, profileAtVersion, Vendor, type VersionName } from 'orch/sdk'
import type { Container, Pod, PodSpec } from 'orch/sdk/core'
import { podSecurityNames } from '../names.js'

/** A vendor for tests, so that a hard-coded vendor name makes them fail. */
export const acme = new Vendor({ ...orchProfile, name: 'acme', domain: 'acme.test', groupDomain: 'api.acme.test' })
export const acmeNames = podSecurityNames(acme)

/** The names at a version of the API. */
export function namesAt(version: VersionName) {
  const profile = profileAtVersion(kubernetesProfile, version)
  if (!profile) throw new Error(`there is no version ${version}`)
  return podSecurityNames(new Vendor({ ...profile, domain: 'acme.test', groupDomain: 'api.acme.test' }))
}

/** A container; only what matters to the case is stated. */
export const aContainer = (parts: Partial<Container> = {}): Container => ({ name: 'c', image: 'i', ...parts })

/** A Pod of one container; only what matters to the case is stated. */
export const aPod = (spec: Partial<PodSpec> = {}, metadata: ObjectMeta = {}): Pod => ({
  metadata: { name: 'p', namespace: 'town', ...metadata },
  spec: { containers: [aContainer()], ...spec },
})

/** The security context that the restricted standard requires. */
export const careful: Container['securityContext'] = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
}
