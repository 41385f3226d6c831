import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { orchProfile } from 'orch/sdk'

const folder = fileURLToPath(new URL('../../plugins', import.meta.url))

/** Names of the plugins in this package. */
export const firstPartyPlugins = readdirSync(folder).filter(name => existsSync(join(folder, name, 'plugin.js')))

/** A fictional vendor: hard-coded names of another vendor fail the tests. */
export const unheardVendor = { ...orchProfile, name: 'acme', domain: 'acme.test', groupDomain: 'acme.test' }
