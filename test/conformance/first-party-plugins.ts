import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { orchProfile } from 'orch/sdk'

const folder = fileURLToPath(new URL('../../plugins', import.meta.url))

/** Names of the plugins that come with this package. */
export const firstPartyPlugins = readdirSync(folder).filter(name => existsSync(join(folder, name, 'plugin.js')))

/** Nobody has heard of this vendor, so that a name spelled out anywhere is missing here. */
export const unheardVendor = { ...orchProfile, name: 'acme', domain: 'acme.test', groupDomain: 'acme.test' }
