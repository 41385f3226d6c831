import type { SeededRandom } from '../fuzz/seeded-random.js'
import type { Target } from '../fuzz/served-api.js'
import type { JsonObject } from '../golden/json-paths.js'

export type Parameters = [name: string, value: string][]
/** Variables stay readable: they are replaced when the request is sent. */
const encoded = (value: string) => encodeURIComponent(value).replaceAll(/%7B%7B(\w+)%7D%7D/g, '{{$1}}')
export const encodedQuery = (parameters: Parameters): string =>
  parameters.length === 0 ? '' : `?${parameters.map(([name, value]) => `${name}=${encoded(value)}`).join('&')}`

/** Parameters of writes. An apply requires a field manager, so it nearly always has one. */
export function randomWriting(random: SeededRandom, isDryRun: boolean, isApply = false): string {
  const parameters: Parameters = []
  if (isDryRun || random.fraction() < 0.1) parameters.push(['dryRun', 'All'])
  else if (random.fraction() < 0.005) parameters.push(['dryRun', random.pick(['Some', 'all'])])
  if (random.fraction() < (isApply ? 0.97 : 0.4))
    parameters.push([
      'fieldManager',
      random.fraction() < 0.95 ? random.pick(['one', 'two']) : random.pick(['', 'é', 'm'.repeat(129)]),
    ])
  if (random.fraction() < 0.35)
    parameters.push(['fieldValidation', random.fraction() < 0.97 ? random.pick(['Strict', 'Warn', 'Ignore']) : 'Odd'])
  if (random.fraction() < (isApply ? 0.4 : 0.02)) parameters.push(['force', random.fraction() < 0.9 ? 'true' : 'false'])
  return encodedQuery(parameters)
}

const labelSelectors = [
  'run={{run}}',
  'run!=a',
  'run',
  '!run',
  'run in ({{run}},a)',
  'run notin (a)',
  'run=={{run}},app',
  'a=b=c',
  'run in (',
  ',',
  'run>1',
  'é=a',
]
const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  pods: [
    'spec.nodeName=',
    'status.phase=Pending',
    'spec.restartPolicy=Always',
    'spec.serviceAccountName=default',
    'spec.hostNetwork=false',
  ],
  secrets: ['type=Opaque', 'type!=Opaque'],
  events: ['reason=a', 'involvedObject.name=a', 'type=Normal'],
  nodes: ['spec.unschedulable=false'],
  jobs: ['status.successful=0'],
  replicasets: ['status.replicas=0'],
  replicationcontrollers: ['status.replicas=0'],
  certificatesigningrequests: ['spec.signerName=a'],
  namespaces: ['status.phase=Active'],
  services: ['spec.type=ClusterIP', 'spec.clusterIP=None'],
}

/** Selectors of a list. Of types without namespaces only the objects of the conversation are asked for. */
export function randomSelectors(
  random: SeededRandom,
  { namespaced, resource }: Target,
  names: readonly string[],
): Parameters {
  const parameters: Parameters = []
  if (!namespaced) parameters.push(['labelSelector', 'run={{run}}'])
  else if (random.fraction() < 0.35) parameters.push(['labelSelector', random.pick(labelSelectors)])
  if (random.fraction() < 0.25) {
    const common = [
      `metadata.name=${names[0]}`,
      `metadata.name!=${names[0]}`,
      'metadata.namespace={{ns}}',
      'spec.odd=a',
      '=',
      'metadata.name',
    ]
    parameters.push(['fieldSelector', random.pick([...common, ...(fieldsOf[resource] ?? [])])])
  }
  return parameters
}

/** Options of a deletion, in the query and in the body. */
export function randomDeletion(
  random: SeededRandom,
  isDryRun: boolean,
  selectors: Parameters = [],
): { query: string; body?: JsonObject } {
  const parameters: Parameters = [...selectors]
  if (isDryRun || random.fraction() < 0.2) parameters.push(['dryRun', 'All'])
  if (random.fraction() < 0.15) parameters.push(['gracePeriodSeconds', random.pick(['0', '1', '-1', 'x'])])
  if (random.fraction() < 0.1) parameters.push(['propagationPolicy', random.pick(['Background', 'Background', 'Odd'])])
  const query = encodedQuery(parameters)
  if (random.fraction() < 0.75) return { query }
  const options: JsonObject = { apiVersion: 'v1', kind: 'DeleteOptions' }
  if (isDryRun) options['dryRun'] = ['All']
  Object.assign(
    options,
    random.pick<object>([
      {},
      { gracePeriodSeconds: 0 },
      { preconditions: { uid: '{{uid}}' } },
      { preconditions: { uid: 'a' } },
      { preconditions: { resourceVersion: '{{rv}}' } },
      { preconditions: { resourceVersion: '1' } },
      { propagationPolicy: 'Odd' },
      { orphanDependents: false, propagationPolicy: 'Background' },
      { kind: 'Odd' },
      { unknownField: 1 },
    ]),
  )
  return { query, body: options }
}

const meta = 'g=meta.k8s.io;v=v1'
/** The media type of the response. */
export function randomAccept(random: SeededRandom, isList: boolean): Readonly<Record<string, string>> {
  const dice = random.fraction()
  const as = (Accept: string) => ({ Accept })
  if (dice < 0.62) return {}
  if (dice < 0.76) return as(`application/json;as=Table;${meta}`)
  if (dice < 0.84) return as(`application/json;as=PartialObjectMetadata${isList ? 'List' : ''};${meta}`)
  if (dice < 0.93) return as('application/vnd.kubernetes.protobuf')
  if (dice < 0.96) return as('application/yaml')
  return as(
    random.pick([
      '*/*',
      'text/plain',
      'application/json;as=Table;v=v1beta1;g=meta.k8s.io',
      'application/json;as=Odd;v=v1;g=meta.k8s.io',
      `application/json;as=Table;${meta},application/json`,
      'application/vnd.kubernetes.protobuf,application/json',
      `application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;${meta}`,
      `application/json;as=PartialObjectMetadata${isList ? '' : 'List'};${meta}`,
    ]),
  )
}
