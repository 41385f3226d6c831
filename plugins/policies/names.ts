import type { GroupResource, Vendor } from 'orch/sdk'

/** The names in this plugin that depend on the vendor. */
export const policyNames = (vendor: Vendor) => {
  const group = vendor.group('admissionregistration')
  const collection = (resource: string): GroupResource => ({ group, resource })
  return {
    group,
    level: vendor.level,
    /** Kubernetes serves beta versions only when asked to; the specification serves all that it has. */
    servesBeta: vendor.level.isAdditive,
    validating: {
      policies: collection('validatingadmissionpolicies'),
      bindings: collection('validatingadmissionpolicybindings'),
    },
    mutating: {
      policies: collection('mutatingadmissionpolicies'),
      bindings: collection('mutatingadmissionpolicybindings'),
    },
    /**
     * Resources that policies do not apply to, by group: policies and bindings, because one that forbids every change could not
     * be fixed through the API, and reviews, because they change nothing and without them no component could check its clients.
     */
    exempt: new Map([
      [
        group,
        new Set(
          ['validating', 'mutating'].flatMap(kind => [`${kind}admissionpolicies`, `${kind}admissionpolicybindings`]),
        ),
      ],
      [vendor.group('authentication'), new Set(['selfsubjectreviews', 'tokenreviews'])],
      [
        vendor.group('authorization'),
        new Set([
          'localsubjectaccessreviews',
          'selfsubjectaccessreviews',
          'selfsubjectrulesreviews',
          'subjectaccessreviews',
        ]),
      ],
    ]) as ReadonlyMap<string, ReadonlySet<string>>,
    /** The audit annotation that lists failed validations. */
    failureAnnotation: `validation.policy.${vendor.group('admission')}/validation_failure`,
  }
}
export type PolicyNames = ReturnType<typeof policyNames>
