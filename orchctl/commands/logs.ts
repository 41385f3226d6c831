import { StringDecoder } from 'node:string_decoder'
import type { ApiObject } from 'orch/sdk'
import { labelSelectorFlag } from '../arguments/shared-flags.js'
import type { Call, Command } from '../command.js'
import { podRunningTimeoutFlag, podsOfTarget } from '../objects/find-pods.js'
import { podSpecOf } from '../objects/pod-template.js'
import { kindNamed } from '../objects/targets.js'
import type { Session } from '../session/session.js'
import { UsageError } from '../usage-error.js'

/** A selector may match many Pods, so only the last lines of each are shown by default. */
const tailOfSelected = 10
/** How many logs may be followed at once by default. */
const defaultLogRequests = 5

export const logs: Command = {
  name: 'logs',
  summary: 'Show the logs of a container.',
  usage: '(POD | TYPE/NAME | -l SELECTOR) [-c CONTAINER] [flags]',
  examples: [
    ['Of a Pod with one container', 'logs web-1'],
    ['The last lines, then new ones', 'logs -f --tail=20 web-1 -c nginx'],
    ['Of the first Pod of a deployment, in the last hour', 'logs deployment/web --since=1h'],
    ['Of the container before it was restarted', 'logs --previous web-1'],
  ],
  flags: [
    {
      name: 'container',
      short: 'c',
      kind: 'text',
      value: 'NAME',
      description: 'the container; the first one by default',
    },
    { name: 'all-containers', kind: 'switch', description: 'of all containers of the Pod' },
    { name: 'follow', short: 'f', kind: 'switch', description: 'keep printing new lines' },
    { name: 'previous', short: 'p', kind: 'switch', description: 'of the container that ran before this one' },
    { name: 'tail', kind: 'text', value: 'N', description: 'number of last lines (all; 10 with -l)' },
    { name: 'since', kind: 'text', value: 'TIME', description: 'only what is newer: 30s, 2h' },
    {
      name: 'since-time',
      kind: 'text',
      value: 'DATE',
      description: 'only what was written after: 2030-01-01T00:00:00Z',
    },
    { name: 'timestamps', kind: 'switch', description: 'when each line was written' },
    { name: 'limit-bytes', kind: 'text', value: 'N', description: 'maximum number of bytes' },
    { name: 'prefix', kind: 'switch', description: 'prefix each line with the names of Pod and container' },
    { name: 'all-pods', kind: 'switch', description: 'of all Pods of a workload, each line with their names' },
    { name: 'ignore-errors', kind: 'switch', description: 'with several containers: continue if the log of one fails' },
    {
      name: 'max-log-requests',
      kind: 'text',
      value: 'N',
      description: 'with -f: how many logs may be followed at once (5)',
    },
    {
      name: 'insecure-skip-tls-verify-backend',
      kind: 'switch',
      description: 'do not let the server verify the certificate of the node',
    },
    podRunningTimeoutFlag,
    labelSelectorFlag,
  ],
  async run(call) {
    const { flags, terminal } = call
    if (flags.has('since') && flags.has('since-time')) throw new UsageError('give --since or --since-time, not both')
    const session = await call.session()
    const pods = await podsOf(call, session)
    const sources = pods.flatMap(pod => containersOf(call, pod).map(container => ({ pod, container })))
    const most = flags.number('max-log-requests') ?? defaultLogRequests
    if (flags.is('follow') && sources.length > most)
      throw new UsageError(`${sources.length} logs cannot be followed with --max-log-requests=${most}`)
    const show = async ({ pod, container }: (typeof sources)[number]) => {
      const before = flags.is('prefix', flags.is('all-pods')) ? `[pod/${pod.metadata.name}/${container}] ` : ''
      const path = `/api/v1/namespaces/${pod.metadata.namespace}/pods/${pod.metadata.name}/log?${queryOf(call, container)}`
      let rest = ''
      // A character may be split between two chunks.
      const decoder = new StringDecoder('utf8')
      for await (const chunk of session.stream(path, terminal.signal)) {
        const text = decoder.write(chunk)
        if (before === '') {
          terminal.write(text)
          continue
        }
        const lines = (rest + text).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) terminal.write(`${before}${line}\n`)
      }
      if (rest !== '') terminal.write(`${before}${rest}\n`)
    }
    const showOrReport = async (source: (typeof sources)[number]) => {
      try {
        await show(source)
      } catch (error) {
        if (!flags.is('ignore-errors')) throw error
        terminal.log(`error: ${(error as Error).message}`)
      }
    }
    if (flags.is('follow')) await Promise.all(sources.map(showOrReport))
    else for (const source of sources) await showOrReport(source)
  },
}

