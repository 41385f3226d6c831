import { ApiError, type Clock, type Logger, timestampOf } from 'orch/sdk'
import { type ResourceClient, unlessLost } from 'orch/sdk/client'
import type { EventRecorder } from 'orch/sdk/controllers'
import { type DevicePlan, type Devices, noDevices } from '../devices/devices.js'
import type { SimulationNames } from '../names.js'
import type { StoredPod } from '../running/container-facts.js'
import { NodeChooser } from './choose-node.js'
import { ClaimWaits } from './claim-waits.js'
import { Cluster, type NodeState } from './cluster.js'
import type { PodFacts } from './pod-facts.js'
import { PodQueue } from './pod-queue.js'
import { findPreemption } from './preemption.js'
import { type ClaimLike, unboundClaims, type VolumeCaches, volumeNeedsOf } from './volume-needs.js'

/** Bindings, and selected nodes of claims, that are written concurrently. */
const maxConcurrentBindings = 24
/** The queue yields to the event loop after this time. */
const sliceMs = 10
/** How long to wait for a volume that is provisioned when its first Pod has a node. */
const volumeBindTimeoutMs = 60_000

export interface SchedulerOptions {
  readonly clock: Clock
  readonly logger: Logger
  readonly names: SimulationNames
  readonly pods: ResourceClient<StoredPod>
  readonly claims: ResourceClient<ClaimLike>
  readonly events: EventRecorder
  readonly volumes: VolumeCaches
  /** Undefined where no claims for devices are served. */
  readonly devices?: Devices | undefined
}

/** Assigns Pods to nodes one after the other, and binds them concurrently. */
export class Scheduler {
  readonly cluster = new Cluster()
  readonly #options: SchedulerOptions
  readonly #chooser: NodeChooser
  readonly #queue: PodQueue
  readonly #claimWaits: ClaimWaits
  readonly #waiting = new Map<string, PodFacts>()
  /** Pods that are assigned to a node, but whose binding is not in the cache yet. */
  readonly #assumed = new Set<string>()
  readonly #running = new Set<Promise<void>>()
  #bindings = 0
  #isOpen = false
  #isRunDue = false

  constructor(options: SchedulerOptions) {
    this.#options = options
    this.#chooser = new NodeChooser(this.cluster, options.names.nodeTaint('unschedulable'))
    this.#queue = new PodQueue(options.clock, () => this.#scheduleRun())
    this.#claimWaits = new ClaimWaits(options.volumes.claims, options.clock)
  }
  start(): void {
    this.#isOpen = true
    this.#scheduleRun()
  }
  async stop(): Promise<void> {
    this.#isOpen = false
    this.#queue.close()
    this.#claimWaits.close()
    await Promise.all(this.#running)
  }

  /** The Pod waits for a node. `isRelevant` is false if the change cannot make a Pod fit that did not. */
  enqueue(pod: PodFacts, isRelevant: boolean): void {
    if (this.#assumed.has(pod.key)) return
    this.#waiting.set(pod.key, pod)
    if (isRelevant || !this.#queue.isUnschedulable(pod.key)) this.#queue.add(pod.key, pod.priority)
  }
  /** The Pod is on a node. */
  assigned(pod: PodFacts, node: string): void {
    this.#forget(pod.key)
    this.#assumed.delete(pod.key)
    this.cluster.place(pod, node)
  }
  /** The Pod has finished, or was deleted. */
  removed(key: string): void {
    this.#forget(key)
    if (this.cluster.remove(key)) this.retry()
  }
  /** Something changed that may make Pods fit that did not. */
  retry(): void {
    this.#queue.retryUnschedulable()
  }

  #forget(key: string): void {
    const pod = this.#waiting.get(key)
    this.#waiting.delete(key)
    this.#queue.forget(key)
    const nominated = pod?.pod.status?.nominatedNodeName
    if (nominated) this.cluster.find(nominated)?.nominated.delete(key)
  }
  #scheduleRun(): void {
    if (this.#isRunDue || !this.#isOpen || this.#queue.isEmpty) return
    this.#isRunDue = true
    setImmediate(() => {
      this.#isRunDue = false
      this.#runQueue()
      this.#scheduleRun()
    })
  }
  #runQueue(): void {
    const until = performance.now() + sliceMs
    while (this.#isOpen && this.#bindings < maxConcurrentBindings && performance.now() < until) {
      const key = this.#queue.take()
      if (key === undefined) return
      const pod = this.#waiting.get(key)
      if (pod) this.#run(this.#place(pod))
    }
  }
  #run(work: Promise<void>): void {
    const guarded = work
      .catch(error => this.#options.logger.warn('a Pod could not be scheduled', { error }))
      .finally(() => {
        this.#running.delete(guarded)
        this.#scheduleRun()
      })
    this.#running.add(guarded)
  }

  /** There is no await between the choice of a node and the assignment, so that the next Pod sees the resources taken. */
  async #place(pod: PodFacts): Promise<void> {
    const { volumes, names, devices } = this.#options
    if (devices && (pod.pod.spec.resourceClaims ?? []).length > 0) {
      await devices.prepare(pod)
      if (this.#waiting.get(pod.key) !== pod) return this.#again(pod.key)
    }
    const deviceNeeds = devices?.needsOf(pod) ?? noDevices
    const choice = this.#chooser.choose(pod, volumeNeedsOf(pod, volumes, names), deviceNeeds)
    if ('node' in choice) return this.#assume(pod, choice.node, deviceNeeds.planOn(choice.node) ?? [])
    this.#queue.backOff(pod.key, pod.priority)
    const preemption = pod.pod.status?.nominatedNodeName ? undefined : findPreemption(choice.placement, choice.refusals)
    await this.#reportUnschedulable(pod, choice.message, preemption?.node)
    for (const victim of preemption?.victims ?? []) await this.#remove(victim, pod, preemption?.node.name ?? '')
  }

  /** The Pod has changed meanwhile: it is enqueued again, unless it is gone. */
  #again(key: string): void {
    const pod = this.#waiting.get(key)
    if (pod) this.#queue.add(key, pod.priority)
  }

