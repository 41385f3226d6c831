import { isDeepStrictEqual } from 'node:util'
import type { Strategy } from 'orch/sdk'
import { defaultPodSpec } from '../pod-spec/defaults.js'
import { dropFormerAnnotations } from '../pod-spec/former-annotations.js'
import { podWarnings } from '../pod-spec/pod-warnings.js'
import { dropUnservedFields } from '../pod-spec/unserved-fields.js'
import { validatePodTemplate } from '../pod-spec/validate-pod-template.js'
import type { PodTemplate } from './schema.js'

export function fillPodTemplate({ template }: PodTemplate): void {
  if (template?.spec) defaultPodSpec(template.spec)
}

export const mainStrategy = {
  prepareForCreate(draft, { vendor }) {
    dropFormerAnnotations(draft.template ?? {}, vendor)
    dropUnservedFields(draft.template?.spec)
    draft.metadata = { ...draft.metadata, generation: 1 }
  },
  prepareForUpdate(draft, stored, { vendor }) {
    dropFormerAnnotations(draft.template ?? {}, vendor)
    dropUnservedFields(draft.template?.spec, stored.template?.spec)
    const isChanged = !isDeepStrictEqual(draft.template, stored.template)
    draft.metadata = { ...draft.metadata, generation: (stored.metadata?.generation ?? 0) + (isChanged ? 1 : 0) }
  },
  validate: ({ template = {} }, { vendor }) => validatePodTemplate(template, 'template', vendor),
  validateUpdate: ({ template = {} }, _, { vendor }) => validatePodTemplate(template, 'template', vendor),
  warnings: ({ metadata, template = {} }, stored, { vendor }) =>
    metadata?.generation === stored?.metadata?.generation ? [] : podWarnings(template, vendor, 'template.'),
  metadataChecks: { change: 1, object: 0 },
} satisfies Strategy<PodTemplate>
