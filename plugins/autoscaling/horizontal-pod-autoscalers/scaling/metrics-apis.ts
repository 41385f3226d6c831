import { ApiError, type ApiObject, isDuration, ownValue, parseDuration, type Vendor } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import { selectorText } from 'orch/sdk/core'
import type { MetricSpec } from '../metric-structs.js'
import { milliOf } from './thousandths.js'

/** A measurement of a Pod. */
export interface Sample {
  /** In thousandths. */
  readonly value: number
  /** End and length of the measurement, in ms, if the API reports them. */
  readonly at?: number
  readonly windowMs?: number
}
/** By the name of the Pod. */
export type Samples = Map<string, Sample>
type Identifier = NonNullable<MetricSpec['pods']>['metric']
type Reference = NonNullable<MetricSpec['object']>['describedObject']

interface PodMetrics extends ApiObject {
  timestamp?: string
  window?: string
  containers?: { name: string; usage: Record<string, string> }[]
}
interface MetricValue {
  describedObject?: { name?: string }
  timestamp?: string
  windowSeconds?: number
  value: string
}
interface Listed<T> {
  items?: T[]
}

/** Supported versions of the API for custom metrics. */
const customVersions = ['v1beta2', 'v1beta1']

/** Reads the three metrics APIs, which are usually served by an extension server. */
export class MetricsApis {
  readonly #client: Client
  readonly #vendor: Vendor
  constructor(client: Client, vendor: Vendor) {
    this.#client = client
    this.#vendor = vendor
  }

  /** How much of a resource Pods use, or one of their containers. Pods without a complete measurement are omitted. */
  async usage(namespace: string, labelSelector: string, resource: string, container?: string): Promise<Samples> {
    const path = `/apis/${this.#vendor.group('metrics')}/v1beta1/namespaces/${namespace}/pods`
    const items = await this.#list<PodMetrics>('resource', path, { labelSelector })
    const samples: Samples = new Map()
    for (const { metadata, timestamp, window, containers = [] } of items) {
      const { name = '' } = metadata
      const measured = container === undefined ? containers : containers.filter(one => one.name === container)
      if (container !== undefined && measured.length === 0)
        throw new Error(`container ${container} not present in metrics for pod ${namespace}/${name}`)
      const amounts = measured.map(({ usage }) => ownValue(usage, resource))
      if (amounts.includes(undefined)) continue
      const value = amounts.reduce((sum, amount) => sum + milliOf(amount ?? '0'), 0)
      samples.set(name, {
        value,
        ...(timestamp ? { at: Date.parse(timestamp) } : {}),
        ...(window && isDuration(window) ? { windowMs: parseDuration(window) } : {}),
      })
    }
    return samples
  }

  /** A metric of every Pod that matches a selector. */
  async ofPods(namespace: string, labelSelector: string, metric: Identifier): Promise<Samples> {
    const items = await this.#custom(`namespaces/${namespace}/pods/*/${encodeURIComponent(metric.name)}`, metric, {
      labelSelector,
    })
    return new Map(items.map(item => [item.describedObject?.name ?? '', { value: milliOf(item.value) }]))
  }

  /**
   * A metric of one object of the namespace, or of the namespace itself: metrics of other namespaces cannot be read. In
   * thousandths.
   */
  async ofObject(namespace: string, { kind, name, apiVersion }: Reference, metric: Identifier): Promise<number> {
    const about = encodeURIComponent(metric.name)
    const suffix =
      kind === 'Namespace' && (apiVersion ?? 'v1') === 'v1'
        ? `namespaces/${namespace}/metrics/${about}`
        : `namespaces/${namespace}/${await this.#resourceOf(kind, apiVersion)}/${encodeURIComponent(name)}/${about}`
    const items = await this.#custom(suffix, metric)
    if (items.length !== 1)
      throw new Error(
        `unable to fetch metrics from custom metrics API: the custom metrics API server returned ${items.length} results when we asked for exactly one`,
      )
    return milliOf(items[0]?.value ?? '0')
  }

  /** The sum of all series of an external metric, in thousandths. */
  async external(namespace: string, metric: Identifier): Promise<number> {
    const path = `/apis/${this.#vendor.group('external.metrics')}/v1beta1/namespaces/${namespace}/${encodeURIComponent(metric.name)}`
    const labelSelector = selectorText(metric.selector)
    const items = await this.#list<MetricValue>('external', path, labelSelector === '' ? {} : { labelSelector })
    return items.reduce((sum, { value }) => sum + milliOf(value), 0)
  }

  async #custom(suffix: string, metric: Identifier, query: Record<string, string> = {}): Promise<MetricValue[]> {
    const metricLabelSelector = selectorText(metric.selector)
    const path = `/apis/${this.#vendor.group('custom.metrics')}/${await this.#customVersion()}/${suffix}`
    return this.#list<MetricValue>('custom', path, {
      ...query,
      ...(metricLabelSelector === '' ? {} : { metricLabelSelector }),
    })
  }
  /** The first supported version in the API's order of preference. */
  async #customVersion(): Promise<string> {
    const path = `/apis/${this.#vendor.group('custom.metrics')}`
    interface Group {
      versions?: { version: string }[]
    }
    const group = await this.#get<Group>(path).catch(error => {
      if (error instanceof ApiError && [403, 404].includes(error.code)) return undefined
      throw failed('custom', error)
    })
    const known = (group?.versions ?? []).find(({ version }) => customVersions.includes(version))
    if (!known) throw failed('custom', new Error('no known available metric versions found'))
    return known.version
  }
  /** `services`, or with the group `ingresses.networking.k8s.io`, as the API for custom metrics expects it. */
  async #resourceOf(kind: string, apiVersion: string | undefined): Promise<string> {
    const known = await this.#client.kinds()
    const found = known.find(kind, apiVersion) ?? (await this.#client.kinds({ fresh: true })).find(kind, apiVersion)
    if (!found) throw new Error(`no matches for kind "${kind}" in version "${apiVersion ?? ''}"`)
    return found.group === '' ? found.resource : `${found.resource}.${found.group}`
  }

  async #list<T>(api: string, path: string, query: Record<string, string>): Promise<T[]> {
    const { items = [] } = await this.#get<Listed<T>>(`${path}?${new URLSearchParams(query)}`).catch(error => {
      throw failed(api, error)
    })
    if (items.length === 0) throw new Error(`no metrics returned from ${api} metrics API`)
    return items
  }
  #get<T>(path: string): Promise<T> {
    return this.#client.request<T>({ method: 'GET', path, headers: {} })
  }
}

const failed = (api: string, error: unknown) =>
  new Error(`unable to fetch metrics from ${api} metrics API: ${(error as Error).message}`, { cause: error })