  async #assume(pod: PodFacts, node: NodeState, plan: DevicePlan): Promise<void> {
    const { devices } = this.#options
    devices?.take(plan)
    this.#forget(pod.key)
    node.nominated.delete(pod.key)
    this.#assumed.add(pod.key)
    this.cluster.place(pod, node.name)
    try {
      if (pod.claims.length > 0) await this.#prepareVolumes(pod, node.name)
      if (devices && plan.length > 0) await this.#sending(() => devices.allocate(pod, plan))
      await this.#sending(() => this.#bind(pod, node.name))
    } catch (error) {
      devices?.release(plan)
      // Another client may have bound or deleted it: the caches will show that soon.
      this.#assumed.delete(pod.key)
      this.cluster.remove(pod.key)
      const isLost = error instanceof ApiError && (error.code === 404 || error.code === 409)
      if (isLost) return
      this.#waiting.set(pod.key, pod)
      this.#queue.backOff(pod.key, pod.priority)
      this.#queue.retryUnschedulable()
      throw error
    }
  }

  /** Counted before the first await, or one run of the queue would send all at once. */
  #sending<T>(write: () => Promise<T>): Promise<T> {
    this.#bindings++
    return write().finally(() => this.#bindings--)
  }

  async #bind({ pod }: PodFacts, node: string): Promise<void> {
    const { name = '', namespace = '', uid } = pod.metadata
    const binding = { metadata: { name, uid }, target: { kind: 'Node', name: node } }
    await this.#options.pods.in(namespace).createSubresource(name, 'binding', binding)
    const text = `Successfully assigned ${namespace}/${name} to ${node}`
    void this.#options.events.record(pod, 'Normal', 'Scheduled', text)
  }

  /** Has volumes that wait for their first consumer provisioned for this node. */
  async #prepareVolumes(pod: PodFacts, node: string): Promise<void> {
    const { claims, names, volumes } = this.#options
    for (const { metadata } of unboundClaims(pod, volumes, names)) {
      const { name = '', namespace = '' } = metadata
      const choice = { metadata: { annotations: { [names.selectedNode]: node } } }
      await this.#sending(() => claims.in(namespace).patch(name, choice))
      await this.#claimWaits.bound(namespace, name, volumeBindTimeoutMs)
    }
  }

  async #reportUnschedulable({ pod }: PodFacts, message: string, nominated: NodeState | undefined): Promise<void> {
    const { name = '', namespace = '', uid } = pod.metadata
    void this.#options.events.record(pod, 'Warning', 'FailedScheduling', message)
    const before = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled')
    if (before?.message === message && !nominated) return
    const since = before?.status === 'False' ? before.lastTransitionTime : undefined
    const condition = {
      type: 'PodScheduled',
      status: 'False',
      lastProbeTime: null,
      lastTransitionTime: since ?? timestampOf(this.#options.clock.now()),
      reason: 'Unschedulable',
      message,
    }
    const status = { conditions: [condition], ...(nominated ? { nominatedNodeName: nominated.name } : {}) }
    await unlessLost(
      this.#options.pods
        .in(namespace)
        .patch(name, { metadata: { uid }, status }, { type: 'strategic', subresource: 'status' }),
      'NotFound',
      'Conflict',
    )
  }

  async #remove(victim: PodFacts, pod: PodFacts, node: string): Promise<void> {
    const { name = '', namespace = '', uid } = victim.pod.metadata
    this.cluster.find(node)?.nominated.set(pod.key, pod)
    const { events, pods } = this.#options
    const preconditions = uid === undefined ? {} : { preconditions: { uid } }
    await unlessLost(pods.in(namespace).delete(name, preconditions), 'NotFound', 'Conflict')
    void events.record(victim.pod, 'Normal', 'Preempted', `Preempted by ${pod.key} on node ${node}`)
  }
}
