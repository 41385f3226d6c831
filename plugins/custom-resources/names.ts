import type { Vendor } from 'orch/sdk'

/** Every name of this plugin that carries the vendor's. */
export const customResourceNames = (vendor: Vendor) => {
  const group = vendor.group('apiextensions')
  return {
    group,
    /** Where the definitions are. */
    definitions: { group, version: 'v1', resource: 'customresourcedefinitions' },
    /** Keeps a deleted definition until its objects are gone. */
    cleanupFinalizer: `customresourcecleanup.${group}`,
    /** Says who approved an API in a group of the vendor. */
    approvalAnnotation: `api-approved.${vendor.profile.domain}`,
    /** Groups below these need that approval. */
    protectedDomains: [...new Set([vendor.profile.groupDomain, vendor.profile.domain])],
    approvalCondition: 'KubernetesAPIApprovalPolicyConformant',
    /** Keywords of schemas that are the vendor's own. */
    keywords: {
      preserveUnknownFields: vendor.extension('preserve-unknown-fields'),
      embeddedResource: vendor.extension('embedded-resource'),
      intOrString: vendor.extension('int-or-string'),
      listMapKeys: vendor.extension('list-map-keys'),
      listType: vendor.extension('list-type'),
      mapType: vendor.extension('map-type'),
      validations: vendor.extension('validations'),
    },
    reviewGroup: group,
    /** Who writes the status of definitions: in the reference the server does, not a controller beside it. */
    fieldManager: `${vendor.profile.objectPrefix}-apiserver`,
  }
}
export type CustomResourceNames = ReturnType<typeof customResourceNames>
export type SchemaKeywords = CustomResourceNames['keywords']
