import { ApiError, type ApiObject } from 'orch/sdk'
import { isObjectNotFound, type ResourceClient } from 'orch/sdk/client'
import { isPodFinished } from 'orch/sdk/controllers'
import { dryRunFlag, dryRunNote, dryRunOf, labelSelectorFlag } from '../../arguments/shared-flags.js'
import type { Call, Command } from '../../command.js'
import { followObject } from '../../objects/follow-object.js'
import { forEach } from '../../objects/for-each.js'
import type { Selected } from '../../objects/select-objects.js'
import { withProgress } from '../../output/progress.js'
import { UsageError } from '../../usage-error.js'
import { markNode, selectNodes } from './cordon.js'

interface Pod extends ApiObject {
  spec?: { nodeName?: string; volumes?: readonly { readonly name: string; readonly emptyDir?: object }[] }
  status?: { phase?: string }
}

/** Delay before an eviction that a disruption budget rejects is retried. */
const retryMs = 5_000

export const drain: Command = {
  name: 'drain',
  summary: 'Close a node for new Pods and evict those that run there, as disruption budgets allow.',
  usage: '(NODE... | -l SELECTOR) [flags]',
  examples: [
    ['Before maintenance', 'drain node-1 --ignore-daemonsets'],
    ['Also Pods without a controller, and temporary files of Pods', 'drain node-1 --force --delete-emptydir-data'],
    ['Without changing anything', 'drain node-1 --dry-run=server'],
  ],
  flags: [
    { name: 'force', kind: 'switch', description: 'also evict Pods without a controller, which nothing recreates' },
    { name: 'ignore-daemonsets', kind: 'switch', description: 'do not evict Pods of daemon sets' },
    {
      name: 'delete-emptydir-data',
      kind: 'switch',
      description: 'also evict Pods with emptyDir volumes, whose data is lost',
    },
    { name: 'disable-eviction', kind: 'switch', description: 'delete Pods instead, which bypasses disruption budgets' },
    {
      name: 'grace-period',
      kind: 'text',
      value: 'SECONDS',
      description: 'grace period of the Pods; their own by default',
    },
    { name: 'timeout', kind: 'text', value: 'TIME', description: 'how long to try: 5m; forever by default' },
    { name: 'pod-selector', kind: 'text', value: 'SELECTOR', description: 'only Pods with these labels' },
    {
      name: 'skip-wait-for-delete-timeout',
      kind: 'text',
      value: 'SECONDS',
      description: 'do not wait for Pods whose deletion began longer ago than this',
    },
    { name: 'chunk-size', kind: 'text', value: 'N', description: 'Pods per request (500)' },
    labelSelectorFlag,
    dryRunFlag,
  ],
  completes: 'nodes',
  async run(call) {
    const { flags, terminal } = call
    const timeoutMs = flags.durationMs('timeout') ?? 0
    const endsAt = timeoutMs > 0 ? Date.now() + timeoutMs : Number.POSITIVE_INFINITY
    return forEach(await selectNodes(call), terminal, async one => {
      await markNode(call, one, true)
      await drainNode(call, one, endsAt)
      terminal.write(`${one.label} drained${dryRunNote(flags)}\n`)
    })
  },
}

async function drainNode(call: Call, { name }: Selected, endsAt: number): Promise<void> {
  const { flags, terminal } = call
  const session = await call.session()
  const all = session.client.resource<Pod>({ group: '', version: 'v1', resource: 'pods' })
  const found: Pod[] = []
  const limit = flags.number('chunk-size') ?? 500
  const labelSelector = flags.text('pod-selector')
  for await (const pod of all.each({ fieldSelector: `spec.nodeName=${name}`, labelSelector, limit })) found.push(pod)
  const mirror = (await session.vendor()).qualify('config.mirror')
  const pods = chosenPods(call, found, mirror)
  const dryRun = dryRunOf(flags)
  let gone = 0
  const describe = () => `waiting for ${pods.length - gone} of ${pods.length} Pods of ${name} to be gone`
  await withProgress(terminal, describe, async () => {
    // Concurrently, because each eviction may wait for its budget and its Pod's termination.
    await Promise.all(
      pods.map(async pod => {
        const label = `${pod.metadata.namespace}/${pod.metadata.name}`
        terminal.overwrite?.('')
        terminal.log(`${flags.is('disable-eviction') ? 'deleting' : 'evicting'} pod ${label}${dryRunNote(flags)}`)
        if (dryRun === 'client') return
        await removePod(call, all.in(pod.metadata.namespace ?? ''), pod, endsAt)
        gone++
        if (dryRun !== 'none') return
        terminal.overwrite?.('')
        terminal.write(`pod/${pod.metadata.name} ${flags.is('disable-eviction') ? 'deleted' : 'evicted'}\n`)
      }),
    )
  })
}

