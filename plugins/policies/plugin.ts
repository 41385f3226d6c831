import { definePlugin } from 'orch/sdk'
import { mutatingAdmissionPolicy } from './admission/mutating-admission-policy.js'
import { decisionListeners, offeredDecisions, policyServices, warmUp } from './admission/policy-services.js'
import { validatingAdmissionPolicy } from './admission/validating-admission-policy.js'
import { policyDifferences } from './differences.js'
import { offerConditions } from './evaluating/request-conditions.js'
import { policyGates } from './gates.js'
import { policyNames } from './names.js'
import {
  mutatingAdmissionPolicies,
  mutatingAdmissionPolicyBindings,
  validatingAdmissionPolicies,
  validatingAdmissionPolicyBindings,
} from './policies/resource.js'
import { policyStatus } from './status/policy-status.js'

export { conformance } from './conformance.js'

export const policies = definePlugin({
  name: 'policies',
  requires: ['namespaces', 'expressions', 'webhooks'],
  gates: policyGates,
  differences: policyDifferences,
  register(to, { vendor, isEnabled }) {
    const names = policyNames(vendor)
    to.resource(validatingAdmissionPolicies(names), validatingAdmissionPolicyBindings(names))
    to.resource(mutatingAdmissionPolicies(names), mutatingAdmissionPolicyBindings(names))
    to.service(...policyServices(names), decisionListeners, offeredDecisions)
    to.admission(
      mutatingAdmissionPolicy({ isOn: isEnabled('MutatingAdmissionPolicy') }),
      validatingAdmissionPolicy(names, { isOn: isEnabled('ValidatingAdmissionPolicy') }),
    )
    if (isEnabled('ValidatingAdmissionPolicy')) to.controller(policyStatus(names))
    to.onStart(warmUp, offerConditions)
  },
})
