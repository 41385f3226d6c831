import { definePlugin } from 'orch/sdk'
import { configMaps } from './config-maps/resource.js'
import { differences } from './differences.js'
import { configurationNames } from './names.js'
import { secrets } from './secrets/resource.js'

export { conformance } from './conformance.js'

export const configuration = definePlugin({
  name: 'configuration',
  differences,
  register(to, { vendor }) {
    const names = configurationNames(vendor)
    to.resource(configMaps, secrets(names))
  },
})