/** The Pods to remove. Throws for those that need a flag, and names them. */
function chosenPods({ flags, terminal }: Call, found: readonly Pod[], mirrorAnnotation: string): Pod[] {
  const controllerOf = ({ metadata }: Pod) => metadata.ownerReferences?.find(({ controller }) => controller)
  const isDaemon = (pod: Pod) => controllerOf(pod)?.kind === 'DaemonSet' && !isPodFinished(pod)
  const isOfNode = ({ metadata }: Pod) => metadata.annotations?.[mirrorAnnotation] !== undefined
  const skipMs = (flags.number('skip-wait-for-delete-timeout') ?? 0) * 1000
  const isLeftAlone = ({ metadata }: Pod) =>
    skipMs > 0 &&
    metadata.deletionTimestamp !== undefined &&
    Date.now() - Date.parse(metadata.deletionTimestamp) > skipMs
  const others = found.filter(pod => !isOfNode(pod) && !isLeftAlone(pod))
  const daemons = others.filter(isDaemon)
  const rest = others.filter(pod => !isDaemon(pod))
  const list = (pods: readonly Pod[]) => pods.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`).join(', ')
  const problems: string[] = []
  if (daemons.length > 0 && !flags.is('ignore-daemonsets'))
    problems.push(`cannot delete DaemonSet-managed Pods (use --ignore-daemonsets to ignore): ${list(daemons)}`)
  const temporary = rest.filter(
    pod => !isPodFinished(pod) && pod.spec?.volumes?.some(({ emptyDir }) => emptyDir !== undefined),
  )
  if (temporary.length > 0 && !flags.is('delete-emptydir-data'))
    problems.push(`cannot delete Pods with local storage (use --delete-emptydir-data to override): ${list(temporary)}`)
  const unowned = rest.filter(pod => !isPodFinished(pod) && controllerOf(pod) === undefined)
  if (unowned.length > 0 && !flags.is('force'))
    problems.push(`cannot delete Pods that declare no controller (use --force to override): ${list(unowned)}`)
  if (problems.length > 0) throw new UsageError(problems.join('; '))
  if (daemons.length > 0) terminal.log(`Warning: ignoring DaemonSet-managed Pods: ${list(daemons)}`)
  return rest
}

async function removePod(
  { flags, terminal }: Call,
  pods: ResourceClient<Pod>,
  pod: Pod,
  endsAt: number,
): Promise<void> {
  const { name = '', namespace = '', uid } = pod.metadata
  const grace = flags.number('grace-period')
  const dryRun = dryRunOf(flags) === 'server'
  const deleteOptions = grace === undefined ? {} : { gracePeriodSeconds: grace }
  for (;;) {
    try {
      if (flags.is('disable-eviction')) await pods.delete(name, { ...deleteOptions, dryRun })
      else
        await pods.createSubresource(
          name,
          'eviction',
          { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace }, deleteOptions },
          { dryRun },
        )
      break
    } catch (error) {
      if (isObjectNotFound(error)) return
      if (!(error instanceof ApiError) || error.code !== 429) throw error
      if (Date.now() + retryMs > endsAt)
        throw new Error(`timed out evicting pod ${namespace}/${name}: ${error.message}`)
      terminal.overwrite?.('')
      terminal.log(`error when evicting pod ${namespace}/${name} (will retry after 5s): ${error.message}`)
      await new Promise(resolve => setTimeout(resolve, retryMs))
      if (terminal.signal.aborted) return
    }
  }
  if (dryRun) return
  const isGone = (object: Pod | undefined) => object === undefined || object.metadata.uid !== uid
  const end = await followObject(pods as ResourceClient<ApiObject>, name, object => isGone(object as Pod | undefined), {
    endsAt,
    signal: terminal.signal,
  })
  if (end === 'timeout') throw new Error(`timed out waiting for pod ${namespace}/${name} to be gone`)
}
