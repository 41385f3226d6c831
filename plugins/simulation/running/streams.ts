import { badRequest, defineStartTask, services } from 'orch/sdk'
import type { ResourceClient } from 'orch/sdk/client'
import { podCollection } from 'orch/sdk/controllers'
import { type PodAttachQuery, type PodProcess, type PodProcessEnds, podStreams } from 'orch/sdk/core'
import { isSimulated, nodeCollection, type SimulationNames } from '../names.js'
import type { SimulatedNode } from '../nodes/node-objects.js'
import { type CommandWorld, copy, killedExitCode, write } from '../processes/command.js'
import { FileTrees } from '../processes/file-tree.js'
import { Pace } from '../processes/pace.js'
import { ruleFor, runScripted } from '../processes/scripted-process.js'
import { runProcess } from '../processes/shell.js'
import { terminal } from '../processes/terminal.js'
import type { Behavior, ContainerBehavior, Rule } from './behavior.js'
import type { StoredPod } from './container-facts.js'
import { statusOf, untilEnded, valuesOf } from './container-facts.js'
import { behaviorOf, behaviorOrNone } from './find-behavior.js'
import { answerPort } from './ports.js'

/** Serves exec, attach and port-forward for Pods on simulated nodes: by their rules, or as a small container would. */
export const streamTask = (names: SimulationNames, rules: readonly Rule[]) =>
  defineStartTask({
    name: 'streams of simulated Pods',
    needs: { streams: podStreams, client: services.client },
    run({ streams, client }) {
      const nodes = client.resource<SimulatedNode>(nodeCollection)
      const pods = client.resource<StoredPod>(podCollection)
      const trees = new FileTrees()
      const stopped = new AbortController()
      const isMine = async ({ spec }: StoredPod) => {
        const node = await nodes.find(spec.nodeName ?? '')
        return node !== undefined && isSimulated(node, names)
      }
      const behaviorFor = (pod: StoredPod): Behavior => behaviorOrNone(pod, rules, names.behaviorAnnotation)
      const containerOf = (pod: StoredPod, container: string): ContainerBehavior => {
        const isInit = pod.spec.initContainers?.some(({ name }) => name === container) ?? false
        return behaviorOf(behaviorFor(pod), container, isInit)
      }
      const process = (
        pod: StoredPod,
        query: PodAttachQuery,
        run: (world: CommandWorld) => Promise<number>,
      ): PodProcess => {
        checkRunning(pod, query.container)
        return (ends, gone) =>
          whileRunning(pods, pod, query.container, [gone, stopped.signal], signal =>
            run(worldOf(trees, pod, query, ends, signal)),
          )
      }
      const remove = streams.add({
        async exec(pod, query) {
          if (!(await isMine(pod))) return undefined
          const rule = ruleFor(query.command, containerOf(pod, query.container).exec)
          return process(pod, query, world =>
            rule ? runScripted(rule, world, valuesOf(pod, query.container)) : runProcess(query.command, world),
          )
        },
        async attach(pod, query) {
          if (!(await isMine(pod))) return undefined
          return process(pod, query, world => attached(pod, query, world))
        },
        async forward(pod) {
          if (!(await isMine(pod))) return undefined
          if (pod.status?.phase !== 'Running')
            throw badRequest(
              `unable to forward port because pod is not running. Current status=${pod.status?.phase ?? 'Pending'}`,
            )
          const { ports } = behaviorFor(pod)
          return async (port, connection, gone) => {
            await whileRunning(pods, pod, undefined, [gone, stopped.signal], async signal => {
              signal.addEventListener('abort', () => connection.destroy(), { once: true })
              await answerPort(port, connection, ports, valuesOf(pod, pod.spec.containers[0]?.name ?? ''))
              return 0
            })
          }
        },
      })
      return async () => {
        remove()
        stopped.abort()
      }
    },
  })

function checkRunning(pod: StoredPod, container: string): void {
  if (statusOf(pod, container)?.state?.running) return
  throw badRequest(`container "${container}" in pod "${pod.metadata.name}" is not running`)
}

/** Runs a process that ends with its container, its Pod, its client and the server. */
async function whileRunning(
  pods: ResourceClient<StoredPod>,
  pod: StoredPod,
  container: string | undefined,
  reasons: readonly AbortSignal[],
  run: (signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const over = new AbortController()
  const end = () => over.abort()
  for (const reason of reasons) {
    if (reason.aborted) end()
    reason.addEventListener('abort', end)
  }
  try {
    const ended = untilEnded(pods, pod, container, over.signal).catch(() => {})
    const aborted = new Promise<void>(resolve => over.signal.addEventListener('abort', () => resolve()))
    const cut = Promise.race([ended, aborted]).then(() => killedExitCode)
    return await Promise.race([run(over.signal), cut])
  } finally {
    for (const reason of reasons) reason.removeEventListener('abort', end)
    end()
  }
}

function worldOf(
  trees: FileTrees,
  pod: StoredPod,
  { container, tty }: PodAttachQuery,
  ends: PodProcessEnds,
  signal: AbortSignal,
): CommandWorld {
  const { name = '', namespace = '', uid = '' } = pod.metadata
  const declared = pod.spec.containers.find(one => one.name === container)?.env ?? []
  const environment = {
    PATH: '/bin',
    HOSTNAME: name,
    ...Object.fromEntries(declared.map(({ name: variable, value = '' }) => [variable, value])),
  }
  const containerId = statusOf(pod, container)?.containerID ?? `${uid}/${container}`
  const initialFiles = () => ({
    '/etc/hostname': `${name}\n`,
    '/SIMULATED': `There is no machine behind this container: ${container} of the Pod ${namespace}/${name} is simulated.\n`,
  })
  const files = trees.use(containerId, initialFiles, signal)
  const shared = { files, environment, pace: new Pace(signal), signal }
  return tty
    ? { ...shared, ...terminal(ends.input, ends.output), error: ends.error }
    : { ...shared, input: ends.input, output: ends.output, error: ends.error }
}

/** With stdin the container echoes it; without, there is no output after the log. */
async function attached(pod: StoredPod, { container, stdin }: PodAttachQuery, world: CommandWorld): Promise<number> {
  const { error, input, output, signal } = world
  await write(error, `# container ${container} of the Pod ${pod.metadata.name} is simulated\n`)
  if (stdin) {
    await copy(input, output)
    return 0
  }
  await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))
  return killedExitCode
}
