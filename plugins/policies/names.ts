import type { GroupResource, Vendor } from 'orch/sdk'

/** The names in this plugin that depend on the vendor. */
export const policyNames = (vendor: Vendor) => {
  const group = vendor.group('admissionregistration')
  const collection = (resource: string): GroupResource => ({ group, resource })
  return {
    group,
    validating: {
      policies: collection('validatingadmissionpolicies'),
      bindings: collection('validatingadmissionpolicybindings'),
    },
    mutating: {
      policies: collection('mutatingadmissionpolicies'),
      bindings: collection('mutatingadmissionpolicybindings'),
    },
    /** The audit annotation that lists failed validations. */
    failureAnnotation: `validation.policy.${vendor.group('admission')}/validation_failure`,
  }
}
export type PolicyNames = ReturnType<typeof policyNames>
