import { orchProfile, Vendor } from 'orch/sdk'
import { storageNames } from '../names.js'

/** A vendor whose names are not hard-coded anywhere. */
export const acmeProfile = { ...orchProfile, name: 'acme', domain: 'acme.test', groupDomain: 'acme.test' }
export const acmeNames = storageNames(new Vendor(acmeProfile))
export const defaultOptions = { volumeZone: '', volumeRegion: '' }
