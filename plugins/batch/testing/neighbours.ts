import { definePlugin, defineResource } from 'orch/sdk'
import { Event, Pod } from 'orch/sdk/core'

const common = { group: '', namespaced: true }
/** What the loops need of other plugins, without their rules. */
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
