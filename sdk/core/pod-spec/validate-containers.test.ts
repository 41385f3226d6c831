import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { container, problems, withContainer } from './testing/pod-spec-problems.js'

const validation = suite('validation of the containers of a pod spec')
const port = { containerPort: 80, protocol: 'TCP' }
const http = { httpGet: { path: '/', port: 80, scheme: 'HTTP' } }
const mount = { name: 'v', mountPath: '/v' }
const volumes = [{ name: 'v', emptyDir: {} }]
const at = 'spec.containers[0]'

const cases: Record<string, [change: object, ...wrong: string[]]> = {
  'refuses a container without name and image': [
    withContainer({ name: '', image: '' }),
    `${at}.name Required`,
    `${at}.image Required`,
  ],
  'refuses the name of a container for an init container': [
    { initContainers: [container] },
    'spec.initContainers[0].name Duplicate',
  ],
  'refuses a probe of an init container': [
    { initContainers: [{ ...container, name: 'i', readinessProbe: { ...http, successThreshold: 1 } }] },
    'spec.initContainers[0].readinessProbe Invalid',
  ],
  'refuses unknown policies': [
    {
      ...withContainer({ imagePullPolicy: 'Maybe', terminationMessagePolicy: 'Maybe' }),
      restartPolicy: 'Maybe',
      dnsPolicy: 'Maybe',
    },
    `${at}.imagePullPolicy NotSupported`,
    'spec.restartPolicy NotSupported',
    'spec.dnsPolicy NotSupported',
    `${at}.terminationMessagePolicy Invalid`,
  ],
  'refuses ports out of range': [
    withContainer({
      ports: [
        { ...port, containerPort: 0 },
        { ...port, hostPort: 70_000 },
      ],
    }),
    `${at}.ports[1].hostPort Invalid`,
    `${at}.ports[0].containerPort Required`,
  ],
  'refuses a port name twice': [
    withContainer({
      ports: [
        { ...port, name: 'web' },
        { ...port, name: 'web' },
      ],
    }),
    `${at}.ports[1].name Duplicate`,
  ],
  'refuses a port of the node twice': [
    withContainer({
      ports: [
        { ...port, hostPort: 80 },
        { ...port, hostPort: 80 },
      ],
    }),
    `${at}.ports[1].hostPort Duplicate`,
  ],
  'refuses a host port that differs from the container port with hostNetwork': [
    { ...withContainer({ ports: [port] }), hostNetwork: true },
    `${at}.ports[0].containerPort Invalid`,
  ],
  'refuses a variable without a name': [
    withContainer({ env: [{ name: '' }, { name: 'a=b' }] }),
    `${at}.env[0].name Required`,
    `${at}.env[1].name Invalid`,
  ],
  'refuses a variable with value and source': [
    withContainer({ env: [{ name: 'a', value: 'x', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }] }),
    `${at}.env[0].valueFrom Invalid`,
  ],
  'refuses a variable without a source': [
    withContainer({ env: [{ name: 'a', valueFrom: {} }] }),
    `${at}.env[0].valueFrom Invalid`,
  ],
  'refuses a variable with all labels of the Pod': [
    withContainer({
      env: [{ name: 'a', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.labels' } } }],
    }),
    `${at}.env[0].valueFrom.fieldRef.fieldPath NotSupported`,
  ],
  'refuses a key reference without a name': [
    withContainer({ env: [{ name: 'a', valueFrom: { configMapKeyRef: { key: '' } } }] }),
    `${at}.env[0].valueFrom.configMapKeyRef.name Invalid`,
    `${at}.env[0].valueFrom.configMapKeyRef.key Required`,
  ],
  'refuses envFrom without a source': [
    withContainer({ envFrom: [{ prefix: '=' }] }),
    `${at}.envFrom[0].prefix Invalid`,
    `${at}.envFrom Invalid`,
  ],
  'refuses envFrom with an invalid name': [
    withContainer({
      envFrom: [{ configMapRef: { name: 'A' } }, { secretRef: {} }, { secretRef: { name: 'to-be-completed-' } }],
    }),
    `${at}.envFrom[0].configMapRef.name Invalid`,
    `${at}.envFrom[1].secretRef.name Required`,
  ],
  'accepts a variable with the node under its first name': [
    withContainer({ env: [{ name: 'a', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'spec.host' } } }] }),
  ],
  'reports errors of probes in the order of Kubernetes': [
    withContainer({
      livenessProbe: { ...http, successThreshold: 2 },
      readinessProbe: { ...http, terminationGracePeriodSeconds: 1 },
      startupProbe: { ...http, successThreshold: 2 },
    }),
    `${at}.readinessProbe.terminationGracePeriodSeconds Invalid`,
    `${at}.livenessProbe.successThreshold Invalid`,
    `${at}.startupProbe.successThreshold Invalid`,
  ],
  'reports errors of a startup probe twice': [
    withContainer({ startupProbe: { successThreshold: 1 } }),
    `${at}.startupProbe Required`,
    `${at}.startupProbe Required`,
  ],
  'accepts a mount': [{ ...withContainer({ volumeMounts: [mount] }), volumes }],
  'refuses a mount of an unknown volume': [
    withContainer({ volumeMounts: [{ name: 'w', mountPath: '' }] }),
    `${at}.volumeMounts[0].name NotFound`,
    `${at}.volumeMounts[0].mountPath Required`,
  ],
  'refuses two mounts at one path': [
    { ...withContainer({ volumeMounts: [mount, mount] }), volumes },
    `${at}.volumeMounts[1].mountPath Invalid`,
  ],
  'refuses a subPath outside of the volume': [
    { ...withContainer({ volumeMounts: [{ ...mount, subPath: '../x' }] }), volumes },
    `${at}.volumeMounts.subPath Invalid`,
  ],
  'refuses propagation to the node without privilege': [
    { ...withContainer({ volumeMounts: [{ ...mount, mountPropagation: 'Bidirectional' }] }), volumes },
    `${at}.volumeMounts.mountPropagation Forbidden`,
  ],
  'refuses a device that is a directory': [
    { ...withContainer({ volumeDevices: [{ name: 'v', devicePath: '/dev/x' }] }), volumes },
    `${at}.volumeDevices[0].name Invalid`,
  ],
  'refuses a probe without a handler': [
    withContainer({ livenessProbe: { successThreshold: 1 } }),
    `${at}.livenessProbe Required`,
  ],
  'refuses a probe with two handlers': [
    withContainer({ livenessProbe: { ...http, exec: { command: ['a'] }, successThreshold: 2 } }),
    `${at}.livenessProbe.httpGet Forbidden`,
    `${at}.livenessProbe.successThreshold Invalid`,
  ],
  'refuses a negative period': [
    withContainer({ readinessProbe: { ...http, periodSeconds: -1 } }),
    `${at}.readinessProbe.periodSeconds Invalid`,
  ],
  'refuses a lifecycle hook without a handler': [
    withContainer({ lifecycle: { preStop: {} } }),
    `${at}.lifecycle.preStop Required`,
  ],
  'refuses a resource containers cannot have': [
    withContainer({ resources: { limits: { pods: '1' } } }),
    `${at}.resources.limits[pods] Invalid`,
  ],
  'refuses a negative amount': [
    withContainer({ resources: { limits: { cpu: '-1' } } }),
    `${at}.resources.limits[cpu] Invalid`,
  ],
  'refuses a request above the limit': [
    withContainer({ resources: { limits: { cpu: '1' }, requests: { cpu: '2' } } }),
    `${at}.resources.requests Invalid`,
  ],
  'refuses a fraction of a device': [
    withContainer({ resources: { limits: { 'other.test/gpu': '0.5' } } }),
    `${at}.resources.limits[other.test/gpu] Invalid`,
  ],
  'refuses a request for a device without its limit': [
    withContainer({ resources: { requests: { 'other.test/gpu': '1' } } }),
    `${at}.resources.limits Required`,
  ],
  'refuses huge pages alone': [
    withContainer({ resources: { limits: { 'hugepages-2Mi': '2Mi' } } }),
    `${at}.resources Forbidden`,
  ],
  'refuses user ids out of range': [
    withContainer({ securityContext: { runAsUser: -1 } }),
    `${at}.securityContext.runAsUser Invalid`,
  ],
  'refuses privilege without escalation': [
    withContainer({ securityContext: { privileged: true, allowPrivilegeEscalation: false } }),
    `${at}.securityContext Invalid`,
  ],
  'refuses a fraction of a huge page': [
    withContainer({
      resources: { limits: { cpu: '1', 'hugepages-2Mi': '3Mi', 'hugepages-1Gi': '2Gi', 'hugepages-500m': '1' } },
    }),
    `${at}.resources.limits[hugepages-2Mi] Invalid`,
    `${at}.resources.limits[hugepages-500m] Invalid`,
  ],
  'refuses ports of an ephemeral container': [
    { ephemeralContainers: [{ ...container, name: 'e', ports: [port], targetContainerName: 'x' }] },
    'spec.ephemeralContainers[0].targetContainerName NotFound',
    'spec.ephemeralContainers[0].ports Forbidden',
  ],
  'refuses an empty lifecycle of an ephemeral container': [
    { ephemeralContainers: [{ ...container, name: 'e', lifecycle: {} }] },
    'spec.ephemeralContainers[0].lifecycle Forbidden',
  ],
  'reports errors of an ephemeral container as of a list of one': [
    {
      ephemeralContainers: [
        { ...container, name: '' },
        { ...container, name: 'e', image: '' },
      ],
    },
    'spec.ephemeralContainers[0] Required',
    'spec.ephemeralContainers[1].image Required',
  ],
  'lets an ephemeral container target an earlier one': [
    {
      ephemeralContainers: [
        { ...container, name: 'e' },
        { ...container, name: 'f', targetContainerName: 'e' },
      ],
    },
  ],
}
for (const [title, [change, ...wrong]] of Object.entries(cases))
  validation(title, () => {
    assert.equal(problems(change), wrong)
  })

validation.run()
