import type { ApiObject, Vendor } from 'orch/sdk'
import { notAcceptable } from '../contracts/protocol-errors.js'
import type { Representation } from '../contracts/representation.js'

/** The metadata of a single object. */
export function singleMetadata(vendor: Vendor, { as, metaVersion }: Representation, object: ApiObject): object {
  if (as === 'PartialObjectMetadataList')
    throw notAcceptable('a single object cannot be returned as a PartialObjectMetadataList')
  return partialMetadata(vendor, metaVersion, object)
}

/** An object reduced to its metadata. */
export function partialMetadata(
  vendor: Vendor,
  metaVersion: string,
  { metadata }: ApiObject,
): { kind: string; apiVersion: string; metadata: object } {
  return { kind: 'PartialObjectMetadata', apiVersion: `${vendor.metaGroup}/${metaVersion}`, metadata }
}

export function partialMetadataList(
  vendor: Vendor,
  metaVersion: string,
  objects: readonly ApiObject[],
  listMeta: object,
): Record<string, unknown> {
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion: `${vendor.metaGroup}/${metaVersion}`,
    metadata: listMeta,
    items: objects.map(object => partialMetadata(vendor, metaVersion, object)),
  }
}
