import { orchProfile, Vendor } from 'orch/sdk'
import { networkingNames } from '../names.js'

/** A vendor of the tests, so that hard-coded names fail them. */
export const acmeProfile = { ...orchProfile, name: 'acme', domain: 'acme.test', groupDomain: 'acme.test' }
export const acmeNames = networkingNames(new Vendor(acmeProfile))
