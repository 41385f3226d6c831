import type { ApiObject, Vendor } from 'orch/sdk'

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
