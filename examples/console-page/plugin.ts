import { Bool, definePlugin, defineResource, embedded, field, Kind, Struct, Text } from 'orch/sdk'
import { defineConsolePage } from 'orch/sdk/server'

const group = 'example.com'

const BeaconSpec = Struct('beacons.v1.BeaconSpec', {
  color: field(1, Text({ default: 'amber', description: 'Its color.' })),
  lit: field(2, Bool({ description: 'Whether it is on.' })),
})
const Beacon = Kind('beacons.v1.Beacon', { spec: embedded(2, BeaconSpec) })

const beacons = defineResource({
  group,
  kind: 'Beacon',
  resource: 'beacons',
  namespaced: true,
  versions: [{ name: 'v1', schema: Beacon }],
})

/** A panel for every beacon, with its color and a switch. */
const lamp = defineConsolePage({
  name: 'beacon-lamp',
  title: 'Lamp',
  module: new URL('./lamp.js', import.meta.url),
  type: { group, resource: 'beacons' },
})
/** A page with all beacons. */
const wall = defineConsolePage({
  name: 'beacon-wall',
  title: 'Beacon wall',
  module: new URL('./wall.js', import.meta.url),
})

export const beaconPlugin = definePlugin({
  name: 'beacons',
  sdk: '^1.0.0',
  register(to) {
    to.resource(beacons)
    to.consolePage(lamp, wall)
  },
})
