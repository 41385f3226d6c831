import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { kubernetesProfile, profileAtVersion, Vendor } from '../../plugin/vendor.js'
import type { PodSpec } from '../pod-spec.js'
import { container } from './testing/pod-spec-problems.js'
import { validatePodSpec } from './validate-pod-spec.js'

const rules = suite('rules of Pods that depend on the version and the stored Pod')
const withContainer = (change: object) => ({ containers: [{ ...container, ...change }] })
const initContainer = (change: object) => ({ initContainers: [{ ...container, name: 'first', ...change }] })
const restartRule = (action: string) => ({
  restartPolicyRules: [{ action, exitCodes: { operator: 'In', values: [1] } }],
})
const tokenAt = (path: string) => ({
  volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path, expirationSeconds: 600 } }] } }],
})
const hostAddresses = { name: 'a', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'status.hostIPs' } } }

/** A version with the rule and one without it, and what the latter refuses. */
const cases: Record<string, [change: object, accepts: string, refuses: string, ...wrong: string[]]> = {
  'unusual names of variables': [
    withContainer({ env: [{ name: 'a:b', value: 'c' }] }),
    '1.32',
    '1.31',
    'spec.containers[0].env[0].name Invalid',
  ],
  'unusual prefixes of variables': [
    withContainer({ envFrom: [{ prefix: 'a:', configMapRef: { name: 'c' } }] }),
    '1.32',
    '1.31',
    'spec.containers[0].envFrom[0].prefix Invalid',
  ],
  'variables with all addresses of the host': [
    withContainer({ env: [hostAddresses] }),
    '1.29',
    '1.28',
    'spec.containers[0].env[0].valueFrom.fieldRef Forbidden',
  ],
  'variables with a field that came later': [
    initContainer({ env: [hostAddresses] }),
    '1.29',
    '1.27',
    'spec.initContainers[0].env[0].valueFrom.fieldRef.fieldPath Invalid',
  ],
  'search domains with underscores': [
    { dnsConfig: { searches: ['_tcp.acme.test', '.'] } },
    '1.33',
    '1.32',
    'spec.dnsConfig.searches[0] Invalid',
    'spec.dnsConfig.searches[1] Invalid',
  ],
  'sleeps of zero seconds': [
    { terminationGracePeriodSeconds: 30, ...withContainer({ lifecycle: { preStop: { sleep: { seconds: 0 } } } }) },
    '1.33',
    '1.32',
    'spec.containers[0].lifecycle.preStop.sleep Invalid',
  ],
  'restart policies of containers': [
    withContainer({ restartPolicy: 'Never' }),
    '1.35',
    '1.34',
    'spec.containers[0].restartPolicy Forbidden',
  ],
  'restarts of all containers': [
    withContainer({ restartPolicy: 'Never', ...restartRule('RestartAllContainers') }),
    '1.36',
    '1.35',
    'spec.containers[0].restartPolicyRules[0].action NotSupported',
  ],
  'rules of sidecars': [
    initContainer({ restartPolicy: 'Always', ...restartRule('Restart') }),
    '1.36',
    '1.35',
    'spec.initContainers[0].restartPolicyRules Forbidden',
  ],
  'block devices of own users': [
    {
      hostUsers: false,
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }],
      ...withContainer({ volumeDevices: [{ name: 'v', devicePath: '/dev/x' }] }),
    },
    '1.33',
    '1.34',
    'spec.containers[0].volumeDevices Forbidden',
  ],
  'tokens outside of their volume': [tokenAt('../../t'), '1.29', '1.30', 'spec.volumes[0].projected.path Invalid'],
  'absolute paths of tokens': [tokenAt('/t'), '1.29', '1.30', 'spec.volumes[0].projected.path Invalid'],
  'resizes that restart an init container': [
    initContainer({ resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] }),
    '1.35',
    '1.36',
    'spec.initContainers[0].resizePolicy[0].restartPolicy Invalid',
  ],
}
for (const [title, [change, accepts, refuses, ...wrong]] of Object.entries(cases))
  rules(`accept ${title} at ${accepts}, and at ${refuses} only if they are stored`, () => {
    const spec = {
      containers: [container],
      restartPolicy: 'Always',
      dnsPolicy: 'ClusterFirst',
      ...change,
    } as PodSpec
    const errorsAt = (version: string, stored?: PodSpec) => {
      const vendor = new Vendor(profileAtVersion(kubernetesProfile, version)!)
      const errors = validatePodSpec(spec, 'spec', { podName: 'p', vendor, stored })
      return errors.map(({ field, type }) => `${field} ${type.slice(10)}`)
    }
    assert.equal(errorsAt(accepts), [])
    assert.equal(errorsAt(refuses), wrong)
    assert.equal(errorsAt(refuses, spec), [])
  })

rules.run()
