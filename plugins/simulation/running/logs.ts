import { badRequest, defineStartTask, services } from 'orch/sdk'
import type { ResourceClient } from 'orch/sdk/client'
import { podCollection } from 'orch/sdk/controllers'
import { type PodLogQuery, podLogs } from 'orch/sdk/core'
import { isSimulated, nodeCollection, type SimulationNames } from '../names.js'
import type { SimulatedNode } from '../nodes/node-objects.js'
import type { Rule } from './behavior.js'
import type { StoredPod } from './container-facts.js'
import { fillIn, statusOf, untilEnded, valuesOf } from './container-facts.js'
import { behaviorOf, behaviorOrNone } from './find-behavior.js'

/** Serves the logs of Pods on simulated nodes: the lines of their rules, once a container has started. */
export const logTask = (names: SimulationNames, rules: readonly Rule[]) =>
  defineStartTask({
    name: 'logs of simulated Pods',
    needs: { logs: podLogs, client: services.client, clock: services.clock },
    run({ logs, client, clock }) {
      const nodes = client.resource<SimulatedNode>(nodeCollection)
      const pods = client.resource<StoredPod>(podCollection)
      const remove = logs.add({
        async read(pod, query, signal) {
          const node = await nodes.find(pod.spec.nodeName ?? '')
          if (!node || !isSimulated(node, names)) return undefined
          const text = logOf(pod, query, rules, names.behaviorAnnotation, clock.now())
          return query.follow && !query.previous ? followed(pods, pod, query, text, signal) : once(text)
        },
      })
      return async () => remove()
    },
  })

/** The log of a container: the lines of its rule, written when it started. Throws if it has not started. */
export function logOf(
  pod: StoredPod,
  query: PodLogQuery,
  rules: readonly Rule[],
  annotation: string,
  now: number,
): string {
  const { container, previous = false } = query
  const { name = '' } = pod.metadata
  const status = statusOf(pod, container)
  if (!status?.containerID) {
    const why = status?.state?.waiting?.reason ?? 'ContainerCreating'
    throw badRequest(`container "${container}" in pod "${name}" is waiting to start: ${why}`)
  }
  if (previous && status.restartCount === 0)
    throw badRequest(`previous terminated container "${container}" in pod "${name}" not found`)
  const { state, lastState, restartCount } = status
  const current = state?.running ?? state?.terminated ?? lastState?.terminated
  const startedAt = (previous ? lastState?.terminated : current)?.startedAt ?? ''
  const earliest =
    query.sinceSeconds === undefined ? Date.parse(query.sinceTime ?? '') : now - query.sinceSeconds * 1000
  if (earliest > Date.parse(startedAt) + 999) return ''
  const values = { ...valuesOf(pod, container), restart: String(previous ? restartCount - 1 : restartCount) }
  const isInit = pod.spec.initContainers?.some(one => one.name === container) ?? false
  const lines = (behaviorOf(behaviorOrNone(pod, rules, annotation), container, isInit).log ?? [])
    .map(line => fillIn(line, values))
    .map(line => (query.timestamps ? `${startedAt.replace('Z', '.000000000Z')} ${line}\n` : `${line}\n`))
  const text = (query.tailLines === undefined ? lines : lines.slice(lines.length - query.tailLines)).join('')
  return query.limitBytes === undefined ? text : Buffer.from(text).subarray(0, query.limitBytes).toString()
}

async function* once(text: string): AsyncIterable<string> {
  if (text !== '') yield text
}

/** There are no more lines, but the stream stays open until the container has ended. */
async function* followed(
  pods: ResourceClient<StoredPod>,
  pod: StoredPod,
  { container }: PodLogQuery,
  text: string,
  signal: AbortSignal,
): AsyncIterable<string> {
  yield* once(text)
  await untilEnded(pods, pod, container, signal)
}
