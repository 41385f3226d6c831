import type { GroupResource, Vendor } from 'orch/sdk'

/** Every name of this plugin that carries the vendor's. */
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
    /** The audit annotation about validations that failed. */
    failureAnnotation: `validation.policy.${vendor.group('admission')}/validation_failure`,
  }
}
export type PolicyNames = ReturnType<typeof policyNames>
