import { orchProfile, Vendor } from 'orch/sdk'
import { networkingNames } from '../names.js'

/** A vendor that nobody has spelled out anywhere. */
export const acmeProfile = { ...orchProfile, name: 'acme', domain: 'acme.test', groupDomain: 'acme.test' }
export const acmeNames = networkingNames(new Vendor(acmeProfile))
