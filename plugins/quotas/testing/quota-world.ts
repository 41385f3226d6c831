import {
  type ApiObject,
  type Client,
  definePlugin,
  defineResource,
  field,
  Kind,
  MapOf,
  Quantity,
  type ResourceList,
  StringMap,
  Struct,
} from 'orch/sdk'
import { type ResourceQuota, resourceQuotas } from '../counting/resource-quota.js'

/** Quotas as small as tests need them, and a made-up type to count. */
const QuotaPart = Struct('acme.v1.QuotaPart', { hard: field(1, MapOf(Quantity())), used: field(2, MapOf(Quantity())) })
const Quota = Kind('acme.v1.Quota', { spec: field(2, QuotaPart), status: field(3, QuotaPart) })
const Widget = Kind('acme.v1.Widget', { data: field(2, StringMap()) })
const widgets = { group: 'acme.test', version: 'v1', resource: 'widgets' }
export const countWidgets = 'count/widgets.acme.test'

export const acme = definePlugin({
  name: 'acme',
  register(to) {
    to.resource(
      defineResource({
        group: '',
        kind: 'ResourceQuota',
        resource: 'resourcequotas',
        namespaced: true,
        versions: [{ name: 'v1', schema: Quota }],
        subresources: { status: { kind: 'update', strategy: {} } },
      }),
      defineResource({
        group: widgets.group,
        kind: 'Widget',
        resource: widgets.resource,
        namespaced: true,
        versions: [{ name: 'v1', schema: Widget }],
      }),
    )
  },
})

/** Widgets and their quotas in one namespace. */
export class QuotaWorld {
  readonly #client: Client
  constructor(client: Client) {
    this.#client = client
  }
  get widgets() {
    return this.#client.resource<ApiObject>(widgets).in('town')
  }
  get quotas() {
    return this.#client.resource<ResourceQuota>(resourceQuotas).in('town')
  }
  widget(name: string, dryRun = false) {
    const object = { apiVersion: 'acme.test/v1', kind: 'Widget', metadata: { name, namespace: 'town' } }
    return this.widgets.create(object, { dryRun })
  }
  /** Makes a quota and waits until it is enforced. */
  async quota(name: string, hard: ResourceList) {
    const metadata = { name, namespace: 'town' }
    await this.quotas.create({ apiVersion: 'v1', kind: 'ResourceQuota', metadata, spec: { hard } })
    return this.quotas.waitFor(name, ({ status }) => status?.used !== undefined)
  }
  waitForUse(quota: string, amount: string, of = countWidgets) {
    return this.quotas.waitFor(quota, ({ status }) => status?.used?.[of] === amount, { timeoutMs: 30_000 })
  }
}
