import { orchProfile, Vendor } from 'orch/sdk'
import { storageNames } from '../names.js'

/** A vendor of the tests, so that hard-coded names fail them. */
export const acmeProfile = { ...orchProfile, name: 'acme', domain: 'acme.test', groupDomain: 'acme.test' }
export const acmeNames = storageNames(new Vendor(acmeProfile))
export const defaultOptions = { volumeZone: '', volumeRegion: '' }
