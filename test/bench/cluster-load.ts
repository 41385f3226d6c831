import { collectionPath, type LoadShape, type RequestParts } from './config-map-load.js'

/** What a cluster sends, at the rates of the largest ones that were ever shown: 130,000 nodes and 1,000 Pods a second. */
export const nodeCount = 130_000
const leaseSeconds = 10
export const podsPerSecond = 1000

/** What happens to one Pod in its life, in this order, with the number of such requests. */
export const podSteps = [
  'create',
  'bind',
  'event',
  'get',
  'status',
  'event',
  'get',
  'status',
  'event',
  'event',
  'get',
  'status',
  'delete',
] as const
export type PodStep = (typeof podSteps)[number]
export type Kind = 'lease' | PodStep
export const kinds: readonly Kind[] = ['lease', ...new Set(podSteps)]

export const titles: Readonly<Record<Kind, string>> = {
  lease: 'renewal of a Lease',
  create: 'creation of a Pod',
  bind: 'binding of a Pod',
  event: 'creation of an Event',
  get: 'get of a Pod by its node',
  status: 'status of a Pod (patch)',
  delete: 'deletion of a Pod',
}

const stepsOf = (kind: Kind) => podSteps.filter(step => step === kind).length
/** Requests a second of the whole load. */
export const fullRate = (kind: Kind): number =>
  kind === 'lease' ? nodeCount / leaseSeconds : podsPerSecond * stepsOf(kind)
export const statusOf: Readonly<Record<Kind, number>> = {
  lease: 200,
  create: 201,
  bind: 201,
  event: 201,
  get: 200,
  status: 200,
  delete: 200,
}

const spaces = 10
export const spaceNames = Array.from({ length: spaces }, (_, at) => `cluster-${at}`)
export const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases'
export const nodeName = (node: number): string => `node-${node}`
const spaceOf = (pod: number) => spaceNames[pod % spaces]!
const podName = (pod: number) => `job-${Math.floor(pod / 100)}-${pod}`
const podsIn = (space: string) => collectionPath(space).replace('configmaps', 'pods')
const podPath = (pod: number) => `${podsIn(spaceOf(pod))}/${podName(pod)}`

export function leaseOf(node: number, version?: string): string {
  const name = nodeName(node)
  const metadata = {
    name,
    namespace: 'kube-node-lease',
    ...(version === undefined ? {} : { resourceVersion: version }),
  }
  const renewTime = `${new Date().toISOString().slice(0, -1)}000Z`
  const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime }
  return JSON.stringify({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec })
}

function podOf(pod: number): string {
  const labels = { app: `job-${Math.floor(pod / 100)}`, 'pod-template-hash': '5d9c7b8f6d', tier: 'batch' }
  const env = Array.from({ length: 8 }, (_, at) => ({ name: `SETTING_${at}`, value: `the value of setting ${at}` }))
  const resources = { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } }
  const container = {
    name: 'main',
    image: 'registry.example/batch/worker:v1.24.3',
    args: ['--queue=default', '--verbose=2'],
    env,
    resources,
    ports: [{ containerPort: 8080 }],
  }
  const spec = { containers: [container], restartPolicy: 'Never', terminationGracePeriodSeconds: 0 }
  const metadata = { name: podName(pod), namespace: spaceOf(pod), labels }
  return JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata, spec })
}

function bindingOf(pod: number, node: number): string {
  const target = { apiVersion: 'v1', kind: 'Node', name: nodeName(node) }
  return JSON.stringify({ apiVersion: 'v1', kind: 'Binding', metadata: { name: podName(pod) }, target })
}

const phases = ['Pending', 'Running', 'Succeeded']
function statusPatch(pod: number, step: number): string {
  const now = new Date().toISOString().replace(/\.\d+/, '')
  const isReady = step === 1 ? 'True' : 'False'
  const condition = (type: string, status: string) => ({ type, status, lastTransitionTime: now })
  const conditions = [
    condition('Initialized', 'True'),
    condition('Ready', isReady),
    condition('ContainersReady', isReady),
    condition('PodScheduled', 'True'),
  ]
  const terminated = { exitCode: 0, reason: 'Completed', startedAt: now, finishedAt: now }
  const states = [{ waiting: { reason: 'ContainerCreating' } }, { running: { startedAt: now } }, { terminated }]
  const container = {
    name: 'main',
    image: 'registry.example/batch/worker:v1.24.3',
    imageID: 'registry.example/batch/worker@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
    ready: step === 1,
    restartCount: 0,
    state: states[step],
  }
  const ip = `10.${(pod >> 16) & 255}.${(pod >> 8) & 255}.${pod & 255}`
  const status = { phase: phases[step], conditions, containerStatuses: [container], podIP: ip, podIPs: [{ ip }] }
  return JSON.stringify({ status })
}

const reasons = ['Scheduled', 'Pulled', 'Created', 'Started']
function eventOf(pod: number, index: number): string {
  const now = new Date().toISOString().replace(/\.\d+/, '')
  const [name, namespace] = [podName(pod), spaceOf(pod)]
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${name}.${index}`, namespace },
    involvedObject: { apiVersion: 'v1', kind: 'Pod', name, namespace, fieldPath: 'spec.containers{main}' },
    reason: reasons[index % reasons.length],
    message: `${reasons[index % reasons.length]} container main of the image registry.example/batch/worker:v1.24.3`,
    source: { component: 'kubelet', host: nodeName(pod) },
    type: 'Normal',
    count: 1,
    firstTimestamp: now,
    lastTimestamp: now,
  })
}

/** The request of a step of a Pod; `repeat` counts the earlier requests of its kind. */
export function podRequest(step: PodStep, pod: number, repeat: number, nodes: number): RequestParts {
  const path = podPath(pod)
  switch (step) {
    case 'create':
      return ['POST', podsIn(spaceOf(pod)), podOf(pod)]
    case 'bind':
      return ['POST', `${path}/binding`, bindingOf(pod, pod % nodes)]
    case 'event':
      return ['POST', collectionPath(spaceOf(pod)).replace('configmaps', 'events'), eventOf(pod, repeat)]
    case 'get':
      return ['GET', path]
    case 'status':
      return ['PATCH', `${path}/status`, statusPatch(pod, repeat), 'application/strategic-merge-patch+json']
    case 'delete':
      return ['DELETE', `${path}?gracePeriodSeconds=0`]
  }
}

/** What nodes write most, as operations, and the creation of what they write. */
export const nodeOperations = {
  createLease: (_: LoadShape, n: number): RequestParts => ['POST', leases, leaseOf(n)],
  createPod: ({ objects }: LoadShape, n: number): RequestParts => podRequest('create', n, 0, objects),
  renew: ({ objects }: LoadShape, n: number, versions: readonly (string | undefined)[]): RequestParts => {
    const node = n % objects
    return ['PUT', `${leases}/${nodeName(node)}`, leaseOf(node, versions[node])]
  },
  // A Pod that starts and waits again, so that each patch changes something.
  status: ({ objects }: LoadShape, n: number): RequestParts =>
    podRequest('status', n % objects, Math.floor(n / objects) % 2, objects),
}
