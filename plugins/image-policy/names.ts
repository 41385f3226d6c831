import type { Vendor } from 'orch/sdk'

/** Every vendor-derived name of this plugin. */
export const imagePolicyNames = (vendor: Vendor) => {
  const domain = vendor.group('image-policy')
  return {
    /** `apiVersion` of ImageReview. */
    reviewVersion: `${vendor.group('imagepolicy')}/v1alpha1`,
    /** Annotations of a Pod with this in their key are sent to the backend. */
    annotationMark: `.${domain}/`,
    /** Prefix of audit annotations. */
    auditPrefix: `imagepolicywebhook.${domain}/`,
  }
}
export type ImagePolicyNames = ReturnType<typeof imagePolicyNames>
