import {
  ageColumn,
  type Column,
  defineResource,
  invalidValue,
  nameColumn,
  type ServedLevel,
  type Strategy,
} from 'orch/sdk'
import { validateTemplateMetadata } from 'orch/sdk/core'
import { sameJson } from 'orch/sdk/validation'
import { updatesAreCheckedOnce } from '../differences.js'
import type { DeviceGates } from '../gates.js'
import type { DeviceNames } from '../names.js'
import { claimSpecPermission } from '../schemas/claim-spec-permission.js'
import { isSameSpec, validateClaimSpec } from '../schemas/claim-spec-rules.js'
import type { FlatClaimSpec } from '../schemas/claim-spec-schema.js'
import { fillFlatSpec, fillSpec } from '../schemas/defaults.js'
import { flattenRequests, nestRequests } from '../schemas/flat-requests.js'
import { flatTemplateIn, ResourceClaimTemplate, templateIn } from './schema.js'

type TemplateSpec = ResourceClaimTemplate['spec']
const isSameTemplate = ({ spec: one, ...oneRest }: TemplateSpec, { spec: other, ...otherRest }: TemplateSpec) =>
  sameJson(oneRest, otherRest) && isSameSpec(one, other)

const mainStrategy = (gates: DeviceGates, level: ServedLevel) => {
  const validate = ({ spec }: ResourceClaimTemplate) => [
    ...validateTemplateMetadata(spec.metadata, 'spec.metadata'),
    ...validateClaimSpec(spec.spec, 'spec.spec', gates, level),
  ]
  return {
    validate,
    validateUpdate(template, { spec: stored }) {
      const errors = validate(template)
      return [
        ...errors,
        ...(isSameTemplate(template.spec, stored) ? [] : [invalidValue('spec', template.spec, 'field is immutable')]),
        ...(level.has(updatesAreCheckedOnce) ? [] : errors),
      ]
    },
  } satisfies Strategy<ResourceClaimTemplate>
}

type FlatTemplate = Omit<ResourceClaimTemplate, 'spec'> & {
  spec: Omit<ResourceClaimTemplate['spec'], 'spec'> & { spec: FlatClaimSpec }
}
const flatVersion = {
  toStorage: (template: FlatTemplate) => ({
    ...template,
    spec: { ...template.spec, spec: nestRequests(template.spec.spec) },
  }),
  fromStorage: (template: ResourceClaimTemplate) => ({
    ...template,
    spec: { ...template.spec, spec: flattenRequests(template.spec.spec) },
  }),
  defaults: ({ spec }: FlatTemplate) => fillFlatSpec(spec?.spec),
}
const version = { defaults: ({ spec }: ResourceClaimTemplate) => fillSpec(spec?.spec) }

export const resourceClaimTemplates = (names: DeviceNames, gates: DeviceGates) => {
  const { level } = names.vendor
  return defineResource({
    group: names.group,
    kind: 'ResourceClaimTemplate',
    resource: 'resourceclaimtemplates',
    namespaced: true,
    versions: [
      { name: 'v1', since: '1.34', schema: ResourceClaimTemplate, storage: true, ...version },
      { name: 'v1beta2', since: '1.33', schema: templateIn('v1beta2'), served: false, ...version },
      { name: 'v1beta1', since: '1.32', schema: flatTemplateIn('v1beta1'), served: false, ...flatVersion },
      { name: 'v1alpha3', since: '1.31', until: '1.33', schema: flatTemplateIn('v1alpha3'), ...flatVersion },
    ],
    since: '1.31',
    generation: false,
    strategy: mainStrategy(gates, level),
    permission: claimSpecPermission<ResourceClaimTemplate>(
      ({ spec }) => ({ spec: spec.spec, field: 'spec.spec' }),
      names,
      gates,
      { onUpdate: level.has(updatesAreCheckedOnce) ? 1 : 2 },
    ),
    deletion: { answer: 'object' },
    columns: [nameColumn as Column<ResourceClaimTemplate>, ageColumn as Column<ResourceClaimTemplate>],
  })
}