function queryOf({ flags }: Call, container: string): URLSearchParams {
  const sinceMs = flags.durationMs('since')
  const tail = flags.text('tail') === '-1' ? undefined : flags.number('tail')
  const lines = tail ?? (flags.has('selector') && !flags.has('tail') ? tailOfSelected : undefined)
  const wanted = {
    container,
    follow: flags.is('follow') || undefined,
    previous: flags.is('previous') || undefined,
    timestamps: flags.is('timestamps') || undefined,
    tailLines: lines,
    sinceSeconds: sinceMs === undefined ? undefined : Math.max(1, Math.ceil(sinceMs / 1000)),
    sinceTime: flags.text('since-time'),
    limitBytes: flags.number('limit-bytes'),
    insecureSkipTLSVerifyBackend: flags.is('insecure-skip-tls-verify-backend') || undefined,
  }
  const defined = Object.entries(wanted).filter(([, value]) => value !== undefined)
  return new URLSearchParams(Object.fromEntries(defined.map(([key, value]) => [key, String(value)])))
}

/** The containers to show. Prints which one was chosen by default. */
function containersOf({ flags, terminal }: Call, pod: ApiObject): string[] {
  const { containers = [], initContainers = [] } = podSpecOf(pod) ?? {}
  const all = [...initContainers, ...containers].map(({ name }) => name)
  const wanted = flags.text('container')
  if (flags.is('all-containers')) return all
  if (wanted !== undefined) {
    if (all.includes(wanted)) return [wanted]
    throw new Error(`container ${wanted} is not valid for pod ${pod.metadata.name}; it has ${all.join(', ')}`)
  }
  const [first] = containers
  if (first === undefined) return []
  if (all.length > 1)
    terminal.log(`Defaulted container "${first.name}" out of: ${containers.map(({ name }) => name).join(', ')}`)
  return [first.name]
}

/** The named Pod, the Pods that the selector matches, or the first Pod of the named workload. */
async function podsOf({ flags, args, terminal }: Call, session: Session): Promise<ApiObject[]> {
  const kinds = await session.kinds()
  const pods = session.collection<ApiObject>(kindNamed('pods', kinds), session.namespace)
  const labelSelector = flags.text('selector')
  if (labelSelector !== undefined) {
    if (args.length > 0) throw new UsageError('name a Pod or select Pods with -l, not both')
    const { items } = await pods.list({ labelSelector })
    if (items.length === 0) terminal.log(`No resources found in ${session.namespace} namespace.`)
    return items
  }
  const [word, ...more] = args
  const container = more.length === 1 && !word?.includes('/') ? more[0] : undefined
  if (word === undefined || (more.length > 0 && container === undefined))
    throw new UsageError('name one Pod, or TYPE/NAME: orchctl logs deployment/web')
  if (container !== undefined) throw new UsageError(`name the container with -c: orchctl logs ${word} -c ${container}`)
  const found = await podsOfTarget(session, word)
  if (flags.is('all-pods')) return found
  const [first] = found
  if (first === undefined) return []
  if (found.length > 1) terminal.log(`Found ${found.length} pods, using pod/${first.metadata.name}`)
  return [first]
}
