import type { Pod, Service } from 'orch/sdk/core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { maxAddresses, subsetsOf } from './subsets.js'

const subsets = suite('the endpoints of a Service')
const service = (spec: Partial<NonNullable<Service['spec']>> = {}): Service => ({
  metadata: { name: 'web', namespace: 'town' },
  spec: { selector: { app: 'web' }, clusterIP: '10.0.0.1', ports: [{ port: 80, targetPort: 8080 }], ...spec },
})
const pod = (
  name: string,
  ip: string,
  { isReady = true, ...rest }: { isReady?: boolean } & Partial<Pod> = {},
): Pod => ({
  metadata: { name, namespace: 'town', uid: `uid-${name}`, ...rest.metadata },
  spec: { containers: [{ name: 'c', ports: [{ name: 'http', containerPort: 8081 }] }], nodeName: 'n', ...rest.spec },
  status: {
    podIP: ip,
    phase: 'Running',
    conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }],
    ...rest.status,
  },
})
const shown = (of: Service, pods: Pod[]) =>
  subsetsOf(of, pods).subsets.map(({ addresses = [], notReadyAddresses = [], ports = [] }) => [
    addresses.map(({ ip }) => ip),
    notReadyAddresses.map(({ ip }) => ip),
    ports.map(({ name, port }) => `${name ?? ''}:${port}`),
  ])

subsets('are the addresses of its Pods, ready or not, in order', () => {
  assert.equal(
    shown(service(), [pod('b', '10.1.0.2'), pod('a', '10.1.0.1'), pod('c', '10.1.0.3', { isReady: false })]),
    [[['10.1.0.1', '10.1.0.2'], ['10.1.0.3'], [':8080']]],
  )
})
subsets('name the Pod and its node', () => {
  assert.equal(subsetsOf(service(), [pod('a', '10.1.0.1')]).subsets[0]?.addresses?.[0], {
    ip: '10.1.0.1',
    nodeName: 'n',
    targetRef: { kind: 'Pod', namespace: 'town', name: 'a', uid: 'uid-a' },
  })
})
subsets('are separate if a name means different ports, and exclude Pods without such a port', () => {
  const named = service({ ports: [{ name: 'web', port: 80, targetPort: 'http' }] })
  const other = pod('b', '10.1.0.2', {
    spec: { containers: [{ name: 'c', ports: [{ name: 'http', containerPort: 9 }] }] },
  })
  const none = pod('c', '10.1.0.3', { spec: { containers: [{ name: 'c' }] } })
  assert.equal(shown(named, [pod('a', '10.1.0.1'), other, none]), [
    [['10.1.0.1'], [], ['web:8081']],
    [['10.1.0.2'], [], ['web:9']],
  ])
})
const left = (change: object) => shown(service(), [pod('a', '10.1.0.1', change)]).length
subsets('exclude Pods that terminate, have finished or have no address', () => {
  assert.is(left({}), 1)
  assert.is(left({ metadata: { deletionTimestamp: '2020-01-01T00:00:00Z' } }), 0)
  assert.is(left({ status: { podIP: '' } }), 0)
  assert.is(left({ spec: { restartPolicy: 'Never' }, status: { podIP: '10.1.0.1', phase: 'Failed' } }), 0)
  // Whatever its policy, a finished Pod does not start again.
  assert.is(left({ spec: { restartPolicy: 'OnFailure' }, status: { podIP: '10.1.0.1', phase: 'Failed' } }), 0)
  assert.is(left({ spec: { restartPolicy: 'Always' }, status: { podIP: '10.1.0.1', phase: 'Succeeded' } }), 0)
})
subsets('count every Pod as ready where the Service wants that', () => {
  assert.equal(shown(service({ publishNotReadyAddresses: true }), [pod('a', '10.1.0.1', { isReady: false })]), [
    [['10.1.0.1'], [], [':8080']],
  ])
})
subsets('may have no ports if the Service is headless', () => {
  assert.equal(shown(service({ clusterIP: 'None', ports: [] }), [pod('a', '10.1.0.1')]), [[['10.1.0.1'], [], []]])
})
subsets('give Pods of a named subdomain their names', () => {
  const named = pod('a', '10.1.0.1', { spec: { containers: [], hostname: 'a-0', subdomain: 'web' } })
  assert.is(subsetsOf(service(), [named]).subsets[0]?.addresses?.[0]?.hostname, 'a-0')
})
subsets('are bounded, with ready addresses first', () => {
  const many = Array.from({ length: maxAddresses + 5 }, (_, i) =>
    pod(`p${i}`, `10.1.${i >> 8}.${i & 255}`, { isReady: i >= 5 }),
  )
  const { subsets: found, isCut } = subsetsOf(service(), many)
  assert.equal([found[0]?.addresses?.length, found[0]?.notReadyAddresses, isCut], [maxAddresses, undefined, true])
})
subsets.run()
