import { definePlugin, defineResource } from 'orch/sdk'
import { Event, Pod } from 'orch/sdk/core'

const common = { group: '', namespaced: true }
/** Fakes of the plugins that this one requires: their types have schemas, but no behaviour. */
export const neighbours = [
  definePlugin({ name: 'namespaces', register: () => {} }),
  definePlugin({
    name: 'workloads',
    register(to) {
      to.resource(
        defineResource({ ...common, kind: 'Pod', resource: 'pods', versions: [{ name: 'v1', schema: Pod }] }),
        defineResource({ ...common, kind: 'Event', resource: 'events', versions: [{ name: 'v1', schema: Event }] }),
      )
    },
  }),
]
