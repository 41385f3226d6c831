import { ownValue } from 'orch/sdk'
import type { Scale } from 'orch/sdk/core'
import type { MetricSpec, MetricStatus } from '../metric-structs.js'
import type { MetricsApis } from './metrics-apis.js'
import {
  averageRatio,
  type Proposal,
  replicasByAverage,
  replicasByPods,
  replicasByValue,
  requestsOf,
  type StoredPod,
  type Tolerances,
  utilizationRatio,
} from './replica-calculator.js'
import { milliOf, quantityOf } from './thousandths.js'

/** The target of an autoscaler, and the APIs that measure it. */
export interface Measuring {
  readonly apis: MetricsApis
  readonly namespace: string
  readonly scale: Scale
  readonly now: number
  readonly tolerances: Tolerances
  /** The Pods of the target. */
  pods(): Promise<readonly StoredPod[]>
}
/** The replica count for one metric. `name` is for messages. */
export interface Measured {
  readonly replicas: number
  readonly name: string
  readonly status: MetricStatus
}
type Target = NonNullable<MetricSpec['external']>['target']
type Source<K extends keyof MetricSpec> = NonNullable<MetricSpec[K]>

/** A metric could not be evaluated: reason and message for the condition. */
export class UnknownMetric extends Error {
  readonly reason: string
  constructor(reason: string, message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

/** How each type of metric is read, and how its failures are reported. */
const readers: Record<string, { title: string; read(metric: MetricSpec, measuring: Measuring): Promise<Measured> }> = {
  Resource: {
    title: 'resource metric',
    read: ({ resource }, measuring) => ofResource(resource as Source<'resource'>, measuring),
  },
  ContainerResource: {
    title: 'container metric',
    read: ({ containerResource }, measuring) =>
      ofContainer(containerResource as Source<'containerResource'>, measuring),
  },
  Pods: { title: 'pods metric', read: ({ pods }, measuring) => ofPods(pods as Source<'pods'>, measuring) },
  Object: { title: 'object metric', read: ({ object }, measuring) => ofObject(object as Source<'object'>, measuring) },
  External: {
    title: 'external metric',
    read: ({ external }, measuring) => ofExternal(external as Source<'external'>, measuring),
  },
}

/** Reads one metric. Throws UnknownMetric. */
export async function measureMetric(metric: MetricSpec, measuring: Measuring): Promise<Measured> {
  const reader = ownValue(readers, metric.type)
  if (!reader) throw new UnknownMetric('InvalidMetricSourceType', `unknown metric source type "${metric.type}"`)
  try {
    return await reader.read(metric, measuring)
  } catch (error) {
    const message = `failed to get ${reader.title} value: ${(error as Error).message}`
    throw new UnknownMetric(`FailedGet${metric.type}Metric`, message, error)
  }
}

async function ofResource({ name, target }: Source<'resource'>, measuring: Measuring): Promise<Measured> {
  const proposal = await byUsage(measuring, name, target)
  return {
    replicas: proposal.replicas,
    name: `${name} resource${utilizationTitle(proposal)}`,
    status: { type: 'Resource', resource: { name, current: usageStatus(proposal) } },
  }
}
async function ofContainer(
  { name, target, container }: Source<'containerResource'>,
  measuring: Measuring,
): Promise<Measured> {
  const proposal = await byUsage(measuring, name, target, container)
  return {
    replicas: proposal.replicas,
    name: `${name} container resource${utilizationTitle(proposal)}`,
    status: { type: 'ContainerResource', containerResource: { name, container, current: usageStatus(proposal) } },
  }
}
async function byUsage(
  { apis, namespace, scale, now, tolerances, pods }: Measuring,
  resource: string,
  { averageValue, averageUtilization }: Target,
  container?: string,
): Promise<Proposal> {
  if (averageValue === undefined && averageUtilization === undefined)
    throw new Error('invalid resource metric source: neither a utilization target nor a value target was set')
  try {
    const samples = await apis.usage(namespace, scale.status?.selector ?? '', resource, container).catch(error => {
      throw new Error(`unable to get metrics for resource ${resource}: ${error.message}`, { cause: error })
    })
    const all = await pods()
    const common = {
      pods: all,
      samples,
      current: scale.spec?.replicas ?? 0,
      isCpu: resource === 'cpu',
      now,
      tolerances,
    }
    if (averageValue !== undefined) {
      const target = milliOf(averageValue)
      return replicasByPods({ ...common, ratioOf: averageRatio(target), assumed: () => target })
    }
    const requestOf = ({ resources }: StoredPod['spec']['containers'][0]) => {
      const request = ownValue(resources?.requests, resource)
      return request === undefined ? undefined : milliOf(request)
    }
    const requests = requestsOf(all, requestOf, resource, container)
    const ratioOf = utilizationRatio(averageUtilization ?? 0, requests)
    return replicasByPods({ ...common, ratioOf, assumed: pod => requests.get(pod) ?? 0 })
  } catch (error) {
    throw new Error(`failed to get ${resource} utilization: ${(error as Error).message}`, { cause: error })
  }
}
const utilizationTitle = ({ utilization }: Proposal): string =>
  utilization === undefined ? '' : ' utilization (percentage of request)'
const usageStatus = ({ measured, utilization }: Proposal) => ({
  averageValue: quantityOf(measured),
  ...(utilization === undefined ? {} : { averageUtilization: utilization }),
})

async function ofPods({ metric, target }: Source<'pods'>, measuring: Measuring): Promise<Measured> {
  const { apis, namespace, scale, now, tolerances, pods } = measuring
  const samples = await apis.ofPods(namespace, scale.status?.selector ?? '', metric).catch(error => {
    throw new Error(`unable to get metric ${metric.name}: ${error.message}`, { cause: error })
  })
  const perPod = milliOf(target.averageValue ?? '0')
  const { replicas, measured } = replicasByPods({
    pods: await pods(),
    samples,
    current: scale.spec?.replicas ?? 0,
    isCpu: false,
    now,
    tolerances,
    ratioOf: averageRatio(perPod),
    assumed: () => perPod,
  })
  const status: MetricStatus = { type: 'Pods', pods: { metric, current: { averageValue: quantityOf(measured) } } }
  return { replicas, name: `pods metric ${metric.name}`, status }
}

async function ofObject(
  { describedObject, metric, target }: Source<'object'>,
  measuring: Measuring,
): Promise<Measured> {
  const { kind, name } = describedObject
  const measured = await measuring.apis.ofObject(measuring.namespace, describedObject, metric).catch(error => {
    const about = `${kind} ${measuring.namespace}/${name}`
    throw new Error(`unable to get metric ${metric.name}: ${error.message} on ${about}`, { cause: error })
  })
  const { replicas, current } = await byTotal(measured, target, measuring, 'object')
  const status: MetricStatus = { type: 'Object', object: { describedObject, metric, current } }
  return { replicas, name: `${kind} metric ${metric.name}`, status }
}

async function ofExternal({ metric, target }: Source<'external'>, measuring: Measuring): Promise<Measured> {
  const measured = await measuring.apis.external(measuring.namespace, metric).catch(error => {
    throw new Error(`unable to get external metric ${measuring.namespace}/${metric.name}: ${error.message}`, {
      cause: error,
    })
  })
  const { replicas, current } = await byTotal(measured, target, measuring, 'external')
  const status: MetricStatus = { type: 'External', external: { metric, current } }
  return { replicas, name: `external metric ${metric.name}`, status }
}

/** The replica count for a single number: `value` applies to the whole target, `averageValue` to each of its Pods. */
async function byTotal(
  measured: number,
  { value, averageValue }: Target,
  { scale, pods, tolerances }: Measuring,
  source: string,
): Promise<{ replicas: number; current: Current }> {
  if (value !== undefined) {
    const proposal = replicasByValue(measured, milliOf(value), scale.spec?.replicas ?? 0, await pods(), tolerances)
    return { replicas: proposal.replicas, current: { value: quantityOf(proposal.measured) } }
  }
  if (averageValue === undefined)
    throw new Error(`invalid ${source} metric source: neither a value target nor an average value target was set`)
  const proposal = replicasByAverage(measured, milliOf(averageValue), scale.status?.replicas ?? 0, tolerances)
  return { replicas: proposal.replicas, current: { averageValue: quantityOf(proposal.measured) } }
}
interface Current {
  value?: string
  averageValue?: string
}
