import { defineResource, type Strategy } from 'orch/sdk'
import { columns } from './columns.js'
import { PodSecurityPolicy } from './schema.js'
import { validatePodSecurityPolicy } from './validation.js'

/** No Pod has another view of /proc in the default setting, so no policy speaks of it. */
const dropUnservedFields = ({ spec }: PodSecurityPolicy): void => {
  delete spec?.allowedProcMountTypes
}

const mainStrategy = {
  prepareForCreate: dropUnservedFields,
  prepareForUpdate: dropUnservedFields,
  validate: validatePodSecurityPolicy,
  validateUpdate: (sent, _, context) => validatePodSecurityPolicy(sent, context),
  metadataChecks: { change: 1, object: 0 },
} satisfies Strategy<PodSecurityPolicy>

export const podSecurityPolicies = defineResource({
  group: 'policy',
  formerGroup: 'extensions',
  kind: 'PodSecurityPolicy',
  resource: 'podsecuritypolicies',
  singular: 'podsecuritypolicy',
  shortNames: ['psp'],
  namespaced: false,
  versions: [
    {
      name: 'v1beta1',
      schema: PodSecurityPolicy,
      deprecated: {
        warning: 'policy/v1beta1 PodSecurityPolicy is deprecated in v1.21+, unavailable in v1.25+',
        removedRelease: '1.25',
      },
    },
  ],
  generation: false,
  strategy: mainStrategy,
  deletion: { answer: 'object' },
  columns,
})
