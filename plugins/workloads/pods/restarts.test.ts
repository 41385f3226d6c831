import { kubernetesProfile, profileAtVersion, Vendor, type VendorProfile } from 'orch/sdk'
import type { Container, ContainerStatus, Pod, PodSpec } from 'orch/sdk/core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { validateRestarts } from './restarts.js'

const vendorAt = (version: string) => new Vendor(profileAtVersion(kubernetesProfile, version) as VendorProfile)
const statusOf = (name: string, state: ContainerStatus['state']): ContainerStatus =>
  ({ name, image: 'i', imageID: '', ready: false, restartCount: 0, state }) as ContainerStatus
const ruled = (action: string, operator: string, restartPolicy = 'Never'): Container => ({
  name: 'c',
  restartPolicy,
  restartPolicyRules: [{ action, exitCodes: { operator, values: [42] } }],
})

const restarts = suite('restarts of containers')
const sidecar = { name: 's', restartPolicy: 'Always' }
interface Case {
  readonly spec: Partial<PodSpec>
  readonly list?: 'containerStatuses' | 'initContainerStatuses' | 'ephemeralContainerStatuses'
  readonly name?: string
  readonly exitCode?: number
  /** The versions that refuse the restart, of 1.27, 1.34, 1.35 and 1.36. */
  readonly refusedAt: readonly string[]
}
const versions = ['1.27', '1.34', '1.35', '1.36']
const cases: Record<string, Case> = {
  'are usual with the policy Always': { spec: { restartPolicy: 'Always' }, refusedAt: [] },
  'follow a failure with the policy OnFailure': { spec: { restartPolicy: 'OnFailure' }, exitCode: 1, refusedAt: [] },
  'do not follow success with the policy OnFailure': { spec: { restartPolicy: 'OnFailure' }, refusedAt: versions },
  'do not happen with the policy Never': { spec: { restartPolicy: 'Never' }, exitCode: 1, refusedAt: versions },
  'of sidecars happen in every Pod': {
    spec: { restartPolicy: 'Never', initContainers: [sidecar] },
    list: 'initContainerStatuses',
    name: 's',
    refusedAt: [],
  },
  'of other init containers do not': {
    spec: { restartPolicy: 'Never', initContainers: [sidecar, { name: 'i' }] },
    list: 'initContainerStatuses',
    name: 'i',
    refusedAt: versions,
  },
  'of ephemeral containers never happen': {
    spec: { restartPolicy: 'Always' },
    list: 'ephemeralContainerStatuses',
    exitCode: 1,
    refusedAt: versions,
  },
  'of unknown containers are refused where containers have policies': {
    spec: { restartPolicy: 'Always' },
    name: 'unknown',
    refusedAt: ['1.35', '1.36'],
  },
  'follow the policy of the container': {
    spec: { restartPolicy: 'Never', containers: [{ name: 'c', restartPolicy: 'Always' }] },
    refusedAt: ['1.27', '1.34'],
  },
  'are refused by the policy of the container': {
    spec: { restartPolicy: 'Always', containers: [{ name: 'c', restartPolicy: 'Never' }] },
    refusedAt: ['1.35', '1.36'],
  },
  'follow a rule for the exit code': {
    spec: { restartPolicy: 'Never', containers: [ruled('Restart', 'In')] },
    exitCode: 42,
    refusedAt: ['1.27', '1.34'],
  },
  'do not follow a rule for other exit codes': {
    spec: { restartPolicy: 'Never', containers: [ruled('Restart', 'NotIn')] },
    exitCode: 42,
    refusedAt: versions,
  },
  'are allowed by a rule that restarts all containers': {
    spec: {
      restartPolicy: 'Never',
      containers: [{ name: 'c' }],
      initContainers: [ruled('RestartAllContainers', 'In')],
    },
    refusedAt: ['1.27', '1.34'],
  },
}
for (const [title, { spec, list = 'containerStatuses', name = 'c', exitCode = 0, refusedAt }] of Object.entries(cases))
  restarts(title, () => {
    const podWith = (state: ContainerStatus['state']): Pod => ({
      spec: { containers: [{ name: 'c' }], ...spec },
      status: { [list]: [statusOf('other', { running: {} }), statusOf(name, state)] },
    })
    const [stored, sent] = [podWith({ terminated: { exitCode } }), podWith({ running: {} })]
    const fieldsAt = (version: string) => validateRestarts(sent, stored, vendorAt(version)).map(({ field }) => field)
    assert.equal(
      versions.map(version => [version, fieldsAt(version)]),
      versions.map(version => [version, refusedAt.includes(version) ? [`status.${list}[1].state`] : []]),
    )
  })
restarts.run()
