import {
  Bool,
  badRequest,
  type ConnectSubresource,
  defineService,
  type FieldError,
  field,
  forbiddenField,
  Int64,
  invalid,
  invalidValue,
  kept,
  type Static,
  Struct,
  Text,
  Time,
} from 'orch/sdk'
import {
  checkNotSpecialIp,
  type PodLogQuery,
  type PodLogSource,
  podLogs,
  proxyTo,
  splitProxyName,
  unreachableService,
} from 'orch/sdk/core'
import { isValidIp } from 'orch/sdk/validation'
import { checkContainer, nodeUnreachable, podOf } from './reach-node.js'

/**
 * The log of a Pod, which a plugin that runs Pods must provide, and requests to its address, which this server cannot
 * reach.
 */

const PodLogOptions = Struct(
  'core.v1.PodLogOptions',
  {
    container: field(1, Text(), 'The container. Not needed if there is only one.'),
    follow: field(2, Bool(), 'Whether to continue with new lines.'),
    previous: field(3, Bool(), 'Whether to return the log from before the last restart of the container.'),
    sinceSeconds: kept(4, Int64(), 'Only lines of this many last seconds.'),
    sinceTime: kept(5, Time(), 'Only lines since this time.'),
    timestamps: field(6, Bool(), 'Whether each line starts with its time.'),
    tailLines: kept(7, Int64(), 'Only this many last lines.'),
    limitBytes: kept(8, Int64(), 'The maximum number of bytes.'),
    insecureSkipTLSVerifyBackend: field(9, Bool(), 'Whether the certificate of the node is not verified.'),
  },
  { description: 'Which part of a log to return.' },
)
type PodLogOptions = Static<typeof PodLogOptions>

const logNeeds = { logs: podLogs }
export const log: ConnectSubresource<typeof logNeeds> = {
  needs: logNeeds,
  kind: 'connect',
  objectKind: 'Pod',
  schema: PodLogOptions,
  verbs: ['get'],
  reads: true,
  check(options: PodLogOptions, name: string) {
    const errors = logErrors(options)
    if (errors.length > 0) throw invalid({ group: '', kind: 'PodLogOptions' }, name, errors)
  },
  async connect(request, { logs }) {
    const pod = podOf(request)
    const options = request.options as PodLogOptions
    checkContainer(pod, options.container ?? '')
    // A Pod without a node has not logged anything yet.
    if (!pod.spec.nodeName) return
    const container = options.container || (pod.spec.containers[0]?.name ?? '')
    const body = await logs.read(pod, { ...options, container } as PodLogQuery, request.signal)
    if (!body) throw nodeUnreachable(pod.spec.nodeName)
    return { body }
  },
}

/** The log sources of this process. */
export const podLogService = defineService({
  token: podLogs,
  create() {
    const sources = new Set<PodLogSource>()
    return {
      add(source) {
        sources.add(source)
        return () => sources.delete(source)
      },
      async read(pod, query, signal) {
        for (const source of sources) {
          const log = await source.read(pod, query, signal)
          if (log) return log
        }
        return undefined
      },
    }
  },
})

function logErrors({ tailLines, limitBytes, sinceSeconds, sinceTime }: PodLogOptions): FieldError[] {
  const errors: FieldError[] = []
  const atLeast = (field: string, value: number | undefined, min: number, rule: string) => {
    if (value !== undefined && value < min) errors.push(invalidValue(field, value, rule))
  }
  atLeast('tailLines', tailLines, 0, 'must be greater than or equal to 0')
  atLeast('limitBytes', limitBytes, 1, 'must be greater than 0')
  if (sinceSeconds !== undefined && sinceTime !== undefined)
    errors.push(forbiddenField('', 'at most one of `sinceTime` or `sinceSeconds` may be specified'))
  else atLeast('sinceSeconds', sinceSeconds, 1, 'must be greater than 0')
  return errors
}

/** An address in a status must not refer to this machine or its network. */
const isAllowed = (ip: string) => isValidIp(ip).length === 0 && checkNotSpecialIp(ip, '').length === 0

export const proxy: ConnectSubresource = {
  ...proxyTo('Pod'),
  connect(request) {
    const { spec, status } = podOf(request)
    const ip = status?.podIPs?.find(each => each.ip)?.ip ?? ''
    if (!isAllowed(ip)) throw badRequest('address not allowed')
    const { port } = splitProxyName('pod', request.name)
    const first = spec.containers.flatMap(({ ports = [] }) => ports.map(each => String(each.containerPort)))[0]
    const at = port || first
    throw unreachableService(`pod ${JSON.stringify(podOf(request).metadata.name)} at ${ip}${at ? ` port ${at}` : ''}`)
  },
}
