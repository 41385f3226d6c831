import { type ApiObject, definePlugin, defineResource, field, Kind, StringMap } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import type { ResourceList } from 'orch/sdk/core'
import { resourceQuotas, type StoredQuota } from '../counting/resource-quota.js'

const Widget = Kind('acme.v1.Widget', { data: field(2, StringMap()) })
const widgets = { group: 'acme.test', version: 'v1', resource: 'widgets' }
export const countWidgets = 'count/widgets.acme.test'

/** Replaces the plugin that quotas require. */
export const emptyNamespaces = definePlugin({ name: 'namespaces', register() {} })

/** Registers a made-up type to count. */
export const acme = definePlugin({
  name: 'acme',
  register(to) {
    to.resource(
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
    return this.#client.resource<StoredQuota>(resourceQuotas).in('town')
  }
  widget(name: string, dryRun = false) {
    const object = { apiVersion: 'acme.test/v1', kind: 'Widget', metadata: { name, namespace: 'town' } }
    return this.widgets.create(object, { dryRun })
  }
  /** Creates a quota and waits until it is enforced. */
  async quota(name: string, hard: ResourceList) {
    const metadata = { name, namespace: 'town' }
    await this.quotas.create({ apiVersion: 'v1', kind: 'ResourceQuota', metadata, spec: { hard } })
    return this.quotas.waitFor(name, ({ status }) => status?.used !== undefined)
  }
  waitForUse(quota: string, amount: string, of = countWidgets) {
    return this.quotas.waitFor(quota, ({ status }) => status?.used?.[of] === amount, { timeoutMs: 30_000 })
  }
}
