import { type ApiObject, definePlugin, defineResource, field, Kind, type OwnerReference, StringMap } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'

/** Types for tests: widgets are namespaced and have two versions, planets are cluster-wide. */
const Widget = Kind('acme.v1.Widget', { data: field(2, StringMap()) })
const Planet = Kind('acme.v1.Planet', { data: field(2, StringMap()) })
const group = 'acme.test'
export const acme = definePlugin({
  name: 'acme',
  register(to) {
    const versions = [
      { name: 'v1', schema: Widget, storage: true },
      { name: 'v1beta1', schema: Widget },
    ]
    to.resource(
      defineResource({ group, kind: 'Widget', resource: 'widgets', namespaced: true, versions }),
      defineResource({
        group,
        kind: 'Planet',
        resource: 'planets',
        namespaced: false,
        versions: [{ name: 'v1', schema: Planet }],
      }),
    )
  },
})

/** The types above, through the client of a server that has them. */
export class OwnedWidgets {
  readonly #client: Client
  constructor(client: Client) {
    this.#client = client
  }
  widgets(namespace = 'town') {
    return this.#client.resource({ group, version: 'v1', resource: 'widgets' }).in(namespace)
  }
  get planets() {
    return this.#client.resource({ group, version: 'v1', resource: 'planets' })
  }
  widget(name: string, owners: readonly OwnerReference[] = [], more: object = {}, namespace = 'town') {
    const metadata = { name, ownerReferences: [...owners], ...more }
    return this.widgets(namespace).create({ apiVersion: `${group}/v1`, kind: 'Widget', metadata })
  }
  planet(name: string, owners: readonly OwnerReference[] = []) {
    return this.planets.create({
      apiVersion: `${group}/v1`,
      kind: 'Planet',
      metadata: { name, ownerReferences: [...owners] },
    })
  }
}

/** A reference to an object as the API returned it. */
export const ownedBy = (owner: ApiObject, more: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: owner.apiVersion ?? '',
  kind: owner.kind ?? '',
  name: owner.metadata.name ?? '',
  uid: owner.metadata.uid ?? '',
  ...more,
})
