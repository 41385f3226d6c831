import type { Vendor } from 'orch/sdk'

/** The names in this plugin that depend on the vendor. */
export const customResourceNames = (vendor: Vendor) => {
  const group = vendor.group('apiextensions')
  return {
    group,
    /** The resource of definitions. */
    definitions: { group, version: 'v1', resource: 'customresourcedefinitions' },
    /** Finalizer that retains a deleted definition until its objects are gone. */
    cleanupFinalizer: `customresourcecleanup.${group}`,
    /** Annotation with the approval of an API in a group of the vendor. */
    approvalAnnotation: `api-approved.${vendor.profile.domain}`,
    /** Groups in these domains require the approval. */
    protectedDomains: [...new Set([vendor.profile.groupDomain, vendor.profile.domain])],
    approvalCondition: 'KubernetesAPIApprovalPolicyConformant',
    /** Vendor-specific keywords of schemas. */
    keywords: {
      preserveUnknownFields: vendor.extension('preserve-unknown-fields'),
      embeddedResource: vendor.extension('embedded-resource'),
      intOrString: vendor.extension('int-or-string'),
      listMapKeys: vendor.extension('list-map-keys'),
      listType: vendor.extension('list-type'),
      mapType: vendor.extension('map-type'),
      validations: vendor.extension('validations'),
    },
    /** Lists the selectable fields in OpenAPI documents. */
    selectableFieldsKeyword: vendor.extension('selectable-fields'),
    reviewGroup: group,
    /** Field manager of the status of definitions. In Kubernetes it is the server itself, not a controller. */
    fieldManager: `${vendor.profile.objectPrefix}-apiserver`,
  }
}
export type CustomResourceNames = ReturnType<typeof customResourceNames>
export type { SchemaKeywords } from '../../libs/json-schema/index.js'
