import { type ApiObject, type GroupResource, orchProfile, type StoreReader, Vendor } from 'orch/sdk'
import { authenticationNames } from '../names.js'

/** A made-up vendor, so that hard-coded names fail the tests. */
export const acme = new Vendor({
  ...orchProfile,
  name: 'acme',
  domain: 'acme.test',
  groupDomain: 'acme.test',
  objectPrefix: 'acme',
  apiService: 'acme',
})
export const acmeNames = authenticationNames(acme)

/** A store that holds these objects, by `resource/namespace/name`. */
export const readerOf = (objects: Readonly<Record<string, object>>): StoreReader => ({
  get: async <T = ApiObject>({ resource }: GroupResource, namespace: string, name: string) =>
    objects[`${resource}/${namespace}/${name}`] as T | undefined,
  list: async () => [],
})
